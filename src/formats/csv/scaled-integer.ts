/** Powers of ten from 10^-LOWEST to 10^HIGHEST, each as a sum of two doubles with a relative error of at most
 *  2^-107. */
const LOWEST = 60;
const HIGHEST = 40;
const POWERS_HIGH = new Float64Array(LOWEST + HIGHEST + 1);
const POWERS_LOW = new Float64Array(LOWEST + HIGHEST + 1);
/** Number of fraction bits of the integers from which the table is computed. The last bit of 10^-60 lies far above
 *  2^-400. */
const FRACTION_BITS = 400n;
for (let power = -LOWEST; power <= HIGHEST; power += 1) {
  const high = Number(`1e${power}`);
  const one = 1n << FRACTION_BITS;
  const exact = power < 0 ? one / 10n ** BigInt(-power) : one * 10n ** BigInt(power);
  POWERS_HIGH[power + LOWEST] = high;
  // Dividing 2^400 by a power of two is exact in doubles. So is the difference between a power and its nearest double.
  POWERS_LOW[power + LOWEST] = Number(exact - toFixed(high)) / 2 ** Number(FRACTION_BITS);
}

/** Returns a double times 2^400, which is an integer for doubles above 2^-347. */
function toFixed(value: number): bigint {
  // Use one bit more than the precision of a double, because the logarithm may be off by one.
  const exponent = Math.floor(Math.log2(value)) - 53;
  return BigInt(value / 2 ** exponent) << (FRACTION_BITS + BigInt(exponent));
}

const SPLITTER = 2 ** 27 + 1;
/** Upper bound of the relative error of the sums and products below. */
const DOUBT = 2 ** -96;

/** Rounds `(high · 10^lowDigits + low) · 10^scale` to the nearest double. Returns NaN if that needs more than 106 bits
 *  (one value in 10^12) or if the scale is outside the table. Computed in pairs of doubles (Dekker 1971).
 *  @param high integer below 10^15  @param low integer below 10^lowDigits  @param lowDigits 0 to 15 */
export function scaledInteger(high: number, low: number, lowDigits: number, scale: number): number {
  if (scale < -LOWEST || scale > HIGHEST) return Number.NaN;
  const shift = POWERS_HIGH[lowDigits + LOWEST]!;
  // whole = high · shift + low, exactly in two parts
  const product = high * shift;
  const a1 = upperHalf(high);
  const a2 = high - a1;
  const b1 = upperHalf(shift);
  const b2 = shift - b1;
  const rest = a2 * b2 - (product - a1 * b1 - a2 * b1 - a1 * b2) + low;
  const whole = product + rest;
  const wholeRest = rest - (whole - product);
  // result = (whole + wholeRest) · (tenHigh + tenLow)
  const tenHigh = POWERS_HIGH[scale + LOWEST]!;
  const tenLow = POWERS_LOW[scale + LOWEST]!;
  const scaled = whole * tenHigh;
  const c1 = upperHalf(whole);
  const c2 = whole - c1;
  const d1 = upperHalf(tenHigh);
  const d2 = tenHigh - d1;
  const error = c2 * d2 - (scaled - c1 * d1 - c2 * d1 - c1 * d2) + (whole * tenLow + wholeRest * tenHigh);
  const doubt = scaled * DOUBT;
  const least = scaled + (error - doubt);
  return least === scaled + (error + doubt) ? least : Number.NaN;
}

/** Returns the upper 26 bits of a double (Veltkamp's splitting), so that products of the two parts are exact. */
function upperHalf(value: number): number {
  const far = value * SPLITTER;
  return far - (far - value);
}
