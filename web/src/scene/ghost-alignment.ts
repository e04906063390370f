import type { Frame } from '../../../src/protocol/frame.ts';

const POSE = 7;

/** Returns the ghosts of a frame, each moved to its robot: the anchors then agree in x, y and heading. The height
 *  stays, as in the error `body_pos_local`. A ghost without a robot keeps its place.
 *  @param anchor body index
 *  @param first index of the robot of the first ghost
 *  @param out buffer to reuse; replaced by a larger one if it is too small
 *  @returns (ghosts, nbody, 7) position, quaternion wxyz; world frame, m */
export function alignGhosts({ header, blob }: Frame, anchor: number, first: number, out: Float32Array): Float32Array {
  const { n, nbody, poses, ghost } = header;
  const size = (ghost?.n ?? 0) * nbody * POSE;
  const moved = out.length < size ? new Float32Array(size) : out;
  if (ghost === null) return moved;
  moved.set(blob.subarray(ghost.offset, ghost.offset + size));
  if (anchor < 0 || anchor >= nbody) return moved;
  for (let k = 0; k < ghost.n && first + k < n; k++) {
    const robot = poses.offset + POSE * ((first + k) * nbody + anchor);
    const at = k * nbody * POSE;
    move(moved, at, nbody, { blob, robot, anchor: at + POSE * anchor });
  }
  return moved;
}

interface Alignment {
  readonly blob: Float32Array;
  /** offset of the robot's anchor in `blob` */
  readonly robot: number;
  /** offset of the ghost's anchor in the ghosts */
  readonly anchor: number;
}

function move(ghosts: Float32Array, at: number, nbody: number, { blob, robot, anchor }: Alignment): void {
  const turn = headingOf(blob, robot + 3) - headingOf(ghosts, anchor + 3);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [hc, hs] = [Math.cos(turn / 2), Math.sin(turn / 2)];
  const [fromX, fromY] = [ghosts[anchor]!, ghosts[anchor + 1]!];
  for (let p = at; p < at + nbody * POSE; p += POSE) {
    const [dx, dy] = [ghosts[p]! - fromX, ghosts[p + 1]! - fromY];
    ghosts[p] = blob[robot]! + c * dx - s * dy;
    ghosts[p + 1] = blob[robot + 1]! + s * dx + c * dy;
    const [w, x, y, z] = [ghosts[p + 3]!, ghosts[p + 4]!, ghosts[p + 5]!, ghosts[p + 6]!];
    ghosts[p + 3] = hc * w - hs * z;
    ghosts[p + 4] = hc * x - hs * y;
    ghosts[p + 5] = hc * y + hs * x;
    ghosts[p + 6] = hc * z + hs * w;
  }
}

/** Returns the heading of a quaternion wxyz, rad. */
function headingOf(q: Float32Array, at: number): number {
  const [w, x, y, z] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}
