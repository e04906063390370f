import type { Wiring } from '../protocol/schemas/robots.ts';

/** One hinge or slide joint as the model and the spec together define it. */
export interface JointFacts {
  readonly name: string;
  readonly type: 'hinge' | 'slide';
  /** index of the body that the joint moves */
  readonly body: number;
  /** limits of the joint, rad or m; null if it is unlimited */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly default: number;
  /** effort limit, Nm or N; null for a joint without actuator */
  readonly effortLimit: number | null;
  /** velocity limit, rad/s or m/s */
  readonly velocityLimit: number | null;
  /** torque that the motor can hold without overheating, Nm or N; absent if unknown */
  readonly continuousTorque?: number;
  readonly stiffness: number;
  readonly damping: number;
  /** kg·m² */
  readonly armature: number;
  /** change of the target per unit of action, rad or m */
  readonly actionScale: number;
  /** torque-speed curve; null: a position servo clamped to the effort limit */
  readonly torqueSpeed: TorqueSpeed | null;
  /** static friction, Nm, and viscous friction, Nm·s/rad, subtracted from the torque above; null without friction */
  readonly friction: { readonly static: number; readonly viscous: number } | null;
  /** the joint that this joint follows in the model; null for an independent joint */
  readonly follows: Follows | null;
}

/** The joint follows `joint` (an index): q = multiplier · q_of + offset. */
export interface Follows {
  readonly joint: number;
  readonly multiplier: number;
  readonly offset: number;
}

/** Torque limit of a motor by its speed. Up to `x1` rad/s the limit is `y1` Nm when driving and `y2` Nm when braking;
 *  then it falls linearly to 0 at `x2` rad/s. */
export interface TorqueSpeed {
  readonly y1: number;
  readonly y2: number;
  readonly x1: number;
  readonly x2: number;
}

/** Properties of a compiled robot that are available without MuJoCo. Stored as JSON in the cache. */
export interface RobotFacts {
  readonly id: string;
  readonly name: string;
  /** joints in qpos order, which is the column order of clips */
  readonly joints: readonly JointFacts[];
  /** bodies without the world, in model order */
  readonly bodies: readonly { readonly name: string; readonly parent: number }[];
  readonly actuators: number;
  /** kg */
  readonly mass: number;
  /** height of the robot in the default pose, from the lowest to the highest point of its geoms, m */
  readonly height: number;
  readonly wiring: Wiring;
  /** hands and feet; only the feet if the spec does not name end effectors */
  readonly endEffectors: readonly string[];
  /** distance from a foot body's origin down to its sole, m */
  readonly footSoleZ: number;
  /** height of the root body above the floor in the default pose, m */
  readonly rootHeight: number;
  /** position of the model's velocimeter `imu_lin_vel` in the frame of the root, m; absent without one on the root
   *  whose axes are those of the root */
  readonly velocimeter?: readonly [number, number, number];
}

/** Returns the qpos of a pose at the origin: root x y z (m), quaternion wxyz, then `joints` (rad or m).
 *  @param joints in qpos order */
export function qposOf(rootHeight: number, joints: readonly number[]): Float64Array {
  return Float64Array.of(0, 0, rootHeight, 1, 0, 0, 0, ...joints);
}

/** Sets every joint that follows another joint, and clamps it to its limits.
 *  @param values rad or m, in qpos order; changed in place */
export function leadFollowers(joints: readonly JointFacts[], values: Float64Array | number[]): void {
  for (const [k, joint] of joints.entries()) {
    const { follows } = joint;
    if (follows) values[k] = clampToLimits(joint, follows.multiplier * values[follows.joint]! + follows.offset);
  }
}

/** Clamps a value to the joint's limits, rad or m. */
export function clampToLimits(joint: JointFacts, value: number): number {
  return Math.min(joint.upper ?? Infinity, Math.max(joint.lower ?? -Infinity, value));
}
