import { EnvRandom } from '../../mdp/random/env-random.ts';
import { type EvaluationMetric, METRIC_NAMES } from '../../protocol/evaluation-metrics.ts';
import type { EpisodeResult } from '../episode-result.ts';
import { METRIC_RATIOS } from '../metric-ratios.ts';

/** Number of resamples. The error of a 95 % bound is then about 1 % of the interval. */
const RESAMPLES = 2000;
const LEVEL = 0.95;
/** Upper bound of the relative rounding error of a sum over many episodes. */
const ROUNDING = 1e-12;
/** Seed of the resampling. It is constant, so that the same evaluations give the same intervals. */
const SEED = 1;

/** The difference of one metric between two policies. */
export interface PairedDifference {
  readonly metric: EvaluationMetric;
  readonly a: number;
  readonly b: number;
  /** b − a over all episodes */
  readonly mean: number;
  /** bounds of the 95 % interval of b − a */
  readonly low: number;
  readonly high: number;
}

/** Compares two policies over the same episodes: episode k of `a` and of `b` have the same clip, start and randomness.
 *  Resamples the pairs with replacement and computes every metric of both sides anew (percentile bootstrap: Efron and
 *  Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13). @param controlHz control steps per second */
export function pairedDifferences(
  a: readonly EpisodeResult[],
  b: readonly EpisodeResult[],
  controlHz: number,
): PairedDifference[] {
  if (a.length !== b.length || a.length === 0)
    throw new Error(`${a.length} and ${b.length} episodes cannot form pairs`);
  const count = a.length;
  const sides = [new Table(a, controlHz), new Table(b, controlHz)] as const;
  const all = Uint32Array.from({ length: count }, (_, k) => k);
  const [ofA, ofB] = [sides[0].metricsOf(all), sides[1].metricsOf(all)];
  const random = new EnvRandom(1, { seed: SEED, purpose: 0, first: 0, stride: 1 });
  const drawn = new Uint32Array(count);
  const differences = METRIC_NAMES.map(() => new Float64Array(RESAMPLES));
  for (let k = 0; k < RESAMPLES; k++) {
    for (let at = 0; at < count; at++) drawn[at] = random.below(0, count);
    const [inA, inB] = [sides[0].metricsOf(drawn), sides[1].metricsOf(drawn)];
    for (let m = 0; m < METRIC_NAMES.length; m++) differences[m]![k] = difference(inA[m]!, inB[m]!);
  }
  return METRIC_NAMES.map((metric, m) => {
    const sorted = differences[m]!.sort();
    return {
      metric,
      a: ofA[m]!,
      b: ofB[m]!,
      mean: difference(ofA[m]!, ofB[m]!),
      low: quantile(sorted, (1 - LEVEL) / 2),
      high: quantile(sorted, (1 + LEVEL) / 2),
    };
  });
}

/** Table with one row per episode and the terms of all metrics as columns. */
class Table {
  /** (episodes, metrics) numerators */
  readonly #over: Float64Array;
  readonly #under: Float64Array;
  readonly #controlHz: number;

  constructor(episodes: readonly EpisodeResult[], controlHz: number) {
    this.#controlHz = controlHz;
    const ratios = METRIC_NAMES.map((name) => METRIC_RATIOS[name]);
    this.#over = Float64Array.from(episodes.flatMap((episode) => ratios.map(({ over }) => over(episode))));
    this.#under = Float64Array.from(episodes.flatMap((episode) => ratios.map(({ under }) => under(episode))));
  }

  /** Returns the metrics of the episodes with these indices, in the order of `METRIC_NAMES`. */
  metricsOf(indices: Uint32Array): Float64Array {
    const width = METRIC_NAMES.length;
    const [over, under] = [new Float64Array(width), new Float64Array(width)];
    for (const index of indices) {
      for (let m = 0, at = index * width; m < width; m++, at++) {
        over[m] = over[m]! + this.#over[at]!;
        under[m] = under[m]! + this.#under[at]!;
      }
    }
    for (let m = 0; m < width; m++) {
      const ratio = under[m] === 0 ? 0 : over[m]! / under[m]!;
      over[m] = METRIC_RATIOS[METRIC_NAMES[m]!].finish(ratio, this.#controlHz);
    }
    return over;
  }
}

/** Returns b − a. Returns 0 if the difference is only a rounding error, so that an interval does not exclude zero
 *  because of rounding. */
function difference(a: number, b: number): number {
  const value = b - a;
  return Math.abs(value) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)) ? 0 : value;
}

/** Returns a quantile by linear interpolation. @param sorted values in ascending order @param share 0..1 */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const next = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return sorted[below]! + (at - below) * (next - sorted[below]!);
}
