import type { JointSpec } from '../protocol/schemas/robots.ts';

/** Limits of a hinge servo's reach, rad (see {@link servoReach}). Robots with published gains have 0.2 to 2.5.
 *  Below `fail`, a servo only switches between its effort limits (example: a finger with 1.4 Nm at 500 Nm/rad). Above
 *  `warn`, it yields to the weight that it carries. */
export const REACH = { fail: 0.02, least: 0.1, most: 3, warn: 4 } as const;

/** Returns the deviation at which a servo applies its full effort: effort limit / stiffness, rad (m for a slide). */
export function servoReach({ effort_limit: effort, stiffness }: Pick<JointSpec, 'effort_limit' | 'stiffness'>): number {
  return effort / stiffness;
}

/** Returns the stiffness, Nm/rad, changed only if needed to keep a hinge's reach between `least` and `most`. */
export function stiffnessInReach(stiffness: number, effort: number): number {
  return Math.min(effort / REACH.least, Math.max(effort / REACH.most, stiffness));
}
