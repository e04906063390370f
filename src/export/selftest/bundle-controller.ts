import { conjugate, multiply, rotateInverse } from '../../core/math/quaternion.ts';
import { sixDRow } from '../../core/math/rows.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { Bundle, ClipFrame } from '../layouts/bundle.ts';
import { torsoOf } from '../layouts/waist.ts';
import { type Reading, widthOf } from '../readings.ts';
import type { RobotReading } from './robot-reading.ts';

const DOWN = [0, 0, -1];

/** How the controller determines the orientation of the robot's anchor. */
export type AnchorRule = { readonly body: string } | 'waist';

/** Drives a robot with a bundle as a controller would, using only the files of the bundle and its own formulas. It
 *  starts at the first frame, with the heading and position of the clip. */
export class BundleController {
  readonly #bundle: Bundle;
  readonly #anchor: AnchorRule;
  /** motor index of each joint of the policy */
  readonly #motors: readonly number[];
  /** history of each observation, oldest first; empty before the first step */
  readonly #kept: Float32Array[][];
  #action: Float32Array;
  /** pose to which the scaled action of the last step was added, rad, in the order of the policy */
  #base: ArrayLike<number>;

  constructor(bundle: Bundle, anchor: AnchorRule, facts: RobotFacts) {
    this.#bundle = bundle;
    this.#anchor = anchor;
    this.#motors = bundle.joints.map((name) => facts.joints.findIndex((joint) => joint.name === name));
    this.#kept = bundle.observations.map(() => []);
    this.#action = new Float32Array(bundle.joints.length);
    this.#base = this.#action;
  }

  /** Takes one control step. @param frame frame of the clip to track @returns joint targets in motor order, rad */
  step(robot: RobotReading, frame: number): Float64Array {
    const { graph, scale, offset, clip } = this.#bundle;
    const reference = clip.at(frame);
    const obs = this.#observe(robot, reference);
    const { actions } = graph.run({
      obs: { shape: [1, obs.length], data: obs },
      // motion_tracking_controller has already incremented its counter when it computes the action of a frame.
      time_step: { shape: [1, 1], data: Float32Array.of(frame + 1) },
    });
    this.#action = Float32Array.from(actions!.data);
    this.#base = offset ?? Float64Array.from(reference.jointPos);
    const targets = new Float64Array(this.#motors.length);
    for (const [j, motor] of this.#motors.entries()) targets[motor] = this.#base[j]! + scale[j]! * this.#action[j]!;
    return targets;
  }

  /** Replaces the last action by the action that corresponds to the targets that the robot really got. Without this,
   *  rounding differences would grow from step to step, because the policy observes its last action. @param targets
   *  targets in motor order, rad */
  applied(targets: ArrayLike<number>): void {
    const { scale } = this.#bundle;
    for (const [j, motor] of this.#motors.entries())
      if (scale[j] !== 0) this.#action[j] = (targets[motor]! - this.#base[j]!) / scale[j]!;
  }

  #observe(robot: RobotReading, reference: ClipFrame): Float32Array {
    const row: number[] = [];
    for (const [k, { reading, history, limits, scale }] of this.#bundle.observations.entries()) {
      const value = Float32Array.from(this.#read(reading, robot, reference));
      for (const i of value.keys()) {
        if (limits) value[i] = Math.min(limits[1], Math.max(limits[0], value[i]!));
        if (scale) value[i] = value[i]! * scale[i]!;
      }
      const kept = this.#kept[k]!;
      while (kept.length < history) kept.push(value);
      kept.push(value);
      kept.splice(0, kept.length - history);
      for (const one of kept) row.push(...one);
    }
    return Float32Array.from(row);
  }

  #read(reading: Reading, robot: RobotReading, reference: ClipFrame): ArrayLike<number> {
    const { anchor } = reference;
    const inBody = (quat: ArrayLike<number>, vector: ArrayLike<number>) => rotateInverse([0, 0, 0], quat, vector);
    switch (reading) {
      case 'command':
        return [...Array.from(reference.jointPos), ...Array.from(reference.jointVel)];
      case 'ref_joint_pos':
        return reference.jointPos;
      case 'ref_joint_vel':
        return reference.jointVel;
      case 'ref_base_height':
        return [anchor.pos[2]!];
      case 'ref_base_lin_vel_b':
        return inBody(anchor.quat, anchor.linVel);
      case 'ref_base_ang_vel_b':
        return inBody(anchor.quat, anchor.angVel);
      case 'ref_gravity_b':
        return inBody(anchor.quat, DOWN);
      case 'base_lin_vel':
        return inBody(robot.root.quat, robot.root.linVel);
      case 'base_ang_vel':
        return inBody(robot.root.quat, robot.root.angVel);
      case 'projected_gravity':
        return inBody(robot.root.quat, DOWN);
      case 'joint_pos':
        return this.#motors.map((motor, j) => robot.motorPos[motor]! - this.#bundle.defaultPos[j]!);
      case 'joint_vel':
        return this.#motors.map((motor) => robot.motorVel[motor]!);
      case 'last_action':
        return this.#action;
      default:
        return this.#readAnchor(reading, robot, reference);
    }
  }

  /** Writes the pose of the reference anchor relative to the anchor of the robot. */
  #readAnchor(reading: 'anchor_pos_b' | 'anchor_ori_b', robot: RobotReading, { anchor }: ClipFrame): number[] {
    const own = this.#anchor === 'waist' ? null : robot.body(this.#anchor.body);
    const quat = own?.quat ?? torsoOf(robot.root.quat, robot.motorPos);
    if (reading === 'anchor_ori_b') {
      const relative = multiply([1, 0, 0, 0], conjugate([1, 0, 0, 0], quat), anchor.quat);
      const out = new Float64Array(widthOf(reading, 0));
      sixDRow(out, 0, Float64Array.from(relative), 0);
      return [...out];
    }
    const { pos } = own ?? robot.root;
    const difference = [0, 1, 2].map((axis) => anchor.pos[axis]! + (axis === 2 ? robot.ground : 0) - pos[axis]!);
    return rotateInverse([0, 0, 0], quat, difference);
  }
}
