import type { LibraryClip } from '../../motion/library/motion-library.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { ReferenceStateInitConfig } from '../task-config.ts';

/** Number of integer units of one failure. Failures are summed as integers, so the sums do not depend on the order of
 *  environments or threads. */
const UNITS = 1 << 12;

/** A section of a clip in which episodes start. */
export interface StartBin {
  readonly clip: number;
  readonly first: number;
  readonly frames: number;
}

/** How often training failed lately in each time bin of each clip: one row per clip, one column per bin. */
export interface LevelTable {
  readonly clips: number;
  readonly bins: number;
  readonly levels: Float32Array;
  /** 1 where episodes may start */
  readonly valid: Uint8Array;
}

/** Failures since the last update of the levels. The trainer sums them over threads. */
export interface FailureCounts {
  /** (bins) sum of failures in units of 1/4096; 100,000 episodes do not overflow it */
  readonly failures: Int32Array;
  readonly episodes: Int32Array;
}

/** Samples the bin and frame where an episode starts. Bins with more failures are sampled more often.
 *
 *  p = (1 − u) softmax(f / T) + u / N over the N bins of all clips, with T = temperature_base / ln(1 + N). This is
 *  multiplied by the weight of the bin's clip and scaled to a sum of 1. The frame is uniform within the bin.
 *  The level f of a bin starts at 0 and follows the failures of the episodes that start in the bin: f ← (1 − α) f + α ·
 *  failure. Source: rsi of wbc_mjlab's motion command.
 *
 *  Levels change only in {@link adapt}, from counts that the trainer sums over its threads. The environments therefore
 *  draw the same starts for any number of threads. */
export class AdaptiveSampling {
  readonly bins: readonly StartBin[];
  /** (bins) failure level f, 0..1 */
  readonly levels: Float64Array;
  readonly counts: FailureCounts;
  readonly #config: ReferenceStateInitConfig;
  readonly #cumulative: Float64Array;
  /** (bins) weight of the bin's clip; null if all are 1 */
  readonly #weights: Float64Array | null;
  /** number of frames of a full bin */
  readonly #width: number;
  /** number of rows and columns of {@link table} */
  readonly #shape: Pick<LevelTable, 'clips' | 'bins'>;

