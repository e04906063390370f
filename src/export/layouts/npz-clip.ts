import { badInput } from '../../core/errors.ts';
import type { MotionNpz } from '../../formats/motion-npz.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { AnchorFrame, BundleClip } from './bundle.ts';

/** Reads a converted clip as a controller does: joints by position, bodies in the order of the robot. @param anchorOf
 *  finds the anchor in a frame, given the row of the frame @throws StudioError bad_input for a clip with other joints
 *  or bodies */
export function npzClip(
  { file, motion, facts }: { readonly file: string; readonly motion: MotionNpz; readonly facts: RobotFacts },
  anchorOf: (row: NpzRow) => AnchorFrame,
): BundleClip {
  const { frames, joints, bodies } = motion;
  if (joints !== facts.joints.length || bodies !== facts.bodies.length)
    throw badInput(
      `${file}: has ${joints} joints and ${bodies} bodies, but ${facts.name} has ${facts.joints.length} and ${facts.bodies.length}`,
    );
  return {
    name: file.slice(file.lastIndexOf('/') + 1).replace(/\.npz$/, ''),
    frames,
    at(frame) {
      const row = rowOf(motion, Math.min(frame, frames - 1));
      const byName = (values: Float32Array, width: number) =>
        new Map(facts.bodies.map(({ name }, k) => [name, values.subarray(k * width, (k + 1) * width)]));
      return {
        jointPos: row.jointPos,
        jointVel: row.jointVel,
        bodyPos: byName(row.bodyPos, 3),
        bodyQuat: byName(row.bodyQuat, 4),
        anchor: anchorOf(row),
      };
    },
  };
}

/** One frame of a converted clip: joints (joints), body positions (bodies, 3) and orientations (bodies, 4). */
export interface NpzRow {
  readonly jointPos: Float32Array;
  readonly jointVel: Float32Array;
  readonly bodyPos: Float32Array;
  readonly bodyQuat: Float32Array;
  readonly bodyLinVel: Float32Array;
  readonly bodyAngVel: Float32Array;
}

function rowOf(motion: MotionNpz, frame: number): NpzRow {
  const part = (values: Float32Array, width: number) => values.subarray(frame * width, (frame + 1) * width);
  return {
    jointPos: part(motion.jointPos, motion.joints),
    jointVel: part(motion.jointVel, motion.joints),
    bodyPos: part(motion.bodyPosW, 3 * motion.bodies),
    bodyQuat: part(motion.bodyQuatW, 4 * motion.bodies),
    bodyLinVel: part(motion.bodyLinVelW, 3 * motion.bodies),
    bodyAngVel: part(motion.bodyAngVelW, 3 * motion.bodies),
  };
}
