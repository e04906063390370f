import type { Knob, LibraryTerm } from '../../../../src/protocol/schemas/presets.ts';
import type { Edits } from './shared/edits.ts';

/** Returns the path of the term to which a path belongs: `rewards.survival` for `rewards.survival.weight`; null if it
 *  does not belong to a term. */
export function termPathOf(path: string): string | null {
  const found = /^(?:(?:rewards|terminations|events)\.[^.]+|observations\.[^.]+\.terms\.[^.]+)/.exec(path);
  return found?.[0] ?? null;
}

/** Returns the paths of the terms that edits add to a task. */
export function addedTerms(edits: Edits, present: ReadonlySet<string>): readonly string[] {
  const paths = Object.entries(edits).flatMap(([path, value]) => {
    const term = termPathOf(path);
    return term === null || present.has(term) || (path === term && value === null) ? [] : [term];
  });
  return [...new Set(paths)];
}

/** Returns the knobs of a newly added term. They are copied from a term of the same kind, with the values that adding
 *  the term sets. @param like knobs of the task @param term the term in the library; null if unknown */
export function freshKnobs(path: string, term: LibraryTerm | null, like: readonly Knob[]): readonly Knob[] {
  const params = (term?.params ?? []).map((knob) => ({ ...knob, path: `${path}.${knob.path}` }));
  const container = path.slice(0, path.lastIndexOf('.'));
  const example = like.find((knob) => knob.path.startsWith(`${container}.`) && termPathOf(knob.path) !== null);
  const examplePath = example === undefined ? null : termPathOf(example.path);
  if (examplePath === null) return params;
  const own = like
    .filter((knob) => knob.path.startsWith(`${examplePath}.`) && !knob.path.startsWith(`${examplePath}.params.`))
    .map((knob): Knob => {
      const name = knob.path.slice(examplePath.length + 1);
      const value = FRESH[name] ?? null;
      const type = knob.or_number === true ? 'number' : knob.type;
      return { ...knob, type, path: `${path}.${name}`, default: value, value };
    });
  return [...own, ...params];
}

/** Default values of an added term. */
const FRESH: Readonly<Record<string, unknown>> = {
  weight: 0,
  time_out: false,
  mode: 'reset',
  noise_scale: 1,
  'noise.n_min': 0,
  'noise.n_max': 0,
  delay_min_lag: 0,
  delay_max_lag: 0,
  history_length: 0,
};
