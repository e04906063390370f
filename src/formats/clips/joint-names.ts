import type { PickleValue } from '../pickle/pickle-values.ts';

/** Joints that some exporters name for the root's free motion, which is no joint column. */
const FLOATING_BASE: ReadonlySet<string> = new Set(['floating_base_joint', 'freejoint', 'root_joint']);

/** Names of joint columns: without an entity's prefix (`robot/left_knee`), without the floating base. */
export function columnJoints(names: readonly string[]): readonly string[] {
  return names.map((name) => name.slice(name.lastIndexOf('/') + 1)).filter((name) => !FLOATING_BASE.has(name));
}

/** The texts of a list, null where it holds anything else. */
export function textsOf(values: readonly PickleValue[]): readonly string[] | null {
  return values.every((value) => typeof value === 'string') ? values : null;
}
