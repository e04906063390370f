import { gridOrigin } from '../mdp/env/grid-origins.ts';
import type { ClipRows } from '../motion/clip-rows.ts';

/** m between neighbours: room for arms at the least; at the most what keeps many robots in one view. */
const NEAREST = 2;
const FARTHEST = 4;
/** m that a robot needs beside the path of its root. */
const BODY_ROOM = 1;
/** Rows looked at to learn how far a clip goes: paths are smooth. */
const SAMPLES = 200;

/** Distance of the cells of a grid, m: nobody leaves his cell, as far as the picture allows. @param nq numbers a row */
export function gridSpacing(clips: readonly Pick<ClipRows, 'frames' | 'rows'>[], nq: number): number {
  const widest = clips.reduce((most, clip) => Math.max(most, reach(clip, nq)), 0);
  return Math.min(FARTHEST, Math.max(NEAREST, BODY_ROOM + 2 * widest));
}

/** Centre of every cell, (n, 2) m, about the origin: rows along −x, each filled along +y, as tracking environments
 *  are laid out. */
export function gridCentres(n: number, spacing: number): Float64Array {
  const centres = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) gridOrigin(k, n, spacing, centres, 2 * k);
  return centres;
}

/** Greatest horizontal distance of a clip's root from where it starts, m. */
function reach({ frames, rows }: Pick<ClipRows, 'frames' | 'rows'>, nq: number): number {
  const step = Math.max(1, Math.floor(frames / SAMPLES));
  let most = 0;
  for (let frame = 0; frame < frames; frame += step) {
    const at = frame * nq;
    most = Math.max(most, Math.hypot(rows[at]! - rows[0]!, rows[at + 1]! - rows[1]!));
  }
  return most;
}
