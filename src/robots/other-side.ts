/** Words that name a side, with the word for the other side. The last four name a leg by two letters, such as `FL` for
 *  front left or `LH` for left hind. */
const SIDES: readonly (readonly [RegExp, string])[] = [
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
  [/(?<=^|_)([FRHMB])L(?=_|$)/, '$1R'],
  [/(?<=^|_)([FRHMB])R(?=_|$)/, '$1L'],
  [/(?<=^|_)L([FRHMB])(?=_|$)/, 'R$1'],
  [/(?<=^|_)R([FRHMB])(?=_|$)/, 'L$1'],
  [/(?<=^|_)([frhmb])l(?=_|$)/, '$1r'],
  [/(?<=^|_)([frhmb])r(?=_|$)/, '$1l'],
  [/(?<=^|_)l([frhmb])(?=_|$)/, 'r$1'],
  [/(?<=^|_)r([frhmb])(?=_|$)/, 'l$1'],
];
/** Number of {@link SIDES} that name nothing but a side. A part with such a word has a partner. */
const CERTAIN = 10;

/** Returns the name of the same part on the other side; null for a part whose name tells no side.
 *  @param names of all parts */
export function otherSide(name: string, names: readonly string[]): string | null {
  const others = SIDES.map(([side, other]) => (side.test(name) ? name.replace(side, other) : null));
  const known = others.find((other) => other !== null && names.includes(other));
  return known ?? others.slice(0, CERTAIN).find((other) => other !== null) ?? null;
}
