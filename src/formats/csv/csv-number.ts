/** Result of `readNumber`; one object serves a whole file. */
export interface NumberCell {
  value: number;
  /** index of the first byte behind the number */
  end: number;
}

/** Ten to the power of the index: exact doubles, as every power up to 22 is. */
const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** Integers of so many digits are exact doubles. */
const EXACT_DIGITS = 15;

/** Reads a decimal (`-0.125`, `+3`, `.5`, `1e-3`) that begins at `at`, rounded as `Number` rounds.
 *  Up to 15 digits without exponent the value is a quotient of two exact doubles, which IEEE division rounds correctly
 *  (Clinger 1990), so `Number` and its string are needed for the rest only.
 *  @returns false where no decimal begins at `at`; `cell` is then undefined. The value may be infinite (`1e999`). */
export function readNumber(bytes: Uint8Array, at: number, limit: number, cell: NumberCell): boolean {
  let index = at;
  let byte = index < limit ? bytes[index]! : 0;
  const negative = byte === 45;
  if (negative || byte === 43) index += 1;
  let mantissa = 0;
  let digits = 0;
  let seen = 0;
  let decimals = 0;
  for (; index < limit; index += 1) {
    byte = bytes[index]! - 48;
    if (byte < 0 || byte > 9) break;
    seen += 1;
    if (digits > 0 || byte > 0) digits += 1;
    mantissa = mantissa * 10 + byte;
  }
  if (index < limit && bytes[index] === 46) {
    index += 1;
    for (; index < limit; index += 1) {
      byte = bytes[index]! - 48;
      if (byte < 0 || byte > 9) break;
      seen += 1;
      decimals += 1;
      if (digits > 0 || byte > 0) digits += 1;
      mantissa = mantissa * 10 + byte;
    }
  }
  if (seen === 0) return false;
  const exponentEnd = skipExponent(bytes, index, limit);
  if (exponentEnd === index && digits <= EXACT_DIGITS && decimals < POWERS.length) {
    const value = decimals === 0 ? mantissa : mantissa / POWERS[decimals]!;
    cell.value = negative ? -value : value;
  } else {
    cell.value = Number(latin1(bytes, at, exponentEnd));
  }
  cell.end = exponentEnd;
  return true;
}

/** Index behind `e-12` at `at`, or `at` where no whole exponent stands there. */
function skipExponent(bytes: Uint8Array, at: number, limit: number): number {
  if (at >= limit || (bytes[at]! | 32) !== 101) return at;
  let index = at + 1;
  if (index < limit && (bytes[index] === 43 || bytes[index] === 45)) index += 1;
  const first = index;
  while (index < limit && bytes[index]! >= 48 && bytes[index]! <= 57) index += 1;
  return index === first ? at : index;
}

/** One character per byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

const LETTER_I = 105;
const LETTER_N = 110;

/** Reads `nan`, `inf` or `infinity` of any case and sign that begins at `at`, as numpy and C write them.
 *  @returns false where none does; `cell` is then undefined */
export function readNotFinite(bytes: Uint8Array, at: number, limit: number, cell: NumberCell): boolean {
  const sign = bytes[at];
  const start = sign === 45 || sign === 43 ? at + 1 : at;
  const letter = start < limit ? bytes[start]! | 32 : 0;
  if (letter !== LETTER_I && letter !== LETTER_N) return false;
  const word = /^(?:nan|infinity|inf)(?![a-z0-9])/i.exec(latin1(bytes, start, Math.min(limit, start + 9)))?.[0];
  if (word === undefined) return false;
  cell.value = word.length === 3 && letter === LETTER_N ? Number.NaN : sign === 45 ? -Infinity : Infinity;
  cell.end = start + word.length;
  return true;
}
