import { meant, nearest } from '../../core/nearest.ts';
import { placeOf } from '../../core/validation.ts';
import type { Group, JsonObject } from './knob-tree.ts';
import { walkKnobs } from './walk-knobs.ts';

const FEW = 12;

/** Describes a key that is not a knob, with the known knob that was most likely meant.
 *  @param siblings valid keys at the same place  @param path of the group that contains the key */
export function unknownKnob(
  tree: Group,
  config: JsonObject,
  siblings: readonly string[],
  key: string,
  path: readonly string[],
): string {
  const place = (names: readonly string[]) => placeOf(names, '');
  const near = nearest(key, siblings);
  if (near !== null) return `is not a known knob; ${meant(place([...path, near]))}`;
  const paths: string[][] = [];
  walkKnobs(tree, config, ({ path: of }) => paths.push([...of]));
  const word = nearest(key, new Set(paths.flat()));
  // A known key at the wrong place: prefer knobs near that place in the tree.
  const shared = (of: readonly string[]) => of.findIndex((name, k) => name !== path[k]);
  const named = paths
    .filter((of) => word !== null && of.includes(word, path.length > 0 ? 1 : 0))
    .sort((a, b) => shared(b) - shared(a) || a.length - b.length)[0];
  if (named) return `is not a known knob; ${meant(place(named))}`;
  const rest = siblings.length > FEW ? ` and ${siblings.length - FEW} more` : '';
  return `is not a known knob; known are ${siblings.slice(0, FEW).join(', ')}${rest}`;
}
