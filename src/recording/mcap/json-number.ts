/** Bytes that a number takes: sign, digits of a float32 and exponent. */
export const JSON_NUMBER_BYTES = 16;

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
/** The last digits are computed apart from the others, so that both parts are small integers. */
const LAST_DIGITS = 5;
const LAST = 10 ** LAST_DIGITS;

/** Writes a float32 as the last bytes of a field of {@link JSON_NUMBER_BYTES} spaces: 10 decimals below 1, 7 below
 *  10,000, else 9 significant digits, which identify a float32. `null` for what is not finite. */
export function writeJsonNumber(out: Uint8Array, at: number, value: number): void {
  const size = Math.abs(value);
  if (!(size < 1e4)) {
    writeText(out, at, Number.isFinite(value) ? value.toPrecision(9) : 'null');
    return;
  }
  if (Number.isInteger(value)) {
    const end = writeDigits(out, at + JSON_NUMBER_BYTES, size, 1);
    if (value < 0) out[end - 1] = MINUS;
    return;
  }
  const decimals = size < 1 ? 10 : 7;
  const scaled = Math.round(size * (size < 1 ? 1e10 : 1e7));
  const head = Math.floor(scaled / LAST);
  let to = at + JSON_NUMBER_BYTES;
  to = writeDigits(out, to, scaled - LAST * head, LAST_DIGITS);
  const fraction = 10 ** (decimals - LAST_DIGITS);
  const whole = Math.floor(head / fraction);
  to = writeDigits(out, to, head - fraction * whole, decimals - LAST_DIGITS);
  to -= 1;
  out[to] = POINT;
  to = writeDigits(out, to, whole, 1);
  if (value < 0) out[to - 1] = MINUS;
}

/** Writes an integer below 2^31 so that it ends before `end`. @param least number of digits  @returns where it
 *  begins */
function writeDigits(out: Uint8Array, end: number, value: number, least: number): number {
  let left = value | 0;
  let to = end;
  while (left > 0 || end - to < least) {
    const rest = (left / 10) | 0;
    to -= 1;
    out[to] = ZERO + left - 10 * rest;
    left = rest;
  }
  return to;
}

function writeText(out: Uint8Array, at: number, text: string): void {
  const from = at + JSON_NUMBER_BYTES - text.length;
  for (let k = 0; k < text.length; k += 1) out[from + k] = text.charCodeAt(k);
}
