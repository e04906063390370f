import type { LibraryClip } from '../../motion/library/motion-library.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { ReferenceStateInitConfig } from '../task-config.ts';

/** Failures are counted in whole units, so that their sum does not depend on the order of environments or threads. */
const UNITS = 1 << 12;

/** A stretch of a clip in which episodes begin. */
export interface StartBin {
  readonly clip: number;
  readonly first: number;
  readonly frames: number;
}

/** Failure levels by clip and bin, row-major. */
export interface LevelTable {
  readonly clips: number;
  readonly bins: number;
  readonly levels: Float32Array;
  /** 1 where episodes may begin */
  readonly valid: Uint8Array;
}

/** Failures since the levels were last adapted. Threads add theirs up, number by number. */
export interface FailureCounts {
  /** per bin, in 1/4096: a hundred thousand episodes do not overflow */
  readonly failures: Int32Array;
  readonly episodes: Int32Array;
}

/** Chooses where episodes begin: bins that fail more are begun more often.
 *
 *  p = (1 − u) softmax(f / T) + u / N over the N bins of all clips, T = temperature_base / ln(1 + N); the frame is drawn
 *  evenly within the bin. The level f of a bin begins at 0 and follows the failures of the episodes begun in it,
 *  f ← (1 − α) f + α · failure. Source: rsi of wbc_mjlab's motion command.
 *
 *  Levels change in {@link adapt} alone, by counts that a trainer adds up over its threads: environments draw the same
 *  starts however they are spread. */
export class AdaptiveSampling {
  readonly bins: readonly StartBin[];
  /** (bins) failure level f, 0..1 */
  readonly levels: Float64Array;
  readonly counts: FailureCounts;
  readonly #config: ReferenceStateInitConfig;
  readonly #cumulative: Float64Array;
  /** frames of a whole bin */
  readonly #width: number;

  constructor(config: ReferenceStateInitConfig, clips: readonly LibraryClip[], fps: number) {
    this.#config = config;
    this.#width = Math.max(1, Math.round(config.bin_width_s * fps));
    this.bins = startBins(this.#width, config.min_bin_span_ratio, clips);
    this.levels = new Float64Array(this.bins.length);
    this.counts = { failures: new Int32Array(this.bins.length), episodes: new Int32Array(this.bins.length) };
    this.#cumulative = new Float64Array(this.bins.length);
    this.refresh();
  }

  /** Probabilities from levels that have been written to. */
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
      cumulative += (1 - uniform) * soft + uniform / count;
      this.#cumulative[bin] = cumulative;
    }
  }

  /** The bin that a new episode begins in. */
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

  /** An episode that began in a bin is over. @param failure 0..1 */
  record(bin: number, failure: number): void {
    this.counts.failures[bin] = this.counts.failures[bin]! + Math.round(failure * UNITS);
    this.counts.episodes[bin] = this.counts.episodes[bin]! + 1;
  }

  /** Moves levels by what episodes of all threads have shown, each episode by α, and forgets the own counts. */
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

  /** Levels as upstream's `rsi_bin_stats.npz` keeps them: (clips, bins) with 0 where a clip has no such bin. */
  table(): LevelTable {
    const clips = Math.max(...this.bins.map(({ clip }) => clip)) + 1;
    const width = Math.max(...this.bins.map(({ first }) => Math.floor(first / this.#width))) + 1;
    const levels = new Float32Array(clips * width);
    const valid = new Uint8Array(clips * width);
    for (const [k, { clip, first }] of this.bins.entries()) {
      const at = clip * width + Math.floor(first / this.#width);
      levels[at] = this.levels[k]!;
      valid[at] = 1;
    }
    return { clips, bins: width, levels, valid };
  }

  /** Goes on from levels that were kept; bins that the table has not stay as they are. */
  restore({ clips, bins, levels }: Omit<LevelTable, 'valid'>): void {
    for (const [k, { clip, first }] of this.bins.entries()) {
      const bin = Math.floor(first / this.#width);
      const level = levels[clip * bins + bin]!;
      if (clip < clips && bin < bins && level >= 0 && level <= 1) this.levels[k] = level;
    }
    this.refresh();
  }

  /** How starts are spread: entropy (1: evenly) and the likeliest bin with its place among all (0..1). */
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

  /** Probability of a bin. */
  probability(bin: number): number {
    return this.#cumulative[bin]! - (bin === 0 ? 0 : this.#cumulative[bin - 1]!);
  }
}

/** Bins of `bin_width_s`; those shorter than `min_bin_span_ratio` of it are left out, unless none would be left. */
function startBins(width: number, leastRatio: number, clips: readonly LibraryClip[]): StartBin[] {
  const all = clips.flatMap(({ frames }, clip) =>
    Array.from({ length: Math.ceil(frames / width) }, (_, bin) => ({
      clip,
      first: bin * width,
      frames: Math.min(width, frames - bin * width),
    })),
  );
  const least = Math.round(leastRatio * width);
  const valid = all.filter(({ frames }) => frames >= least);
  return valid.length > 0 ? valid : all;
}
