import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { bodyMotion, debiasZ } from '../convert/body-motion.ts';
import { clipVelocities } from '../convert/velocities.ts';
import { widthOf } from './frames.ts';

/** Moves the whole clip vertically so that its lowest sole stands on the floor, like `debias_z` of a conversion. */
export function ontoFloor(robot: ClipRobot, clip: ClipRows): ClipRows {
  const { facts, nbody } = robot;
  const feet = facts.wiring.feet.map((name) => facts.bodies.findIndex((body) => body.name === name));
  const { posW } = bodyMotion(robot, clip, clipVelocities(clip));
  const shift = debiasZ(posW, nbody, feet, facts.footSoleZ);
  const rows = Float64Array.from(clip.rows);
  const width = widthOf(clip);
  for (let at = 2; at < rows.length; at += width) rows[at] = rows[at]! - shift;
  return { ...clip, rows };
}
