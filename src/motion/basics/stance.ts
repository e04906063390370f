import { badInput } from '../../core/errors.ts';
import { rotate } from '../../core/math/quaternion.ts';
import { add } from '../../core/math/vector.ts';
import { standingPose } from '../../robots/kinematics/feet.ts';
import type { ClipRobot } from '../clip-robot.ts';
import { trackFeet } from '../edit/foot-frame.ts';
import { robotShape } from '../robot-shape.ts';

/** A joint of a leg. */
export interface LegJoint {
  /** index in qpos, and index of the joint in MuJoCo's joint arrays */
  readonly qpos: number;
  readonly row: number;
  /** whether the joint slides instead of turning */
  readonly slides: boolean;
  readonly lower: number;
  readonly upper: number;
}

/** A foot and the joints between the root and it. */
export interface ReachingLeg {
  /** index of the foot's body, counted including the world */
  readonly body: number;
  readonly joints: readonly LegJoint[];
  /** point of the foot that is placed, in the frame of its body (3), m: see {@link footPoints} */
  readonly point: readonly number[];
}

/** A leg in the stance. */
export interface Leg extends ReachingLeg {
  /** pose of the foot in the stance: position of the point (3), m, and quaternion (4) wxyz */
  readonly position: readonly number[];
  readonly quaternion: readonly number[];
}

/** The robot standing in its default pose, with its lowest point on the floor. */
export interface Stance {
  /** (nq) */
  readonly qpos: Float64Array;
  readonly legs: readonly Leg[];
  /** position of the centre of mass on the floor, m */
  readonly centre: readonly [number, number];
  /** mean height of the root above the points of the feet, m */
  readonly legLength: number;
}

/** Value of mjtJoint for a slide joint. */
const SLIDE = 2;
/** A foot whose origin is higher above its sole than this share of the root's height is a lower leg. The share is 0.1 for
 *  an ankle, and more than 0.5 for the knee of a Go2 or a Spot. */
const LOWER_LEG = 0.3;

/** Measures the stance of a robot. @throws bad_input for a robot with fewer than two feet, or without leg joints */
export function stanceOf(robot: ClipRobot): Stance {
  const { facts, model, mj, data } = robot;
  const qpos = standingPose(facts);
  qpos[2]! -= trackFeet(robot, { fps: 1, frames: 1, rows: qpos }).lowest[0]!;
  const points = footPoints(robot);
  robot.views.qpos.set(qpos);
  mj.mj_kinematics(model, data);
  mj.mj_comPos(model, data);
  const { xpos, xquat, subtreeCom } = robot.views;
  const legs = facts.wiring.feet.map((name, foot): Leg => {
    const body = facts.bodies.findIndex((candidate) => candidate.name === name) + 1;
    const joints = jointsTo(robot, body);
    if (body < 1 || joints.length === 0) throw badInput(`wiring.feet: ${name} is not moved by joints of a leg`);
    const origin = xpos.subarray(3 * body, 3 * body + 3);
    const quaternion = [...xquat.subarray(4 * body, 4 * body + 4)];
    const point = points[foot]!;
    return { body, joints, point, position: add([0, 0, 0], rotate([0, 0, 0], quaternion, point), origin), quaternion };
  });
  if (legs.length < 2)
    throw badInput(`wiring.feet: the robot has ${legs.length} feet, but generated motions need at least 2`);
  const height = legs.reduce((sum, { position }) => sum + position[2]!, 0) / legs.length;
  return { qpos, legs, centre: [subtreeCom[3]!, subtreeCom[4]!], legLength: Math.max(0.05, qpos[2]! - height) };
}

/** Returns the point of each foot that inverse kinematics places, in the frame of its body, m: the origin, or the middle
 *  of the sole if the foot is the end of a lower leg whose origin is the knee. */
export function footPoints(robot: ClipRobot): number[][] {
  const { facts, mj, model, data } = robot;
  const { feet } = robotShape(robot);
  const { qpos, xquat } = robot.views;
  qpos.set(standingPose(facts));
  mj.mj_kinematics(model, data);
  return feet.map(({ body, sole }) => {
    const middle = middleOf(sole);
    const [, , height] = rotate([0, 0, 0], xquat.subarray(4 * (body + 1), 4 * (body + 2)), middle);
    return -height! > LOWER_LEG * facts.rootHeight ? middle : [0, 0, 0];
  });
}

/** Returns the middle of points (n, 3); the origin for no points. */
function middleOf(points: Float64Array): number[] {
  const count = Math.max(1, points.length / 3);
  return [0, 1, 2].map((axis) => points.reduce((sum, value, k) => sum + (k % 3 === axis ? value : 0), 0) / count);
}

/** Returns the joints that move a body relative to the root, starting at the body. @param body index of the body,
 *  counted including the world */
export function jointsTo({ model, facts }: ClipRobot, body: number): LegJoint[] {
  const found: LegJoint[] = [];
  for (let at = body; at > 1; at = model.body_parentid[at] as number) {
    for (const [k, joint] of facts.joints.entries()) {
      const row = k + 1;
      if ((model.jnt_bodyid[row] as number) !== at || joint.follows) continue;
      found.push({
        qpos: 7 + k,
        row,
        slides: (model.jnt_type[row] as number) === SLIDE,
        lower: joint.lower ?? Number.NEGATIVE_INFINITY,
        upper: joint.upper ?? Number.POSITIVE_INFINITY,
      });
    }
  }
  return found;
}
