import type { LibraryClip } from '../../motion/library/motion-library.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { ReferenceStateInitConfig } from '../task-config.ts';

/** Number of integer units of one failure. Failures are summed as integers, so the sums do not depend on the order of
 *  environments or threads. */
const UNITS = 1 << 12;
/** Sampling of a short motion with `before_failures`. The levels follow the last 3000 episodes. */
const BEFORE_FAILURES = { bin_width_s: 0.1, uniform_ratio: 0.3, alpha: 1 / 3000 } as const;
/** Duration from which motions are long, s. Measured with the G1: starts before failures help with ten seconds or less;
 *  on 131 s of a dance they gain nothing. Nothing in between was measured. */
const LONG_S = 60;
/** With starts before failures, an episode starts this long before the failures that attract it, s. Too close to a
 *  failure, the state of the reference often leads to it even with the best actions. */
const LEAD_S = [0.3, 1.2] as const;
/** With starts before failures, no bin is sampled more often than this multiple of the average, not counting its
 *  uniform share. */
const MOST = 5;

/** A section of a clip in which episodes start. */
export interface StartBin {
  readonly clip: number;
  readonly first: number;
  readonly frames: number;
}

/** Recent failure level of each time bin of each clip: one row per clip, one column per bin. */
export interface SavedLevels {
  readonly clips: number;
  readonly bins: number;
  readonly levels: Float32Array;
  /** 1 where episodes may start */
  readonly valid: Uint8Array;
}

/** Failure levels with the settings of their sampling. */
export interface LevelTable extends SavedLevels {
  /** settings of the sampling: duration of a bin in s, weight of an episode, share of even starts */
  readonly settings: Pick<ReferenceStateInitConfig, 'bin_width_s' | 'alpha' | 'uniform_ratio'>;
}

/** Failures since the last update of the levels. The trainer sums them over threads. */
export interface FailureCounts {
  /** (bins) sum of failures in units of 1/4096; 100,000 episodes do not overflow it */
  readonly failures: Int32Array;
  readonly episodes: Int32Array;
}

/** Samples the bin and frame where an episode starts. Bins with more failures, or with more failures ahead, are sampled
 *  more often.
 *
 *  p = (1 − u) a + u / N over the N bins of all clips. This is multiplied by the weight of the bin's clip and scaled to
 *  a sum of 1. The frame is uniform within the bin. The level f of a bin starts at 0 and follows the failures: f ← (1 −
 *  α) f + α · failure for each episode.
 *
 *  Strategies `similarity_ema` and `binary_failure` (source: rsi of wbc_mjlab's motion command): f counts the episodes
 *  that start in the bin, and a = softmax(f / T) with T = temperature_base / ln(1 + N).
 *
 *  With `before_failures` and a short motion, with either strategy: f counts all episodes, so it is the share of them
 *  that fail in the bin. a is proportional to the share that fails about 0.3 to 1.2 s later in the same clip, at most 5
 *  / N. So most episodes practise what fails, and few what succeeds. More starts before a failure add to its share, so
 *  the most difficult one attracts starts until it is learned or the limit is reached.
 *
 *  Levels change only in {@link adapt}, from counts that the trainer sums over its threads. The environments therefore
 *  draw the same starts for any number of threads. */
export class AdaptiveSampling {
  readonly bins: readonly StartBin[];
  /** (bins) failure level f, 0..1 */
  readonly levels: Float64Array;
  readonly counts: FailureCounts;
  readonly #cumulative: Float64Array;
  /** (bins) weight of the bin's clip; null if all are 1 */
  readonly #weights: Float64Array | null;
  /** number of frames of a full bin */
  readonly #width: number;
  /** (clips) index of the first bin, and number of bins */
  readonly #firstBin: Int32Array;
  readonly #binCount: Int32Array;
  /** settings in use: those of the task, or those of starts before failures */
  readonly settings: ReferenceStateInitConfig;
  /** with starts before failures, first and last of the bins ahead whose failures count; else null */
  readonly #lead: readonly [number, number] | null;
  /** number of rows and columns of {@link table} */
  readonly #shape: Pick<SavedLevels, 'clips' | 'bins'>;

