import { conjugate, multiply, rotateInverse, toRotationVector } from '../../core/math/quaternion.ts';
import type { ClipRows } from '../clip-rows.ts';
import { ClipMemory } from './clip-memory.ts';

/** Columns of the free joint in qvel. */
const ROOT_VELOCITIES = 6;
const ROOT_COLUMNS = 7;

/** Computes the velocities of a clip, (frames, nv) in MuJoCo's order: root linear velocity in the world frame (m/s),
 *  root angular velocity in the root's frame (rad/s), joint velocities (rad/s or m/s).
 *
 *  Linear and joint velocities are central differences, one-sided at both ends (like numpy.gradient). The angular
 *  velocity in the world frame is the rotation vector of q[k+1]·q[k−1]⁻¹ over two frames; both ends repeat their
 *  neighbours.
 *  @param clip at least 3 frames  @param memory holds the result */
export function clipVelocities(clip: ClipRows, memory = new ClipMemory()): Float64Array {
  const { frames, fps, rows } = clip;
  const nq = rows.length / frames;
  const nv = nq - 1;
  const out = memory.doubles(frames * nv);
  for (let frame = 0; frame < frames; frame += 1) {
    const before = Math.max(0, frame - 1);
    const after = Math.min(frames - 1, frame + 1);
    const rate = fps / (after - before);
    const a = before * nq;
    const b = after * nq;
    const row = frame * nv;
    for (let axis = 0; axis < 3; axis += 1) out[row + axis] = (rows[b + axis]! - rows[a + axis]!) * rate;
    for (let column = ROOT_COLUMNS; column < nq; column += 1)
      out[row + column - 1] = (rows[b + column]! - rows[a + column]!) * rate;
  }
  angularVelocities(clip, nq, out);
  return out;
}

function angularVelocities({ frames, fps, rows }: ClipRows, nq: number, out: Float64Array): void {
  const nv = nq - 1;
  const before = new Float64Array(4);
  const after = new Float64Array(4);
  const here = new Float64Array(4);
  const omega = new Float64Array(3);
  for (let frame = 0; frame < frames; frame += 1) {
    const middle = Math.min(frames - 2, Math.max(1, frame));
    read(rows, (middle - 1) * nq + 3, before);
    read(rows, (middle + 1) * nq + 3, after);
    read(rows, frame * nq + 3, here);
    multiply(after, after, conjugate(before, before));
    toRotationVector(omega, after);
    rotateInverse(omega, here, omega);
    const row = frame * nv + ROOT_VELOCITIES - 3;
    for (let axis = 0; axis < 3; axis += 1) out[row + axis] = omega[axis]! * (fps / 2);
  }
}

function read(rows: Float64Array, at: number, out: Float64Array): void {
  for (let axis = 0; axis < 4; axis += 1) out[axis] = rows[at + axis]!;
}