  constructor(config: ReferenceStateInitConfig, clips: readonly LibraryClip[], fps: number) {
    this.#config = config;
    this.#width = widthOf(config, fps);
    this.bins = startBins(this.#width, leastOf(config, fps), clips);
    const longest = Math.max(...clips.map(({ frames }) => frames));
    this.#shape = { clips: clips.length, bins: Math.ceil(longest / this.#width) };
    this.levels = new Float64Array(this.bins.length);
    this.counts = { failures: new Int32Array(this.bins.length), episodes: new Int32Array(this.bins.length) };
    this.#cumulative = new Float64Array(this.bins.length);
    const weights = clipWeights(clips);
    const ofBins = weights && Float64Array.from(this.bins, ({ clip }) => weights[clip]!);
    // Clips that are too short have no bin. The remaining clips may all have weight 0; then all weights are 1.
    this.#weights = ofBins?.some((weight) => weight > 0) ? ofBins : null;
    this.refresh();
  }

  /** Updates the probabilities; call after writing to `levels`. */
  refresh(): void {
    const { uniform_ratio: uniform, temperature_base: base } = this.#config;
    const count = this.bins.length;
    const temperature = base / Math.log(1 + count);
    let peak = Number.NEGATIVE_INFINITY;
    for (const level of this.levels) peak = Math.max(peak, level);
    let sum = 0;
    for (const level of this.levels) sum += Math.exp((level - peak) / temperature);
    let cumulative = 0;
    for (let bin = 0; bin < count; bin++) {
      const soft = Math.exp((this.levels[bin]! - peak) / temperature) / sum;
      const probability = (1 - uniform) * soft + uniform / count;
      cumulative += this.#weights ? this.#weights[bin]! * probability : probability;
      this.#cumulative[bin] = cumulative;
    }
    if (this.#weights)
      for (let bin = 0; bin < count; bin++) this.#cumulative[bin] = this.#cumulative[bin]! / cumulative;
  }

  /** Samples the bin in which a new episode starts. */
  sampleBin(env: number, random: EnvRandom): number {
    const cumulative = this.#cumulative;
    const wanted = random.next(env) * cumulative[cumulative.length - 1]!;
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Records the end of an episode that started in a bin. @param failure 0..1 */
  record(bin: number, failure: number): void {
    this.counts.failures[bin] = this.counts.failures[bin]! + Math.round(failure * UNITS);
    this.counts.episodes[bin] = this.counts.episodes[bin]! + 1;
  }

  /** Updates the levels from the counts of all threads and clears the counts of this thread. Each episode is one step
   *  of α. */
  adapt({ failures, episodes }: FailureCounts): void {
    const { alpha } = this.#config;
    for (let bin = 0; bin < this.levels.length; bin++) {
      const count = episodes[bin]!;
      if (count === 0) continue;
      const kept = (1 - alpha) ** count;
      this.levels[bin] = kept * this.levels[bin]! + (1 - kept) * (failures[bin]! / UNITS / count);
    }
    this.counts.failures.fill(0);
    this.counts.episodes.fill(0);
    this.refresh();
  }

  /** Returns the levels in the layout of wbc_mjlab's `rsi_bin_stats.npz`: (clips, bins of the longest clip). A bin
   *  where no episode starts is 0. */
  table(): LevelTable {
    const { clips, bins } = this.#shape;
    const levels = new Float32Array(clips * bins);
    const valid = new Uint8Array(clips * bins);
    for (const [k, { clip, first }] of this.bins.entries()) {
      const at = clip * bins + Math.floor(first / this.#width);
      levels[at] = this.levels[k]!;
      valid[at] = 1;
    }
    return { clips, bins, levels, valid };
  }

  /** Restores saved levels. Bins that the table does not contain keep their levels. */
  restore({ clips, bins, levels }: Omit<LevelTable, 'valid'>): void {
    for (const [k, { clip, first }] of this.bins.entries()) {
      const bin = Math.floor(first / this.#width);
      const level = levels[clip * bins + bin]!;
      if (clip < clips && bin < bins && level >= 0 && level <= 1) this.levels[k] = level;
    }
    this.refresh();
  }

  /** Returns how evenly starts are sampled: the entropy (1: uniform), the probability of the most probable bin, and the
   *  index of this bin as a share of the number of bins (0..1). */
  metrics(): { readonly entropy: number; readonly topProbability: number; readonly topBin: number } {
    const count = this.bins.length;
    let entropy = 0;
    let top = 0;
    for (let bin = 0; bin < count; bin++) {
      const p = this.probability(bin);
      if (p > 0) entropy -= p * Math.log(p);
      if (p > this.probability(top)) top = bin;
    }
    return {
      entropy: count > 1 ? entropy / Math.log(count) : 1,
      topProbability: this.probability(top),
      topBin: top / count,
    };
  }

  /** Returns the probability that an episode starts in a bin. */
  probability(bin: number): number {
    return this.#cumulative[bin]! - (bin === 0 ? 0 : this.#cumulative[bin - 1]!);
  }
}

/** Returns the weights of clips; null if all weights are 1. If all weights are 0, all clips are equally likely: returns
 *  null. */
export function clipWeights(clips: readonly LibraryClip[]): Float64Array | null {
  const weights = Float64Array.from(clips, ({ weight = 1 }) => weight);
  return weights.some((weight) => weight !== 1) && weights.some((weight) => weight > 0) ? weights : null;
}

/** Returns the number of clips that are too short for a bin, so that no episode starts in them; 0 if all of them are too
 *  short. @param lengths of the clips, frames */
export function countNeverStarted(config: ReferenceStateInitConfig, lengths: readonly number[], fps: number): number {
  if (config.sampling_mode !== 'adaptive') return 0;
  const least = leastOf(config, fps);
  const short = lengths.filter((frames) => frames < least).length;
  return short === lengths.length ? 0 : short;
}

/** Returns the number of frames of a full bin. */
function widthOf({ bin_width_s: widthS }: ReferenceStateInitConfig, fps: number): number {
  return Math.max(1, Math.round(widthS * fps));
}

/** Returns the minimum number of frames of a bin. */
function leastOf(config: ReferenceStateInitConfig, fps: number): number {
  return Math.round(config.min_bin_span_ratio * widthOf(config, fps));
}

/** Divides the clips into bins of `width` frames. Omits bins of fewer than `least` frames, unless all bins have fewer. */
function startBins(width: number, least: number, clips: readonly LibraryClip[]): StartBin[] {
  const all = clips.flatMap(({ frames }, clip) =>
    Array.from({ length: Math.ceil(frames / width) }, (_, bin) => ({
      clip,
      first: bin * width,
      frames: Math.min(width, frames - bin * width),
    })),
  );
  const valid = all.filter(({ frames }) => frames >= least);
  return valid.length > 0 ? valid : all;
}
