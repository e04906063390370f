import { sideOf } from '../../protocol/part-sides.ts';

/** Groups the joints of a robot by limb: `left leg`, `right arm`, `trunk`. */
export function jointGroups(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, group] of limbNames(names).entries()) groups.set(group, [...(groups.get(group) ?? []), index]);
  return groups;
}

/** Returns the limb of each joint or body, found by its name; `trunk` if the name does not state a side. */
export function limbNames(names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const side = sideOf(name, names);
    if (side === null) return 'trunk';
    return `${side} ${LEG.test(name) ? 'leg' : 'arm'}`;
  });
}

/** Words of the parts of a leg; HAA, HFE and KFE are the hip's and knee's abduction and flexion. */
const LEG = /hip|thigh|knee|shin|calf|ankle|foot|toe|leg|haa|hfe|kfe/i;
