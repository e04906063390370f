import type { ClipRobot } from '../clip-robot.ts';
import type { Stance } from './stance.ts';

/** Angles by which hip, knee and ankle bend, rad. They keep the sole flat and below the hip. */
const BENDS = [-0.2, 0.4, -0.2] as const;
/** A joint bends the leg if its axis has at least this component along y. */
const PITCH = 0.7;

/** Returns the configuration of a stance with each leg bent a little. */
export function bentLegs(robot: ClipRobot, { qpos, legs }: Stance): Float64Array {
  robot.views.qpos.set(qpos);
  robot.mj.mj_kinematics(robot.model, robot.data);
  const { xaxis } = robot.views;
  const bent = Float64Array.from(qpos);
  for (const { joints } of legs) {
    const pitches = joints
      .map((joint) => ({ ...joint, y: xaxis[3 * joint.row + 1]! }))
      .filter(({ slides, y }) => !slides && Math.abs(y) > PITCH)
      .reverse(); // from the hip outwards
    for (const [k, { qpos: index, y, lower, upper }] of pitches.slice(0, BENDS.length).entries())
      bent[index] = Math.min(upper, Math.max(lower, bent[index]! + Math.sign(y) * BENDS[k]!));
  }
  return bent;
}
