import { rotate } from '../../core/math/quaternion.ts';
import { gravityRow, squaredNorm } from '../../core/math/rows.ts';
import type { ParamSchema, RewardTerm } from '../term.ts';
import { BODY_NAMES, jointsNamed, NO_PARAMS, TermParams } from '../term-params.ts';

// Penalties of undesired motion; their weights are negative. Formulas: wbc_mjlab.env.mdp.rewards and
// mjlab.envs.mdp.rewards.

export const isAlive: RewardTerm = {
  description: '1 while the episode continues or ends by a time-out, 0 when it fails',
  unit: '1',
  params: NO_PARAMS,
  make:
    ({ state }) =>
    (env) =>
      1 - state.terminated[env]!,
};

export const isTerminated: RewardTerm = {
  description: '1 if this step ended the episode by a failure; a time-out is not a failure',
  unit: '1',
  params: NO_PARAMS,
  make:
    ({ state }) =>
    (env) =>
      state.terminated[env]!,
};

export const actionRateL1: RewardTerm = {
  description: 'change of the raw actions: Σ |a − a_prev|',
  unit: '1',
  params: NO_PARAMS,
  make:
    ({ state }) =>
    (env) => {
      let sum = 0;
      for (let i = env * state.joints; i < (env + 1) * state.joints; i++)
        sum += Math.abs(state.actions[i]! - state.previousActions[i]!);
      return sum;
    },
};

export const actionRateL2: RewardTerm = {
  description: 'squared change of the raw actions: Σ (a − a_prev)²',
  unit: '1',
  params: NO_PARAMS,
  make:
    ({ state }) =>
    (env) => {
      let sum = 0;
      for (let i = env * state.joints; i < (env + 1) * state.joints; i++)
        sum += (state.actions[i]! - state.previousActions[i]!) ** 2;
      return sum;
    },
};

const JOINTS: Readonly<Record<string, ParamSchema>> = {
  joint_names: { type: 'names', default: null, description: 'joints to include, by name; null: all' },
};

export const jointAccL1: RewardTerm = {
  description: 'joint accelerations: Σ |q̈|',
  unit: 'rad/s²',
  params: JOINTS,
  make(context, given) {
    const { state } = context;
    const joints = jointsNamed(context, new TermParams(JOINTS, given).namesOrNull('joint_names'));
    return (env) => {
      let sum = 0;
      for (let i = 0; i < joints.length; i++) sum += Math.abs(state.jointAcc[env * state.joints + joints[i]!]!);
      return sum;
    };
  },
};

export const jointAccL2: RewardTerm = {
  description: 'squared joint accelerations: Σ q̈²',
  unit: 'rad²/s⁴',
  params: JOINTS,
  make(context, given) {
    const { state } = context;
    const joints = jointsNamed(context, new TermParams(JOINTS, given).namesOrNull('joint_names'));
    return (env) => {
      let sum = 0;
      for (let i = 0; i < joints.length; i++) sum += state.jointAcc[env * state.joints + joints[i]!]! ** 2;
      return sum;
    };
  },
};

export const jointPosLimits: RewardTerm = {
  description:
    'joint positions beyond the soft limits, the middle ± 0.45 of the range: Σ max(0, l − q) + max(0, q − u)',
  unit: 'rad',
  params: JOINTS,
  make(context, given) {
    const { state, softLower, softUpper } = context;
    const joints = jointsNamed(context, new TermParams(JOINTS, given).namesOrNull('joint_names'));
    return (env) => {
      let sum = 0;
      for (let i = 0; i < joints.length; i++) {
        const j = joints[i]!;
        const q = state.jointPos[env * state.joints + j]!;
        sum += Math.max(0, softLower[j]! - q) + Math.max(0, q - softUpper[j]!);
      }
      return sum;
    };
  },
};

/** Upstream measures a site on the sole, below the origin of the foot. The site's velocity is v + ω × r, where r is the
 *  rotated vector from the origin to the site. CAD exports turn the frames of feet, so their z axis need not point
 *  up. */
export const feetSlip: RewardTerm = {
  description: 'squared horizontal speed of the soles of the feet that touch the ground: Σ contact |v_xy|²',
  unit: 'm²/s²',
  params: NO_PARAMS,
  make({ state, indices, facts, soleDown }) {
    const feet = indices.feet;
    const soles = soleDown.map((down) => down.map((axis) => facts.footSoleZ * axis));
    const [quaternion, offset] = [new Float64Array(4), new Float64Array(3)];
    return (env) => {
      let sum = 0;
      for (let f = 0; f < feet.length; f++) {
        if (!state.footContact[env * feet.length + f]) continue;
        const row = env * state.bodies + feet[f]!;
        const { bodyQuatW, bodyAngVelW: spin, bodyLinVelW: v } = state;
        for (let k = 0; k < 4; k++) quaternion[k] = bodyQuatW[4 * row + k]!;
        const r = rotate(offset, quaternion, soles[f]!);
        const vx = v[3 * row]! + spin[3 * row + 1]! * r[2]! - spin[3 * row + 2]! * r[1]!;
        const vy = v[3 * row + 1]! + spin[3 * row + 2]! * r[0]! - spin[3 * row]! * r[2]!;
        sum += vx * vx + vy * vy;
      }
      return sum;
    };
  },
};

const AXES: Readonly<Record<string, ParamSchema>> = {
  axes: { type: 'enum', default: 'xy', enum: ['xy', 'xyz'], description: 'world axes to include' },
};

export const angularMomentumPenalty: RewardTerm = {
  description: 'squared angular momentum of the whole robot: Lx² + Ly² (+ Lz²)',
  unit: 'kg²·m⁴/s²',
  params: AXES,
  make({ state }, given) {
    const all = new TermParams(AXES, given).string('axes') === 'xyz';
    return (env) => {
      const x = state.angularMomentum[3 * env]!;
      const y = state.angularMomentum[3 * env + 1]!;
      const z = all ? state.angularMomentum[3 * env + 2]! : 0;
      return x * x + y * y + z * z;
    };
  },
};

const SHAKE: Readonly<Record<string, ParamSchema>> = {
  threshold: { type: 'number', default: 5, minimum: 0, unit: 'rad/s', description: 'speed without a cost' },
  body_names: BODY_NAMES,
};

export const antiShakeAngVelL2: RewardTerm = {
  description: 'fast rotation of key bodies: mean of max(0, |ω| − threshold)²',
  unit: 'rad²/s²',
  params: SHAKE,
  make(context, given) {
    const { state, indices } = context;
    const params = new TermParams(SHAKE, given);
    const threshold = params.number('threshold');
    const bodies = params.keybodies(context).map((k) => indices.keybodies[k]!);
    return (env) => {
      let sum = 0;
      for (let k = 0; k < bodies.length; k++) {
        const speed = Math.sqrt(squaredNorm(state.bodyAngVelW, 3 * (env * state.bodies + bodies[k]!)));
        sum += Math.max(0, speed - threshold) ** 2;
      }
      return sum / Math.max(1, bodies.length);
    };
  },
};

export const flatOrientationL2: RewardTerm = {
  description: "tilt of the root: gx² + gy² of gravity's direction g in the root's frame",
  unit: '1',
  params: NO_PARAMS,
  make({ state }) {
    const gravity = new Float64Array(3);
    return (env) => {
      gravityRow(gravity, 0, state.bodyQuatW, 4 * env * state.bodies);
      return gravity[0]! ** 2 + gravity[1]! ** 2;
    };
  },
};
