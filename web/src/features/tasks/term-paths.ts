import type { Knob, LibraryTerm } from '../../../../src/protocol/schemas/presets.ts';
import type { Edits } from './shared/edits.ts';

/** The path of the term that a path lies in or is, null outside of terms: `rewards.survival` of `rewards.survival.weight`. */
export function termPathOf(path: string): string | null {
  const found = /^(?:(?:rewards|terminations|events)\.[^.]+|observations\.[^.]+\.terms\.[^.]+)/.exec(path);
  return found?.[0] ?? null;
}

/** Paths of terms that edits add to those that a task has. */
export function addedTerms(edits: Edits, present: ReadonlySet<string>): readonly string[] {
  const paths = Object.entries(edits).flatMap(([path, value]) => {
    const term = termPathOf(path);
    return term === null || present.has(term) || (path === term && value === null) ? [] : [term];
  });
  return [...new Set(paths)];
}

/** What the knobs of a fresh term are: as those of its like, with the values that adding it gives.
 *  @param like knobs of the task, of which one term of the same kind is copied  @param term of the library */
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

/** Values of a term that is added without its own. */
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
