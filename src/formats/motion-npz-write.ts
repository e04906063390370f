import type { MotionNpz } from './motion-npz.ts';
import type { NpyArray } from './npy.ts';
import { npzParts } from './npz.ts';

/** Text beside a converted clip's arrays: how it was made, as JSON. */
export const CONVERSION_ENTRY = 'conversion';

/** A converted clip as a `.npz` file that numpy and training read; names are plain text, nothing is pickled. The same
 *  bytes for the same motion.
 *  @param conversion how it was made, kept in the file as JSON text
 *  @returns parts to be written one after the other, the memory of the motion's arrays among them
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
