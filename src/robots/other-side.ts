/** A pattern that finds the name of a side, and the name of the other side. */
type Side = readonly [RegExp, string];

/** Words that name only a side. A part with such a word has a partner. */
const CERTAIN: readonly Side[] = [
  [/left/, 'right'],
  [/right/, 'left'],
  [/Left/, 'Right'],
  [/Right/, 'Left'],
  [/LEFT/, 'RIGHT'],
  [/RIGHT/, 'LEFT'],
  [/(?<=^|_)l(?=_|$)/, 'r'],
  [/(?<=^|_)r(?=_|$)/, 'l'],
  [/(?<=^|_)L(?=_|$)/, 'R'],
  [/(?<=^|_)R(?=_|$)/, 'L'],
];

/** Letters that name a side only if a part has the name with the other letter. */
const LIKELY: readonly Side[] = [
  ...['lr', 'rl', 'LR', 'RL'].flatMap(([own, other]): Side[] => {
    const isSmall = own! === own!.toLowerCase();
    const [limbs, ends] = isSmall ? ['[frhmbla]', '[frhmb]'] : ['[FRHMBLA]', '[FRHMB]'];
    return [
      // FL is front left, LL left leg, AL2 the second link of the left arm
      [new RegExp(`(?<=(^|[_./-])${limbs})${own}(?=[_./\\d-]|$)`), other!],
      // LH is left hind
      [new RegExp(`(?<=^|[_./-])${own}(?=${ends}([_./\\d-]|$))`), other!],
      // leg_l1, foot.l, l-hip
      [new RegExp(`(?<=^|[_./-])${own}(?=[_./\\d-]|$)`), other!],
    ];
  }),
  ...['LR', 'RL'].flatMap(([own, other]): Side[] => [
    // LHipPitch, LLEG_JOINT0
    [new RegExp(`(?<=^|[_./-])${own}(?=[A-Z][A-Za-z])`), other!],
    // hipPitchL, kneeR_joint
    [new RegExp(`(?<=[a-z])${own}(?=[_./\\d-]|$)`), other!],
  ]),
];

/** Returns the name of the same part on the other side; null for a part whose name states no side.
 *  @param names of all parts */
export function otherSide(name: string, names: readonly string[]): string | null {
  const swapped = (sides: readonly Side[]) =>
    sides.flatMap(([side, other]) => (side.test(name) ? [name.replace(side, other)] : []));
  const certain = swapped(CERTAIN);
  return [...certain, ...swapped(LIKELY)].find((other) => names.includes(other)) ?? certain[0] ?? null;
}
