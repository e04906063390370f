import type { MotionNpz } from '../../formats/motion-npz.ts';
import { qposOf } from '../../robots/robot-facts.ts';
import type { ClipRobot } from '../clip-robot.ts';

/** Share of the root's height in the default pose: a body whose origin is lower lies on the floor, or nearly. */
const LOW = 0.15;
/** s in all; what passes the floor quicker may be a fault of the clip. */
const LEAST_S = 0.2;

/** Whether a clip rests on the floor with more than its feet, as it lies, kneels or stands on its hands. Bodies that are
 *  near the floor anyway, as ankles are, do not count.
 *  @param motion as many bodies as the robot's, in its order  @returns the body that is low for longest; null for none */
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
