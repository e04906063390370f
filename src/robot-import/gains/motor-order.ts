import type { RobotFacts } from '../../robots/robot-facts.ts';

export interface JointOrder {
  /** joint names in the order that `text` describes */
  readonly names: readonly string[];
  /** name of the order for messages */
  readonly text: string;
}

type Parts = Pick<RobotFacts, 'joints' | 'bodies'>;

/** Finds the joints of a policy whose file has joint numbers instead of names. Policies use the joint order of
 *  the model (MuJoCo) or the breadth-first order of its bodies (Isaac). Robots number their motors limb by limb. The
 *  function therefore chooses the order in which more neighbouring motors move neighbouring joints of a limb.
 *  @param motors motor of each joint of the policy
 *  @returns null if the robot has another number of joints */
export function orderOfMotors(motors: readonly number[], robot: Parts): JointOrder | null {
  const own = robot.joints.flatMap((joint, index) => (joint.follows === null ? [index] : []));
  const joints = [own, robot.joints.map((_, index) => index)].find((list) => list.length === motors.length);
  if (!joints) return null;
  const level = robot.bodies.map(() => 0);
  for (const [body, { parent }] of robot.bodies.entries()) if (parent >= 0) level[body] = level[parent]! + 1;
  const breadthFirst = byLevel(joints, robot, level);
  const score = (order: readonly number[]) => neighbours(order, motors, robot);
  const isOwn = score(joints) >= score(breadthFirst);
  return {
    names: (isOwn ? joints : breadthFirst).map((joint) => robot.joints[joint]!.name),
    text: isOwn ? 'the order of the model' : 'breadth-first order, as in Isaac',
  };
}

/** Sorts joints by the depth of their bodies. Children keep the order of their parents. */
function byLevel(joints: readonly number[], robot: Parts, level: readonly number[]): number[] {
  const place = new Map<number, number>();
  let bodies = robot.bodies.flatMap(({ parent }, body) => (parent < 0 ? [body] : []));
  for (let depth = 0; bodies.length > 0 && depth <= Math.max(...level); depth++) {
    for (const body of bodies) place.set(body, place.size);
    bodies = bodies.flatMap((body) => robot.bodies.flatMap(({ parent }, child) => (parent === body ? [child] : [])));
  }
  const rank = (joint: number) => place.get(robot.joints[joint]!.body) ?? 0;
  return [...joints].sort((a, b) => rank(a) - rank(b) || a - b);
}

/** Counts the motors for which the next motor moves the next joint of the same limb. */
function neighbours(order: readonly number[], motors: readonly number[], robot: Parts): number {
  const byMotor = motors.map((_, motor) => order[motors.indexOf(motor)]!);
  const moved = new Set(robot.joints.map(({ body }) => body));
  const jointed = (body: number): number => (body < 0 || moved.has(body) ? body : jointed(robot.bodies[body]!.parent));
  return byMotor.slice(1).filter((joint, k) => {
    const [body, former] = [robot.joints[joint]!.body, robot.joints[byMotor[k]!]!.body];
    return body === former || jointed(robot.bodies[body]!.parent) === former;
  }).length;
}
