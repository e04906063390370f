import type { MotionNpz } from '../../formats/motion-npz.ts';
import { qposOf } from '../../robots/robot-facts.ts';
import type { ClipRobot } from '../clip-robot.ts';

/** Height below which the origin of a body rests on the floor or almost does, as a share of the root's height in the
 *  default pose. */
const LOW = 0.15;
/** Minimum total time near the floor, s. Shorter contacts may be defects of the clip. */
const LEAST_S = 0.2;

/** Finds a body other than a foot that rests on the floor, as in lying, kneeling or a handstand. Ignores bodies that
 *  are near the floor in the default pose, such as ankles.
 *  @param motion a motion with the bodies of the robot, in the robot's order @returns name of the body that is near the
 *  floor for the longest time; null if there is none */
export function restingBody(robot: ClipRobot, motion: MotionNpz): string | null {
  const { facts, mj, model, data } = robot;
  const defaults = facts.joints.map((joint) => joint.default);
  robot.views.qpos.set(qposOf(facts.rootHeight, defaults));
  mj.mj_kinematics(model, data);
  const { xpos } = robot.views;
  const low = LOW * facts.rootHeight;
  let longest: string | null = null;
  let most = Math.max(1, LEAST_S * motion.fps);
  for (const [body, { name }] of facts.bodies.entries()) {
    if (facts.wiring.feet.includes(name) || xpos[3 * (body + 1) + 2]! < 2 * low) continue;
    let frames = 0;
    for (let frame = 0; frame < motion.frames; frame += 1)
      if (motion.bodyPosW[3 * (frame * motion.bodies + body) + 2]! < low) frames += 1;
    if (frames < most) continue;
    most = frames;
    longest = name;
  }
  return longest;
}
