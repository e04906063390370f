/** How a training with experts divides its motion and its iterations. Every iteration of every phase has the same
 *  number of environment steps, so their sum can be compared with the iterations of a training without experts. */
export interface LibraryOrder {
  /** duration and overlap of the chunks that experts learn, s */
  readonly chunk_s: number;
  readonly overlap_s: number;
  /** iterations of one policy for all clips, from which the experts start */
  readonly base: number;
  /** iterations of all experts together */
  readonly experts: number;
  readonly distillation: number;
  /** other processes that train experts at the same time; absent: none */
  readonly helpers?: number;
}

/** Share of the iterations for the base policy. */
const BASE = 0.3;
const DISTILLATION = 0.2;
/** If the base policy tracks this share of a full episode in a chunk, the chunk needs no expert. */
const MASTERED = 0.97;
/** Minimum number of iterations of an expert. */
const LEAST = 25;

/** Duration and overlap of the chunks that experts learn, s. */
const CHUNK_S = 10;
const OVERLAP_S = 1;
/** Minimum number of iterations of a training with experts: one for each phase. */
export const LEAST_ITERATIONS = 3;

/** Returns how a training with experts divides its motion and its iterations. */
export function libraryOrder(iterations: number): LibraryOrder {
  const base = Math.max(1, Math.round(BASE * iterations));
  const distillation = Math.max(1, Math.round(DISTILLATION * iterations));
  const experts = Math.max(0, iterations - base - distillation);
  return { chunk_s: CHUNK_S, overlap_s: OVERLAP_S, base, experts, distillation };
}

/** Divides iterations among experts: in proportion to the share of their chunks that the base policy does not track,
 * and none for chunks that it tracks almost completely.
 *  @param tracked shares of a full episode that the base policy tracks in each chunk, 0..1
 *  @returns whole numbers; their sum is `total`, or 0 if all chunks are mastered */
export function expertIterations(total: number, tracked: readonly number[]): number[] {
  const missing = tracked.map((share) => (share >= MASTERED ? 0 : 1 - share));
  const active = missing.filter((weight) => weight > 0).length;
  const sum = missing.reduce((a, b) => a + b, 0);
  const least = Math.min(LEAST, Math.floor(total / Math.max(1, active)));
  const free = total - least * active;
  const shares = missing.map((weight) => (weight > 0 ? least + Math.floor((free * weight) / sum) : 0));
  let rest = active > 0 ? total - shares.reduce((a, b) => a + b, 0) : 0;
  for (let k = 0; rest > 0; k = (k + 1) % shares.length) {
    if (shares[k] === 0 && missing[k] === 0) continue;
    shares[k]! += 1;
    rest -= 1;
  }
  return shares;
}
