import type { PickleValue } from '../pickle/pickle-values.ts';

/** Names that some exporters use for the free joint of the root, which has no joint column. */
const FLOATING_BASE: ReadonlySet<string> = new Set(['floating_base_joint', 'freejoint', 'root_joint']);

/** Returns the names of the joint columns: without the prefix of an entity (`robot/left_knee`) and without the free
 *  joint of the root. */
export function columnJoints(names: readonly string[]): readonly string[] {
  return names.map((name) => name.slice(name.lastIndexOf('/') + 1)).filter((name) => !FLOATING_BASE.has(name));
}

/** Returns the values if all of them are texts, otherwise null. */
export function textsOf(values: readonly PickleValue[]): readonly string[] | null {
  return values.every((value) => typeof value === 'string') ? values : null;
}
