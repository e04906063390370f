import { gridOrigin } from '../mdp/env/grid-origins.ts';
import type { ClipRows } from '../motion/clip-rows.ts';

/** Minimum and maximum distance between neighbouring robots, m. The minimum leaves space for arms; the maximum keeps
 *  many robots in one view. */
const NEAREST = 1.4;
const FARTHEST = 4;
/** Space that a robot needs around the path of its root, m. */
const BODY_ROOM = 1;
/** Number of rows that are sampled to measure how far a clip travels. Paths are smooth, so this is enough. */
const SAMPLES = 200;

/** Chooses the spacing of a grid, m, so that no robot leaves its cell; capped at 4 m.
 *  @param nq columns per row: root (7), joints */
export function gridSpacing(clips: readonly Pick<ClipRows, 'frames' | 'rows'>[], nq: number): number {
  const widest = clips.reduce((most, clip) => Math.max(most, reach(clip, nq)), 0);
  return Math.min(FARTHEST, Math.max(NEAREST, BODY_ROOM + 2 * widest));
}

/** Computes the centre of every cell, (n, 2) m, around the origin. Rows follow each other along −x and are filled along
 *  +y, as for the environments of a session. */
export function gridCentres(n: number, spacing: number): Float64Array {
  const centres = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) gridOrigin(k, n, spacing, centres, 2 * k);
  return centres;
}

/** Returns the largest horizontal distance of a clip's root from its first position, m. */
function reach({ frames, rows }: Pick<ClipRows, 'frames' | 'rows'>, nq: number): number {
  const step = Math.max(1, Math.floor(frames / SAMPLES));
  let most = 0;
  for (let frame = 0; frame < frames; frame += step) {
    const at = frame * nq;
    most = Math.max(most, Math.hypot(rows[at]! - rows[0]!, rows[at + 1]! - rows[1]!));
  }
  return most;
}
