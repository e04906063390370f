import { nearest } from '../../core/nearest.ts';

/** A "did you mean" suffix for an unknown name; empty without a similar name. */
export function hint(name: string, known: Readonly<Record<string, unknown>>): string {
  const near = nearest(name, Object.keys(known));
  return near === null ? '' : `; did you mean "${near}"?`;
}
