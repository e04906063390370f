import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { TaskConfig } from '../task-config.ts';

/** Largest random offset of a slide, as a share of its range. */
const SLIDE_SHARE = 0.05;

/** Returns the factor of the random offset of each joint: 1 for hinges. Tasks state offsets in rad. The same number in
 *  m would move a gripper or a lift over its whole range, so the offset of a slide is at most 5 % of its range. A slide
 *  without limits has the factor 1.
 *  @param range lowest and highest offset of a hinge, rad */
export function offsetFactors(
  joints: RobotFacts['joints'],
  [least, most]: TaskConfig['commands']['motion']['joint_position_range'],
): Float64Array {
  const largest = Math.max(Math.abs(least), Math.abs(most));
  return Float64Array.from(joints, ({ type, lower, upper }) =>
    type === 'hinge' || lower === null || upper === null || largest === 0
      ? 1
      : Math.min(1, (SLIDE_SHARE * (upper - lower)) / largest),
  );
}
