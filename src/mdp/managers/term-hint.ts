import { nearest } from '../../core/nearest.ts';

/** What a name that is not known may have meant. */
export function hint(name: string, known: Readonly<Record<string, unknown>>): string {
  const near = nearest(name, Object.keys(known));
  return near === null ? '' : `; did you mean "${near}"?`;
}
