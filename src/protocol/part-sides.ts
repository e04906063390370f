type Side = 'left' | 'right';

/** How names state a side. */
interface Word {
  readonly side: Side;
  readonly pattern: RegExp;
  /** replaces the match in the name of the same part on the other side */
  readonly other: string;
}

/** Start and end of a word in a name. */
const START = '(?<=^|[_./:-])';
const END = '(?=[_./:\\d-]|$)';

/** Words that name only a side. A part with such a word has a partner. */
const CERTAIN: readonly Word[] = [
  ...both('left', 'right', (own) => `(?<![A-Za-z])${own}(?![a-z])`),
  ...both('Left', 'Right', (own) => `${own}(?![a-z])`),
  ...both('LEFT', 'RIGHT', (own) => `(?<![A-Z])${own}(?![A-Z])`),
  ...both('l', 'r', (own) => `(?<=^|_)${own}(?=_|$)`),
  ...both('L', 'R', (own) => `(?<=^|_)${own}(?=_|$)`),
];

/** Words and letters that name a side only if a part has the name with the other side. The letters f, r, h, m, b, l and
 *  a beside a letter are front, rear, hind, middle, back, leg and arm. */
const LIKELY: readonly Word[] = [
  // lefthip, hip_PitchRight
  ...both('left', 'right', (own) => own),
  ...both('Left', 'Right', (own) => own),
  ...both('LEFT', 'RIGHT', (own) => own),
  // FL: front, left; AL2: the second link of an arm, left
  ...both('l', 'r', (own) => `(?<=(^|[_./:-])[frhmbla])${own}${END}`),
  ...both('L', 'R', (own) => `(?<=(^|[_./:-])[FRHMBLA])${own}${END}`),
  // LH: left, hind; RA1: the first joint of the right arm
  ...both('l', 'r', (own) => `${START}${own}(?=[frhmbla]([_./:\\d-]|$))`),
  ...both('L', 'R', (own) => `${START}${own}(?=[FRHMBLA]([_./:\\d-]|$))`),
  // leg_l1, foot.l, l-hip
  ...both('l', 'r', (own) => `${START}${own}${END}`),
  ...both('L', 'R', (own) => `${START}${own}${END}`),
  // lHipYaw, LHipYaw, LLEG_JOINT0
  ...both('l', 'r', (own) => `${START}${own}(?=[A-Z])`),
  ...both('L', 'R', (own) => `${START}${own}(?=[A-Z][A-Za-z])`),
  // hipPitchL, HIPL
  ...both('L', 'R', (own) => `(?<=[A-Za-z]{2})${own}${END}`),
];

/** @param pattern returns the pattern that finds the word of a side */
function both(left: string, right: string, pattern: (own: string) => string): Word[] {
  return [
    { side: 'left', pattern: new RegExp(pattern(left)), other: right },
    { side: 'right', pattern: new RegExp(pattern(right)), other: left },
  ];
}

/** Returns the name of the same part on the other side; null for a part whose name states no side.
 *  @param names of all parts */
export function otherSide(name: string, names: readonly string[]): string | null {
  return wordOf(name, names)?.swapped ?? null;
}

/** Returns the side that the name of a part states; null if it states none. @param names of all parts */
export function sideOf(name: string, names: readonly string[]): Side | null {
  return wordOf(name, names)?.side ?? null;
}

/** Splits a name into its side and the rest: `left_hip_pitch` into `left` and `hip_pitch`. The rest is the same for both
 *  sides; without a side it is the name. If the side is one letter of a word of two or three characters, the rest names
 *  the word of each side: `FL/FR_hip`. @param names of all parts */
export function splitSide(
  name: string,
  names: readonly string[],
): { readonly side: Side | null; readonly rest: string } {
  const word = wordOf(name, names);
  if (word === null) return { side: null, rest: name };
  const { before, after } = word;
  const [start = ''] = /[^_./:-]*$/.exec(before) ?? [];
  const [end = ''] = /^[^_./:-]*/.exec(after) ?? [];
  const isLetter = name.length === before.length + 1 + after.length;
  if (isLetter && start + end !== '' && start.length + end.length <= 2) {
    const [own, other] = [name, word.swapped].map((text) =>
      text.slice(before.length - start.length, text.length - after.length + end.length),
    );
    const pair = word.side === 'left' ? `${own}/${other}` : `${other}/${own}`;
    return { side: word.side, rest: before.slice(0, before.length - start.length) + pair + after.slice(end.length) };
  }
  // Of the two separators around the word, keep one.
  const rest = `${before}\n${after}`
    .replace(/(?<=^|[_.:/-])\n[_.:/-]/, '')
    .replace(/[_.:/-]\n$/, '')
    .replace('\n', '');
  return { side: word.side, rest };
}

interface Found {
  readonly side: Side;
  /** the name with the other side */
  readonly swapped: string;
  /** the name before and after the side */
  readonly before: string;
  readonly after: string;
}

function wordOf(name: string, names: readonly string[]): Found | null {
  const found = (words: readonly Word[]) =>
    words.flatMap(({ side, pattern, other }): Found[] => {
      const match = pattern.exec(name);
      if (match === null) return [];
      const before = name.slice(0, match.index);
      const after = name.slice(match.index + match[0].length);
      return [{ side, swapped: before + other + after, before, after }];
    });
  const certain = found(CERTAIN);
  return [...certain, ...found(LIKELY)].find(({ swapped }) => names.includes(swapped)) ?? certain[0] ?? null;
}
