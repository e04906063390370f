import { badInput } from '../core/errors.ts';
import type { RobotSpec } from '../protocol/schemas/robots.ts';
import { geomPoints } from '../sim/geom-extent.ts';
import { type MainModule, type MjModel, nameAt } from '../sim/mujoco.ts';
import { clampToLimits, type Follows, type JointFacts, leadFollowers, qposOf, type RobotFacts } from './robot-facts.ts';

/** Distance by which a default pose may exceed its range, rad or m, because numbers in files are rounded. */
const RANGE_SLACK = 1e-3;
/** mjEQ_JOINT, and the number of values per constraint. */
const EQUALITY = { joint: 2, data: 11 } as const;
/** Largest difference of a quaternion's w from 1 for axes that count as parallel: 0.001 rad. */
const SAME_AXES = 1e-7;
const JOINT_TYPES = ['free', 'ball', 'slide', 'hinge'] as const;

/** Properties stated by the model and the spec. Properties that are measured in the default pose are missing. */
export type StatedFacts = Omit<RobotFacts, 'height' | 'footSoleZ' | 'velocimeter'>;

/** Reads the properties of a compiled robot from its model and spec. @throws StudioError bad_input for an unsupported
 *  joint, or a default pose outside its range */
export function readFacts(model: MjModel, spec: RobotSpec): StatedFacts {
  const joints: JointFacts[] = [];
  const leaders = readLeaders(model, spec);
  for (let j = 0; j < model.njnt; j++) {
    const type = JOINT_TYPES[model.jnt_type[j] as 0 | 1 | 2 | 3];
    const name = nameAt(model, model.name_jntadr[j]);
    if (type === 'free') {
      if (j === 0) continue;
      throw badInput(`${spec.model}: joint ${name} is free, but only the root body may have a free joint`);
    }
    if (type === 'ball') throw badInput(`${spec.model}: ball joint ${name} is not supported. Use three hinge joints.`);
    const lower: number = model.jnt_range[2 * j];
    const upper: number = model.jnt_range[2 * j + 1];
    const limited = lower < upper;
    const settings = Object.hasOwn(spec.joints, name) ? spec.joints[name] : undefined;
    const joint: JointFacts = {
      name,
      type,
      body: model.jnt_bodyid[j] - 1,
      lower: limited ? lower : null,
      upper: limited ? upper : null,
      default: settings?.default ?? 0,
      effortLimit: settings?.effort_limit ?? null,
      velocityLimit: settings?.velocity_limit ?? settings?.torque_speed?.x2 ?? null,
      ...(settings?.continuous_torque === undefined ? {} : { continuousTorque: settings.continuous_torque }),
      stiffness: settings?.stiffness ?? 0,
      damping: settings?.damping ?? 0,
      armature: settings?.armature ?? 0,
      actionScale: settings?.action_scale ?? 0,
      torqueSpeed: settings?.torque_speed ?? null,
      friction: settings?.friction ?? null,
      follows: leaders.get(j) ?? null,
    };
    const clamped = clampToLimits(joint, joint.default);
    if (Math.abs(clamped - joint.default) > RANGE_SLACK) {
      throw badInput(`joints.${name}.default: ${joint.default} is outside the joint's range ${lower} to ${upper}`);
    }
    joints.push({ ...joint, default: clamped });
  }
  const defaults = joints.map((joint) => joint.default);
  leadFollowers(joints, defaults);
  let mass = 0;
  for (let b = 1; b < model.nbody; b++) mass += model.body_mass[b];
  return {
    id: spec.id,
    name: spec.name,
    joints: joints.map((joint, k) => ({ ...joint, default: defaults[k]! })),
    bodies: Array.from({ length: model.nbody - 1 }, (_, k) => ({
      name: nameAt(model, model.name_bodyadr[k + 1]),
      parent: model.body_parentid[k + 1] - 1,
    })),
    actuators: model.nu,
    mass,
    wiring: spec.wiring,
    endEffectors: spec.end_effectors ?? spec.wiring.feet,
    rootHeight: spec.root_height,
  };
}

/** Returns, by joint id in the model, the joints without actuator that follow another joint linearly. Indices of
 *  leaders do not count the free joint, which is the first joint of the model. */
function readLeaders(model: MjModel, spec: RobotSpec): Map<number, Follows> {
  const found = new Map<number, Follows>();
  for (let e = 0; e < model.neq; e++) {
    const [follower, leader]: [number, number] = [model.eq_obj1id[e], model.eq_obj2id[e]];
    if (model.eq_type[e] !== EQUALITY.joint || leader < 1) continue;
    if (Object.hasOwn(spec.joints, nameAt(model, model.name_jntadr[follower]))) continue;
    const data: Float64Array = model.eq_data.subarray(EQUALITY.data * e, EQUALITY.data * (e + 1));
    const [offset, multiplier, ...bends] = data.subarray(0, 5);
    if (bends.some((value) => value !== 0)) continue;
    // MuJoCo measures both positions from the reference pose: q − q₀ = offset + multiplier · (q_of − q_of₀).
    const drawn = (joint: number): number => model.qpos0[model.jnt_qposadr[joint]];
    const from = offset! + drawn(follower) - multiplier! * drawn(leader);
    found.set(follower, { joint: leader - 1, multiplier: multiplier!, offset: from });
  }
  return found;
}

/** Returns the position of a site in the frame of the root, m; null if it is not on the root, or its axes are not those
 *  of the root. */
export function placeOnRoot(model: MjModel, name: string): [number, number, number] | null {
  const { site_bodyid: bodies, site_pos: positions, site_quat: rotations } = model;
  for (let site = 0; site < model.nsite; site++) {
    if (nameAt(model, model.name_siteadr[site]) !== name) continue;
    const isAligned = Math.abs(rotations[4 * site]) > 1 - SAME_AXES;
    return bodies[site] === 1 && isAligned
      ? [positions[3 * site], positions[3 * site + 1], positions[3 * site + 2]]
      : null;
  }
  return null;
}

/** Measures the height of the robot in its default pose, m, from the lowest to the highest point of its geoms. For
 *  meshes, uses their vertices; for other geoms, the corners of their bounding boxes. */
export function standingHeight(mj: MainModule, model: MjModel, facts: StatedFacts): number {
  if (model.ngeom === 0) return 0;
  const data = new mj.MjData(model);
  data.qpos.set(
    qposOf(
      facts.rootHeight,
      facts.joints.map((joint) => joint.default),
    ),
  );
  mj.mj_kinematics(model, data);
  const { geom_xpos: positions, geom_xmat: rotations } = data;
  let lowest = Infinity;
  let highest = -Infinity;
  for (let g = 0; g < model.ngeom; g++) {
    const up: Float64Array = rotations.subarray(9 * g + 6, 9 * g + 9);
    const points = geomPoints(model, g);
    for (let at = 0; at < points.length; at += 3) {
      const z = positions[3 * g + 2] + up[0]! * points[at]! + up[1]! * points[at + 1]! + up[2]! * points[at + 2]!;
      if (z < lowest) lowest = z;
      if (z > highest) highest = z;
    }
  }
  data.delete();
  return highest - lowest;
}
