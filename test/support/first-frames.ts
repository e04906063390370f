import type { MotionNpz } from '../../src/formats/motion-npz.ts';

/** Returns a converted clip with only its first frames. */
export function firstFrames(motion: MotionNpz, frames: number): MotionNpz {
  const { joints, bodies } = motion;
  return {
    ...motion,
    frames,
    jointPos: motion.jointPos.slice(0, frames * joints),
    jointVel: motion.jointVel.slice(0, frames * joints),
    bodyPosW: motion.bodyPosW.slice(0, 3 * frames * bodies),
    bodyQuatW: motion.bodyQuatW.slice(0, 4 * frames * bodies),
    bodyLinVelW: motion.bodyLinVelW.slice(0, 3 * frames * bodies),
    bodyAngVelW: motion.bodyAngVelW.slice(0, 3 * frames * bodies),
  };
}
