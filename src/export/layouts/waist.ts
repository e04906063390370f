import { angleBetween, fromAxisAngle, multiply } from '../../core/math/quaternion.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** Motors of the waist in Unitree's controllers. From the pelvis to the torso, they turn about z, x and y. */
const WAIST: readonly { readonly motor: number; readonly axis: readonly [number, number, number] }[] = [
  { motor: 12, axis: [0, 0, 1] },
  { motor: 13, axis: [1, 0, 0] },
  { motor: 14, axis: [0, 1, 0] },
];

/** Minimum number of motors of a robot for {@link torsoOf}. */
export const WAIST_MOTORS = 15;

/** Returns the orientation of the torso as Unitree's controllers compute it, wxyz.
 *  @param root orientation of the pelvis, wxyz  @param motors positions in motor order, rad */
export function torsoOf(root: ArrayLike<number>, motors: ArrayLike<number>): number[] {
  let quat = Array.from(root);
  for (const { motor, axis } of WAIST)
    quat = multiply([1, 0, 0, 0], quat, fromAxisAngle([1, 0, 0, 0], axis, motors[motor]!));
  return quat;
}

/** Maximum difference at which two orientations are considered equal, rad. */
const SAME_ANGLE = 1e-3;

/** Returns why the orientation of the robot's anchor differs from the one that Unitree's controllers compute from the
 *  waist; null if they are equal. @param library motion of the robot */
export function waistProblem(anchor: string, library: MotionLibrary, { joints, bodies }: RobotFacts): string | null {
  if (joints.length < WAIST_MOTORS) return `it has ${joints.length} joints, but the waist would be joints 12 to 14`;
  const place = bodies.findIndex(({ name }) => name === anchor);
  const frames = [0, Math.floor(library.frames / 2), library.frames - 1];
  const differs = frames.some((frame) => {
    const quat = (body: number) => library.bodyQuatW.subarray(4 * (frame * library.bodies + body)).subarray(0, 4);
    const motors = library.jointPos.subarray(frame * library.joints, (frame + 1) * library.joints);
    return angleBetween(torsoOf(quat(0), motors), quat(place)) > SAME_ANGLE;
  });
  if (!differs) return null;
  const waist = WAIST.map(({ motor }) => joints[motor]!.name).join(', ');
  return `the controller computes the orientation of ${anchor} from joints 12 to 14, which it takes for the waist's yaw, roll and pitch. In this robot they are ${waist}, so the result would be wrong`;
}
