import type { ObservationTerm, ParamSchema } from '../term.ts';
import { NO_PARAMS, TermParams } from '../term-params.ts';
import { torqueLimit } from '../torque-limit.ts';
import { copyRow } from './copy.ts';

// Observations for the critic only: forces, assistance, rewards. Formulas: wbc_mjlab.env.mdp.observations and
// assistive_wrench.

export const keybodyContactForces: ObservationTerm = {
  description: 'net force F of each key body on the ground in world axes, as sign(F) ln(1 + |F|) for each axis',
  unit: 'ln N',
  params: NO_PARAMS,
  make({ state, indices }) {
    const dim = 3 * indices.keybodies.length;
    return {
      dim,
      compute(env, out, at) {
        for (let i = 0; i < dim; i++) {
          const force = state.contactForce[env * dim + i]!;
          out[at + i] = Math.sign(force) * Math.log1p(Math.abs(force));
        }
      },
    };
  },
};

export const assistiveWrenchForce: ObservationTerm = {
  description: 'assistance force at the anchor, world axes',
  unit: 'N',
  params: NO_PARAMS,
  make: ({ state }) => copyRow(state.assistForce, 3),
};

export const assistiveWrenchTorque: ObservationTerm = {
  description: 'assistance torque at the anchor, world axes',
  unit: 'Nm',
  params: NO_PARAMS,
  make: ({ state }) => copyRow(state.assistTorque, 3),
};

export const assistiveWrenchGain: ObservationTerm = {
  description: 'gain β of the assistance in this episode, 0 to its upper limit',
  unit: '1',
  params: NO_PARAMS,
  make: ({ state }) => copyRow(state.assistGain, 1),
};

const REWARD_PARAMS: Readonly<Record<string, ParamSchema>> = {
  reward_names: {
    type: 'names',
    default: [
      'motion_global_root_pos',
      'motion_global_root_ori',
      'motion_root_lin_vel_b',
      'motion_root_ang_vel_b',
      'motion_body_pos',
      'motion_body_ori',
      'motion_body_lin_vel',
      'motion_body_ang_vel',
      'motion_joint_pos',
      'motion_joint_vel',
    ],
    description: 'names of the reward terms, in the order of the values',
  },
};

export const motionTrackingStepRewards: ObservationTerm = {
  description: 'weighted tracking rewards of the last step, not multiplied by dt; 0 where a weight is 0',
  unit: '1/s',
  params: REWARD_PARAMS,
  make(context, given) {
    const names = new TermParams(REWARD_PARAMS, given).namesOrNull('reward_names') ?? [];
    return {
      dim: names.length,
      compute(env, out, at) {
        for (let i = 0; i < names.length; i++) out[at + i] = context.lastReward(names[i]!, env);
      },
    };
  },
};

export const jointMechanicalPower: ObservationTerm = {
  description: 'mechanical power of each joint: τ q̇',
  unit: 'W',
  params: NO_PARAMS,
  make: ({ state }) => ({
    dim: state.joints,
    compute(env, out, at) {
      const first = env * state.joints;
      for (let j = 0; j < state.joints; j++) out[at + j] = state.torque[first + j]! * state.jointVel[first + j]!;
    },
  }),
};

export const jointTorqueEnvelopeRatio: ObservationTerm = {
  description:
    'share of the torque that each motor can give at its speed, in the direction that it can give more: |τ| / limit(q̇); 0 for a joint without limit',
  unit: '1',
  params: NO_PARAMS,
  make: ({ state, facts, effortLimit }) => ({
    dim: state.joints,
    compute(env, out, at) {
      const first = env * state.joints;
      for (let j = 0; j < state.joints; j++) {
        const law = facts.joints[j]!.torqueSpeed;
        const most = law ? torqueLimit(law, law.y2, state.jointVel[first + j]!) : effortLimit[j]!;
        out[at + j] = Math.abs(state.torque[first + j]!) / Math.max(most, 1e-6);
      }
    },
  }),
};
