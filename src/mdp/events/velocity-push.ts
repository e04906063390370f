import { rotateInverse } from '../../core/math/quaternion.ts';
import type { PhysicsBatch } from '../env/physics-batch.ts';
import type { ParamSchema } from '../term.ts';
import { TermParams } from '../term-params.ts';
import type { EventTerm } from './event-term.ts';

const AXES = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] as const;
const USUAL = { x: 0.5, y: 0.5, z: 0.2, roll: 0.52, pitch: 0.52, yaw: 0.78 };

function range(axis: (typeof AXES)[number]): ParamSchema {
  const most = USUAL[axis];
  const linear = axis.length === 1;
  return {
    type: 'vector',
    default: [-most, most],
    unit: linear ? 'm/s' : 'rad/s',
    description: `lowest and highest ${linear ? `velocity along ${axis}` : `angular velocity of ${axis}`}, world frame`,
  };
}

/** v_root += U(x, y, z) and ω_root += U(roll, pitch, yaw), world frame. Source: push_by_setting_velocity of mjlab. */
export const velocityPush: EventTerm = {
  description: 'adds uniform random values to the linear and angular velocity of the root, world frame',
  modes: ['interval', 'reset'],
  params: Object.fromEntries(AXES.map((axis) => [axis, range(axis)])),
  make({ physics, random }, given) {
    const params = new TermParams(this.params, given);
    const ranges = AXES.map((axis) => params.vector(axis, 2));
    const draw = new Float64Array(6);
    return (env) => {
      for (let axis = 0; axis < 6; axis++) draw[axis] = random.uniform(env, ranges[axis]![0]!, ranges[axis]![1]!);
      pushRoot(physics, env, draw);
      return true;
    };
  },
};

const quaternion = new Float64Array(4);
const omega = new Float64Array(3);

/** Adds to the velocity of a root. @param velocity (6,) linear m/s, then angular rad/s, world frame */
export function pushRoot(physics: PhysicsBatch, env: number, velocity: ArrayLike<number>): void {
  const at = env * physics.nv;
  const { qvel, qpos } = physics;
  for (let k = 0; k < 4; k++) quaternion[k] = qpos[env * physics.nq + 3 + k]!;
  for (let axis = 0; axis < 3; axis++) {
    qvel[at + axis] = qvel[at + axis]! + velocity[axis]!;
    omega[axis] = velocity[3 + axis]!;
  }
  rotateInverse(omega, quaternion, omega);
  for (let axis = 0; axis < 3; axis++) qvel[at + 3 + axis] = qvel[at + 3 + axis]! + omega[axis]!;
}
