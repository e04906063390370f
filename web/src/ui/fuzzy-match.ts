export interface Match {
  /** higher is better */
  readonly score: number;
  /** [from, to) of the matched characters, shown in bold */
  readonly spans: readonly (readonly [number, number])[];
}

/** Finds `query` in `text` for the command palette. Whole words rank before substrings, substrings before scattered
 *  letters, and earlier matches before later ones. @returns null without a match; an empty query matches every text */
export function match(query: string, text: string): Match | null {
  const needle = query.trim().toLowerCase();
  if (needle === '') return { score: 0, spans: [] };
  const hay = text.toLowerCase();
  const at = hay.indexOf(needle);
  if (at >= 0) {
    const wordStart = at === 0 || !/[\p{L}\p{N}]/u.test(hay[at - 1] ?? ' ');
    return { score: (wordStart ? 300 : 200) - Math.min(at, 99), spans: [[at, at + needle.length]] };
  }
  const spans: [number, number][] = [];
  let from = 0;
  for (const letter of needle) {
    if (letter === ' ') continue;
    const found = hay.indexOf(letter, from);
    if (found < 0) return null;
    const last = spans.at(-1);
    if (last !== undefined && last[1] === found) last[1] = found + 1;
    else spans.push([found, found + 1]);
    from = found + 1;
  }
  return { score: 100 - Math.min(spans.length * 5, 99), spans };
}