  constructor(config: ReferenceStateInitConfig, clips: readonly LibraryClip[], fps: number) {
    const settings = samplingSettings(
      config,
      clips.map(({ frames }) => frames),
      fps,
    );
    this.settings = settings;
    this.#width = widthOf(settings, fps);
    this.bins = startBins(this.#width, leastOf(settings, fps), clips);
    this.#firstBin = new Int32Array(clips.length);
    this.#binCount = new Int32Array(clips.length);
    for (const [k, { clip }] of this.bins.entries()) {
      if (this.#binCount[clip] === 0) this.#firstBin[clip] = k;
      this.#binCount[clip] = this.#binCount[clip]! + 1;
    }
    const [least, most] = LEAD_S;
    this.#lead = settings.before_failures
      ? [Math.floor((least * fps) / this.#width), Math.ceil((most * fps) / this.#width)]
      : null;
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
    const { uniform_ratio: uniform } = this.settings;
    const count = this.bins.length;
    const shares = this.#cumulative;
    if (this.#lead) this.#failuresAhead(shares, this.#lead);
    else this.#failuresFromHere(shares);
    let cumulative = 0;
    for (let bin = 0; bin < count; bin++) {
      const probability = (1 - uniform) * shares[bin]! + uniform / count;
      cumulative += this.#weights ? this.#weights[bin]! * probability : probability;
      this.#cumulative[bin] = cumulative;
    }
    if (this.#weights)
      for (let bin = 0; bin < count; bin++) this.#cumulative[bin] = this.#cumulative[bin]! / cumulative;
  }

  /** Fills in softmax(f / T). */
  #failuresFromHere(shares: Float64Array): void {
    const temperature = this.settings.temperature_base / Math.log(1 + this.bins.length);
    let peak = Number.NEGATIVE_INFINITY;
    for (const level of this.levels) peak = Math.max(peak, level);
    let sum = 0;
    for (const level of this.levels) sum += Math.exp((level - peak) / temperature);
    for (let bin = 0; bin < shares.length; bin++)
      shares[bin] = Math.exp((this.levels[bin]! - peak) / temperature) / sum;
  }

  /** Fills in shares in proportion to the episodes that fail in the bins ahead, none above the limit. */
  #failuresAhead(shares: Float64Array, [from, to]: readonly [number, number]): void {
    for (let clip = 0; clip < this.#firstBin.length; clip++) {
      const first = this.#firstBin[clip]!;
      const end = first + this.#binCount[clip]!;
      for (let bin = first; bin < end; bin++) {
        let sum = 0;
        for (let ahead = bin + from; ahead <= bin + to && ahead < end; ahead++) sum += this.levels[ahead]!;
        shares[bin] = sum;
      }
    }
    const count = shares.length;
    const rest = toShares(shares, MOST / count);
    for (let bin = 0; bin < count; bin++) shares[bin] = shares[bin]! + rest / count;
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

  /** Records the end of an episode, for starts before failures. @param bin in which it started  @param frame its last
   *  one
   *  @param failed whether it failed there */
  recordEnd(bin: number, { clip, frame, failed }: { clip: number; frame: number; failed: boolean }): void {
    const { episodes, failures } = this.counts;
    episodes[bin] = episodes[bin]! + 1;
    if (!failed) return;
    // The frames after the last bin of a clip belong to that bin.
    const at = this.#firstBin[clip]! + Math.min(Math.floor(frame / this.#width), this.#binCount[clip]! - 1);
    failures[at] = failures[at]! + UNITS;
  }

  /** Records the end of an episode that started in a bin. @param failure 0..1 */
  record(bin: number, failure: number): void {
    this.counts.failures[bin] = this.counts.failures[bin]! + Math.round(failure * UNITS);
    this.counts.episodes[bin] = this.counts.episodes[bin]! + 1;
  }

  /** Updates the levels from the counts of all threads and clears the counts of this thread. Each episode is one step
   *  of α. */
  adapt({ failures, episodes }: FailureCounts): void {
    const { alpha } = this.settings;
    let all = 0;
    for (const count of episodes) all += count;
    for (let bin = 0; bin < this.levels.length; bin++) {
      const count = this.#lead ? all : episodes[bin]!;
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
    return { clips, bins, levels, valid, settings: this.settings };
  }

  /** Restores saved levels. Bins that the table does not contain keep their levels. */
  restore({ clips, bins, levels }: Omit<SavedLevels, 'valid'>): void {
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

/** Scales values to a sum of 1, none larger than `most`. @param values 0 or larger, changed in place
 *  @returns the rest of the sum of 1, if all values are 0 or reach `most` */
function toShares(values: Float64Array, most: number): number {
  let left = 1;
  let sum = sumOf(values);
  for (let isDone = false; !isDone && sum > 0; ) {
    isDone = true;
    const scale = left / sum;
    // Values at the limit release their excess to the others, which may then reach it, too.
    for (let k = 0; k < values.length; k++) {
      if (values[k]! <= 0 || values[k]! * scale < most) continue;
      values[k] = -most;
      left -= most;
      isDone = false;
    }
    sum = sumOf(values);
  }
  for (let k = 0; k < values.length; k++) values[k] = values[k]! < 0 ? -values[k]! : (values[k]! * left) / sum || 0;
  return sum > 0 ? 0 : Math.max(0, left);
}

/** Returns the sum of the positive values. */
function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) if (value > 0) sum += value;
  return sum;
}

/** Returns the weights of clips; null if all weights are 1. If all weights are 0, all clips are equally likely: returns
 *  null. */
export function clipWeights(clips: readonly LibraryClip[]): Float64Array | null {
  const weights = Float64Array.from(clips, ({ weight = 1 }) => weight);
  return weights.some((weight) => weight !== 1) && weights.some((weight) => weight > 0) ? weights : null;
}

/** Returns the number of clips that are too short for a bin, so that no episode starts in them; 0 if all of them are
 *  too short. @param lengths of the clips, frames */
export function countNeverStarted(config: ReferenceStateInitConfig, lengths: readonly number[], fps: number): number {
  if (config.sampling_mode !== 'adaptive') return 0;
  const least = leastOf(samplingSettings(config, lengths, fps), fps);
  const short = lengths.filter((frames) => frames < least).length;
  return short === lengths.length ? 0 : short;
}

/** Returns the settings with which the starts of a motion are sampled. @param lengths of its clips, frames */
export function samplingSettings(
  config: ReferenceStateInitConfig,
  lengths: readonly number[],
  fps: number,
): ReferenceStateInitConfig {
  const frames = lengths.reduce((sum, length) => sum + length, 0);
  const isShort = config.before_failures === true && frames < LONG_S * fps;
  return isShort ? { ...config, ...BEFORE_FAILURES } : { ...config, before_failures: false };
}

/** Returns the number of frames of a full bin. */
function widthOf({ bin_width_s: widthS }: ReferenceStateInitConfig, fps: number): number {
  return Math.max(1, Math.round(widthS * fps));
}

/** Returns the minimum number of frames of a bin. */
function leastOf(config: ReferenceStateInitConfig, fps: number): number {
  return Math.round(config.min_bin_span_ratio * widthOf(config, fps));
}

/** Divides the clips into bins of `width` frames. Omits bins of fewer than `least` frames, unless all bins have
 *  fewer. */
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
