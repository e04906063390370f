/** Returns the candidate nearest to `word`, or null if every candidate is too different. At most a third of the letters
 *  may differ, measured as edit distance and ignoring case. Swapping two adjacent letters counts as one edit. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let least = Math.floor(Math.max(wanted.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), least);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Returns `did you mean "stiffness"?`, or null if all known words are too different. */
export function didYouMean(word: string, known: Iterable<string>): string | null {
  const near = nearest(word, known);
  return near === null ? null : meant(near);
}

/** Returns the result of `didYouMean` as the end of a sentence: `; did you mean "stiffness"?`, or an empty text. */
export function orMeant(word: string, known: Iterable<string>): string {
  const text = didYouMean(word, known);
  return text === null ? '' : `; ${text}`;
}

/** Returns `did you mean "stiffness"?` */
export function meant(near: string): string {
  return `did you mean ${JSON.stringify(near)}?`;
}

/** Returns the minimum number of insertions, removals, replacements and swaps of UTF-16 units, or `limit` if it is
 *  larger. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : replaced;
      next.push(Math.min(replaced, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) >= limit) return limit;
    before = row;
    row = next;
  }
  return row[b.length]!;
}
