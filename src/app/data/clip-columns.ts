import type { RobotFacts } from '../../robots/robot-facts.ts';

/** Columns of a robot's clips: root position (3), root quaternion (4), joints. */
export function columnsOf(robot: RobotFacts): number {
  return 7 + robot.joints.length;
}

/** Returns the columns that a clip file must have for this robot. */
export function layoutOf(robot: RobotFacts): { readonly columns: number; readonly jointNames: string[] } {
  return { columns: columnsOf(robot), jointNames: robot.joints.map((joint) => joint.name) };
}
