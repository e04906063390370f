import { gravityRow, rotateInverseRow, sixDRow } from '../../core/math/rows.ts';
import type { ObservationTerm } from '../term.ts';
import { NO_PARAMS } from '../term-params.ts';
import { copyRow } from './copy.ts';

// The command: the frame of the clip that the robot tracks. Formulas: wbc_mjlab.env.mdp.observations and
// commands; generated_commands: mjlab.envs.mdp.observations with the command of whole_body_tracking.

export const refBaseHeight: ObservationTerm = {
  description: 'height of the reference anchor above the origin of the environment: z_refa − z_origin',
  unit: 'm',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 1,
    compute(env, out, at) {
      out[at] = state.refBodyPosW[3 * (env * state.bodies + indices.anchor) + 2]! - state.envOrigin[3 * env + 2]!;
    },
  }),
};

export const refAnchorPosW: ObservationTerm = {
  description:
    'position of the reference anchor relative to the origin of the environment, world axes: p_refa − p_origin',
  unit: 'm',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 3,
    compute(env, out, at) {
      const anchor = 3 * (env * state.bodies + indices.anchor);
      for (let i = 0; i < 3; i++) out[at + i] = state.refBodyPosW[anchor + i]! - state.envOrigin[3 * env + i]!;
    },
  }),
};

export const refAnchorOri6d: ObservationTerm = {
  description: 'orientation of the reference anchor in the world: first two columns of R(q_refa), row by row',
  unit: '1',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 6,
    compute(env, out, at) {
      sixDRow(out, at, state.refBodyQuatW, 4 * (env * state.bodies + indices.anchor));
    },
  }),
};

export const refBaseLinVelB: ObservationTerm = {
  description: 'velocity of the reference anchor in its own frame: R(q_refa)ᵀ v_refa',
  unit: 'm/s',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 3,
    compute(env, out, at) {
      const anchor = env * state.bodies + indices.anchor;
      rotateInverseRow(out, at, state.refBodyQuatW, 4 * anchor, state.refBodyLinVelW, 3 * anchor);
    },
  }),
};

export const refBaseAngVelB: ObservationTerm = {
  description: 'angular velocity of the reference anchor in its own frame: R(q_refa)ᵀ ω_refa',
  unit: 'rad/s',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 3,
    compute(env, out, at) {
      const anchor = env * state.bodies + indices.anchor;
      rotateInverseRow(out, at, state.refBodyQuatW, 4 * anchor, state.refBodyAngVelW, 3 * anchor);
    },
  }),
};

export const refGravityB: ObservationTerm = {
  description: 'direction of gravity in the frame of the reference anchor: R(q_refa)ᵀ (0, 0, −1)',
  unit: '1',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 3,
    compute(env, out, at) {
      gravityRow(out, at, state.refBodyQuatW, 4 * (env * state.bodies + indices.anchor));
    },
  }),
};

export const refJointPos: ObservationTerm = {
  description: 'joint positions of the reference, absolute: q_ref',
  unit: 'rad',
  params: NO_PARAMS,
  make: ({ state }) => copyRow(state.refJointPos, state.joints),
};

export const refJointVel: ObservationTerm = {
  description: 'joint velocities of the reference: q̇_ref',
  unit: 'rad/s',
  params: NO_PARAMS,
  make: ({ state }) => copyRow(state.refJointVel, state.joints),
};

export const generatedCommands: ObservationTerm = {
  description: 'joint positions, then joint velocities of the reference: (q_ref, q̇_ref)',
  unit: 'rad, rad/s',
  params: NO_PARAMS,
  make: ({ state }) => ({
    dim: 2 * state.joints,
    compute(env, out, at) {
      const first = env * state.joints;
      for (let j = 0; j < state.joints; j++) {
        out[at + j] = state.refJointPos[first + j]!;
        out[at + state.joints + j] = state.refJointVel[first + j]!;
      }
    },
  }),
};

/** Creates the observation of the linear (part 0) or angular (part 3) acceleration of the reference anchor in its own
 *  frame. */
const acceleration = (part: 0 | 3, description: string, unit: string): ObservationTerm => ({
  description,
  unit,
  params: NO_PARAMS,
  make(context) {
    const { state, indices } = context;
    const world = new Float64Array(6);
    return {
      dim: 3,
      compute(env, out, at) {
        context.referenceAnchorAcceleration(env, world);
        rotateInverseRow(out, at, state.refBodyQuatW, 4 * (env * state.bodies + indices.anchor), world, part);
      },
    };
  },
});

export const refBaseLinAccB = acceleration(
  0,
  'acceleration of the reference anchor in its own frame: R(q_refa)ᵀ dv_refa/dt',
  'm/s²',
);

export const refBaseAngAccB = acceleration(
  3,
  'angular acceleration of the reference anchor in its own frame: R(q_refa)ᵀ dω_refa/dt',
  'rad/s²',
);

export const motionSegmentPhase: ObservationTerm = {
  description: 'elapsed part of the clip: frame number divided by the number of frames, 0 to 1',
  unit: '1',
  params: NO_PARAMS,
  make: (context) => ({
    dim: 1,
    compute(env, out, at) {
      out[at] = Math.min(1, Math.max(0, context.clipPhase(env)));
    },
  }),
};
