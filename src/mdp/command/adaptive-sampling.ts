import type { LibraryClip } from '../../motion/library/motion-library.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { ReferenceStateInitConfig } from '../task-config.ts';

/** Failures are counted in whole units, so that their sum does not depend on the order of environments or threads. */
const UNITS = 1 << 16;

/** A stretch of a clip in which episodes begin. */
export interface StartBin {
  readonly clip: number;
  readonly first: number;
  readonly frames: number;
}

/** Failures since the levels were last adapted. Threads add theirs up, number by number. */
export interface FailureCounts {
  /** per bin, in 1/65536 */
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

  constructor(config: ReferenceStateInitConfig, clips: readonly LibraryClip[], fps: number) {
    this.#config = config;
    this.bins = startBins(config, clips, fps);
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

  /** Probability of a bin. */
  probability(bin: number): number {
    return this.#cumulative[bin]! - (bin === 0 ? 0 : this.#cumulative[bin - 1]!);
  }
}

/** Bins of `bin_width_s`; those shorter than `min_bin_span_ratio` of it are left out, unless none would be left. */
function startBins(config: ReferenceStateInitConfig, clips: readonly LibraryClip[], fps: number): StartBin[] {
  const width = Math.max(1, Math.round(config.bin_width_s * fps));
  const all = clips.flatMap(({ frames }, clip) =>
    Array.from({ length: Math.ceil(frames / width) }, (_, bin) => ({
      clip,
      first: bin * width,
      frames: Math.min(width, frames - bin * width),
    })),
  );
  const least = Math.round(config.min_bin_span_ratio * width);
  const valid = all.filter(({ frames }) => frames >= least);
  return valid.length > 0 ? valid : all;
}
