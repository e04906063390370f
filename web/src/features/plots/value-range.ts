import type { Channel } from '../data/shared/plot-reply.ts';
import type { Extent } from './plot-data.ts';

/** Range of a chart's value axis. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

/** Limits further from the data than this multiple of its span are not shown, because they would flatten the lines. */
const LIMIT_REACH = 1.25;
const MARGIN = 0.08;

/** Returns a range that contains all data and the limits near it. @param limits null for a missing bound */
export function fitRange(
  extents: readonly (Extent | null)[],
  limits: readonly Pick<Channel, 'lower' | 'upper'>[],
): ValueRange {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const extent of extents) {
    if (extent === null) continue;
    low = Math.min(low, extent.min);
    high = Math.max(high, extent.max);
  }
  if (low > high) return { low: -1, high: 1 };
  const reach = LIMIT_REACH * (high - low);
  const [dataLow, dataHigh] = [low, high];
  for (const { lower, upper } of limits) {
    if (lower !== null && lower >= dataLow - reach) low = Math.min(low, lower);
    if (upper !== null && upper <= dataHigh + reach) high = Math.max(high, upper);
  }
  // constant data gets a range of its own magnitude
  const span = high - low;
  const least = Math.max(1e-6, 1e-3 * Math.max(Math.abs(low), Math.abs(high)));
  const margin = span > least ? MARGIN * span : Math.max(least, 0.5 * Math.max(Math.abs(low), 0.02));
  return { low: low - margin, high: high + margin };
}

/** Scales the height of a range by `factor`, keeping the position of `at`. */
export function zoomRange({ low, high }: ValueRange, at: number, factor: number): ValueRange {
  const span = high - low;
  const least = 1e-9 * Math.max(1, Math.abs(low), Math.abs(high));
  const scale = Math.max(least / span, factor);
  return { low: at - (at - low) * scale, high: at + (high - at) * scale };
}

/** Returns round values inside a range: at most four, or two if the height is below 80 px. @param height px */
export function valueTicks({ low, high }: ValueRange, height: number): readonly number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const most = height < 80 ? 2 : 4;
  const power = 10 ** Math.floor(Math.log10(span / most));
  for (const factor of [1, 2, 5, 10, 20]) {
    const step = factor * power;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    if (last - first + 1 > most) continue;
    return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  }
  return [];
}

/** Returns the number of decimals that distinguishes values of a range: three for radians and metres, two for torques,
 *  more for small ranges. */
export function decimalsOf({ low, high }: ValueRange): number {
  const span = high - low;
  if (!(span > 0)) return 3;
  if (span >= 1000) return span >= 10_000 ? 0 : 1;
  if (span >= 10) return 2;
  return span >= 0.1 ? 3 : Math.min(6, 2 - Math.floor(Math.log10(span)));
}

/** Returns the number of decimals needed for the labels of evenly spaced ticks. */
export function tickDecimals(ticks: readonly number[]): number {
  for (let decimals = 0; decimals < 6; decimals++) {
    if (ticks.every((tick) => Math.abs(tick - Number(tick.toFixed(decimals))) < 1e-9 * Math.max(1, Math.abs(tick))))
      return decimals;
  }
  return 6;
}
