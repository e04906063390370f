/** Groups the joints of a robot by limb: `left leg`, `right arm`, `trunk`. */
export function jointGroups(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const group = limbOf(name);
    groups.set(group, [...(groups.get(group) ?? []), index]);
  }
  return groups;
}

/** Returns the limb of a joint or body, found by its name; `trunk` if the name does not contain a side. */
export function limbOf(name: string): string {
  const side = /(?:^|[_.-])(left|right|l|r)(?:[_.-]|$)/i.exec(name)?.[1]?.toLowerCase();
  if (side === undefined) return 'trunk';
  const limb = /hip|thigh|knee|shin|calf|ankle|foot|toe|leg/i.test(name) ? 'leg' : 'arm';
  return `${side.startsWith('l') ? 'left' : 'right'} ${limb}`;
}
