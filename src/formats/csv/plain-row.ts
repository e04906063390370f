/** Powers of ten by exponent. All powers up to 10^22 are exact doubles. */
const POWERS = Float64Array.from({ length: 16 }, (_, power) => Number(`1e${power}`));
/** Integers of up to this many digits fit into 32 bits, whose arithmetic is three times as fast as that of doubles. */
const SHORT_DIGITS = 9;
/** Integers of up to this many digits are exact doubles. */
const EXACT_DIGITS = 15;
const SIX = 6;
const MILLION = 1_000_000;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NEWLINE = 10;
const RETURN = 13;

/** Fast path for the usual row: numbers of a sign, up to 15 digits and a point, with commas between and a line break
 *  after them. Rounds as `Number` rounds, because the value is a quotient of two exact doubles (Clinger 1990).
 *  @param bytes must contain a line break at or after `start`
 *  @param rows receives the numbers from index `filled` on; in other cases, their content is undefined
 *  @returns the index after the line break; −1 for any other row */
export function readPlainRow(
  bytes: Uint8Array,
  start: number,
  columns: number,
  rows: Float64Array,
  filled: number,
): number {
  let at = start;
  for (let column = 1; column <= columns; column += 1) {
    const isNegative = bytes[at] === MINUS;
    if (isNegative) at += 1;
    const first = at;
    let whole = 0;
    let digit = bytes[at]! - ZERO;
    // The line break ends the loops at the latest. More than nine digits overflow and are read again below.
    for (; digit >= 0 && digit <= 9; digit = bytes[at]! - ZERO) {
      whole = (Math.imul(whole, 10) + digit) | 0;
      at += 1;
    }
    let digits = at - first;
    let decimals = 0;
    if (digit === POINT - ZERO && digits > 0 && digits <= SHORT_DIGITS - SIX) {
      const six = sixDigits(bytes, at + 1);
      if (six >= 0) {
        rows[filled + column - 1] = (Math.imul(whole, MILLION) + six) / (isNegative ? -MILLION : MILLION);
        at += 1 + SIX;
        digit = bytes[at]! - ZERO;
        if (column < columns ? digit !== COMMA - ZERO : digit !== NEWLINE - ZERO)
          return lineEnd(bytes, at, column === columns);
        at += 1;
        continue;
      }
    }
    if (digit === POINT - ZERO) {
      const point = at;
      at += 1;
      for (digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[at]! - ZERO) {
        whole = (Math.imul(whole, 10) + digit) | 0;
        at += 1;
      }
      decimals = at - point - 1;
      digits += decimals;
    }
    if (digits === 0 || digits > EXACT_DIGITS) return -1;
    let value = digits > SHORT_DIGITS ? longNumber(bytes, first, at) : whole;
    if (decimals > 0) value /= POWERS[decimals]!;
    rows[filled + column - 1] = isNegative ? -value : value;
    if (column < columns ? digit !== COMMA - ZERO : digit !== NEWLINE - ZERO)
      return lineEnd(bytes, at, column === columns);
    at += 1;
  }
  return at;
}

/** Returns the number that six digits make, if a comma or the end of the line follows them; −1 otherwise. Most files
 *  have six decimals; reading them at once takes a quarter less time than a loop. */
function sixDigits(bytes: Uint8Array, at: number): number {
  const a = bytes[at]! - ZERO;
  const b = bytes[at + 1]! - ZERO;
  const c = bytes[at + 2]! - ZERO;
  const d = bytes[at + 3]! - ZERO;
  const e = bytes[at + 4]! - ZERO;
  const f = bytes[at + 5]! - ZERO;
  // As unsigned numbers, characters before "0" are above 9.
  const isNumber = a >>> 0 <= 9 && b >>> 0 <= 9 && c >>> 0 <= 9 && d >>> 0 <= 9 && e >>> 0 <= 9 && f >>> 0 <= 9;
  if (!isNumber || bytes[at + SIX]! >= ZERO) return -1;
  return a * 100_000 + b * 10_000 + c * 1_000 + d * 100 + e * 10 + f;
}

/** Returns the index after a line break of two characters at `at`, which may only end a row; −1 for anything else. */
function lineEnd(bytes: Uint8Array, at: number, isLast: boolean): number {
  return isLast && bytes[at] === RETURN && bytes[at + 1] === NEWLINE ? at + 2 : -1;
}

/** Reads the digits between two indices as an integer and ignores the point. */
function longNumber(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) if (bytes[at] !== POINT) value = value * 10 + (bytes[at]! - ZERO);
  return value;
}
