import type { Frame } from '../../../../src/protocol/frame.ts';

/** Returns the distance between each body and its reference, m. Both are relative to their root bodies, so that a drift
 *  of the whole robot is not an error. Returns zeros if the frame has no reference for some robot.
 *  @param out (n, nbody) buffer to reuse; replaced by a larger one if it is too small @returns the buffer with the
 *  errors */
export function bodyErrors({ header, blob }: Frame, out: Float32Array): Float32Array {
  const { n, nbody, poses, ghost } = header;
  const errors = out.length < n * nbody ? new Float32Array(n * nbody) : out;
  if (ghost === null || ghost.n !== n) return errors.fill(0);
  for (let robot = 0; robot < n; robot++) {
    const root = 7 * nbody * robot;
    for (let body = 0; body < nbody; body++) {
      let sum = 0;
      for (let axis = 0; axis < 3; axis++) {
        const at = root + axis;
        const here = blob[poses.offset + at + 7 * body]! - blob[poses.offset + at]!;
        const there = blob[ghost.offset + at + 7 * body]! - blob[ghost.offset + at]!;
        sum += (here - there) ** 2;
      }
      errors[robot * nbody + body] = Math.sqrt(sum);
    }
  }
  return errors;
}
