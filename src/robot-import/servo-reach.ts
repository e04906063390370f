import type { JointSpec } from '../protocol/schemas/robots.ts';

/** Bounds of the reach of a hinge's servo, rad. Robots with published gains have 0.2 to 2.5.
 *  Below `fail` a servo only switches between its effort limits, like fingers of 1.4 Nm at 500 Nm/rad; above `warn` it
 *  yields to the weight that it carries. */
export const REACH = { fail: 0.02, least: 0.1, most: 3, warn: 4 } as const;

/** Returns the deviation at which a servo asks for all its effort: effort limit / stiffness, rad (m for a slide). */
export function servoReach({ effort_limit: effort, stiffness }: Pick<JointSpec, 'effort_limit' | 'stiffness'>): number {
  return effort / stiffness;
}

/** Returns the stiffness, Nm/rad, changed if necessary so that a hinge's reach is between `least` and `most`. */
export function stiffnessInReach(stiffness: number, effort: number): number {
  return Math.min(effort / REACH.least, Math.max(effort / REACH.most, stiffness));
}
