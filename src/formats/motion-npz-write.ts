import type { MotionNpz } from './motion-npz.ts';
import type { NpyArray } from './npy.ts';
import { npzParts } from './npz.ts';

/** Name of the entry that stores the conversion settings as JSON. */
export const CONVERSION_ENTRY = 'conversion';

/** Formats a converted clip as a `.npz` file for numpy and training. Names are stored as plain text, without pickles.
 *  Equal motion yields equal bytes.
 *  @param conversion settings of the conversion, stored as JSON text
 *  @returns parts to write in order; the arrays of the motion are not copied
 *  @throws RangeError beyond 4 GiB */
export function formatMotionNpz(motion: MotionNpz, conversion: string): Uint8Array[] {
  const { frames, joints, bodies } = motion;
  const floats = (data: Float32Array, ...shape: number[]): NpyArray => ({ dtype: 'f4', data, shape });
  const arrays: Record<string, NpyArray> = {
    fps: floats(Float32Array.of(motion.fps), 1),
    joint_pos: floats(motion.jointPos, frames, joints),
    joint_vel: floats(motion.jointVel, frames, joints),
    body_pos_w: floats(motion.bodyPosW, frames, bodies, 3),
    body_quat_w: floats(motion.bodyQuatW, frames, bodies, 4),
    body_lin_vel_w: floats(motion.bodyLinVelW, frames, bodies, 3),
    body_ang_vel_w: floats(motion.bodyAngVelW, frames, bodies, 3),
    ...(motion.jointNames
      ? { joint_names: { dtype: 'U', data: motion.jointNames, shape: [motion.jointNames.length] } }
      : {}),
    ...(motion.robot === null ? {} : { robot: { dtype: 'U', data: [motion.robot], shape: [] } }),
    [CONVERSION_ENTRY]: { dtype: 'U', data: [conversion], shape: [] },
  };
  return npzParts(Object.entries(arrays));
}
