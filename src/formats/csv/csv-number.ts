import { scaledInteger } from './scaled-integer.ts';

/** Result of `readNumber`. One object is reused for a whole file. */
export interface NumberCell {
  value: number;
  /** index of the first byte after the number */
  end: number;
}

/** Powers of ten by exponent. All powers up to 10^22 are exact doubles. */
const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** Integers of up to this many digits are exact doubles. */
const EXACT_DIGITS = 15;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const LETTER_E = 101;
/** Bit that distinguishes lower-case letters from capitals in ASCII. */
const CASE = 32;

/** Reads a decimal (`-0.125`, `+3`, `.5`, `1e-3`) that begins at `at`, rounded as `Number` rounds. Up to 15 digits and
 *  22 decimals, the value is a quotient of two exact doubles, which IEEE division rounds correctly (Clinger 1990). Up
 *  to 30 digits, it is computed in pairs of doubles. The remaining cases are converted to a string for `Number`.
 *  @returns false if no decimal begins at `at`; `cell` is then undefined. The value may be infinite (`1e999`). */
export function readNumber(bytes: Uint8Array, at: number, limit: number, cell: NumberCell): boolean {
  const sign = at < limit ? bytes[at]! : 0;
  const start = sign === MINUS || sign === PLUS ? at + 1 : at;
  let index = start;
  // The first 15 digits, including leading zeros, as an integer.
  let high = 0;
  let stop = Math.min(limit, start + EXACT_DIGITS);
  for (; index < stop; index += 1) {
    const digit = bytes[index]! - ZERO;
    if (digit < 0 || digit > 9) break;
    high = high * 10 + digit;
  }
  let point = -1;
  if (index < stop && bytes[index] === POINT) {
    point = index;
    stop = Math.min(limit, stop + 1);
    for (index += 1; index < stop; index += 1) {
      const digit = bytes[index]! - ZERO;
      if (digit < 0 || digit > 9) break;
      high = high * 10 + digit;
    }
  }
  // The next 15 digits. Numbers of more than 30 digits are left to `Number`.
  let low = 0;
  let lowDigits = 0;
  if (index === stop)
    for (; index < limit; index += 1) {
      const digit = bytes[index]! - ZERO;
      if (digit >= 0 && digit <= 9) {
        if (lowDigits < EXACT_DIGITS) low = low * 10 + digit;
        lowDigits += 1;
      } else if (digit === POINT - ZERO && point < 0) point = index;
      else break;
    }
  if (index - start === (point < 0 ? 0 : 1)) return false;
  let scale = point < 0 ? 0 : point + 1 - index;
  if (index < limit && (bytes[index]! | CASE) === LETTER_E) {
    const end = skipExponent(bytes, index, limit);
    if (end > index) scale += readExponent(bytes, index + 1, end);
    index = end;
  }
  cell.end = index;
  let value = Number.NaN;
  if (lowDigits === 0 && scale <= 0 && scale > -POWERS.length) value = scale === 0 ? high : high / POWERS[-scale]!;
  else if (high === 0 && low === 0) value = 0;
  else if (lowDigits <= EXACT_DIGITS) value = scaledInteger(high, low, lowDigits, scale);
  // NaN means that only `Number` can round the value.
  if (Number.isNaN(value)) cell.value = Number(latin1(bytes, at, index));
  else cell.value = sign === MINUS ? -value : value;
  return true;
}

/** Returns the index after an exponent such as `e-12` at `at`; returns `at` if there is no complete exponent. */
function skipExponent(bytes: Uint8Array, at: number, limit: number): number {
  let index = at + 1;
  if (index < limit && (bytes[index] === PLUS || bytes[index] === MINUS)) index += 1;
  const first = index;
  while (index < limit && bytes[index]! >= ZERO && bytes[index]! <= ZERO + 9) index += 1;
  return index === first ? at : index;
}

/** Returns the value of an exponent such as `-12`. An exponent of many digits yields a value beyond any double's
 *  range. */
function readExponent(bytes: Uint8Array, at: number, end: number): number {
  let exponent = 0;
  const signed = bytes[at] === PLUS || bytes[at] === MINUS;
  for (let index = signed ? at + 1 : at; index < end; index += 1)
    exponent = Math.min(exponent * 10 + bytes[index]! - ZERO, 1e6);
  return bytes[at] === MINUS ? -exponent : exponent;
}

/** Decodes one character per byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

const LETTER_I = 105;
const LETTER_N = 110;

/** Reads `nan`, `inf` or `infinity` of any case and sign that begins at `at`, as numpy and C write them.
 *  @returns false for anything else; `cell` is then undefined */
export function readNotFinite(bytes: Uint8Array, at: number, limit: number, cell: NumberCell): boolean {
  const sign = bytes[at];
  const start = sign === MINUS || sign === PLUS ? at + 1 : at;
  const letter = start < limit ? bytes[start]! | 32 : 0;
  if (letter !== LETTER_I && letter !== LETTER_N) return false;
  const word = /^(?:nan|infinity|inf)(?![a-z0-9])/i.exec(latin1(bytes, start, Math.min(limit, start + 9)))?.[0];
  if (word === undefined) return false;
  cell.value = word.length === 3 && letter === LETTER_N ? Number.NaN : sign === MINUS ? -Infinity : Infinity;
  cell.end = start + word.length;
  return true;
}
