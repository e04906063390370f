import { toRotationVector } from '../../core/math/quaternion.ts';
import { relativeRow, rotateInverseDifference, sixDRow, turnBetweenRows } from '../../core/math/rows.ts';
import type { ObservationTerm } from '../term.ts';
import { NO_PARAMS } from '../term-params.ts';

// Error of the anchor relative to the reference. Formulas: wbc_mjlab.env.mdp.observations.

export const motionAnchorPosB: ObservationTerm = {
  description: "position of the reference anchor in the frame of the robot's anchor: R(q_a)ᵀ (p_refa − p_a)",
  unit: 'm',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 3,
    compute(env, out, at) {
      const anchor = env * state.bodies + indices.anchor;
      const { bodyQuatW, refBodyPosW, bodyPosW } = state;
      rotateInverseDifference(out, at, bodyQuatW, 4 * anchor, refBodyPosW, 3 * anchor, bodyPosW, 3 * anchor);
    },
  }),
};

export const motionAnchorPosZB: ObservationTerm = {
  description: 'third value of motion_anchor_pos_b: z of R(q_a)ᵀ (p_refa − p_a)',
  unit: 'm',
  params: NO_PARAMS,
  make({ state, indices }) {
    const position = new Float64Array(3);
    return {
      dim: 1,
      compute(env, out, at) {
        const anchor = env * state.bodies + indices.anchor;
        const { bodyQuatW, refBodyPosW, bodyPosW } = state;
        rotateInverseDifference(position, 0, bodyQuatW, 4 * anchor, refBodyPosW, 3 * anchor, bodyPosW, 3 * anchor);
        out[at] = position[2]!;
      },
    };
  },
};

export const motionAnchorOriB: ObservationTerm = {
  description:
    "orientation of the reference anchor in the frame of the robot's anchor: first two columns of R(q_a⁻¹ q_refa), row by row",
  unit: '1',
  params: NO_PARAMS,
  make({ state, indices }) {
    const relative = new Float64Array(4);
    return {
      dim: 6,
      compute(env, out, at) {
        const anchor = 4 * (env * state.bodies + indices.anchor);
        relativeRow(relative, state.bodyQuatW, anchor, state.refBodyQuatW, anchor);
        sixDRow(out, at, relative, 0);
      },
    };
  },
};

export const motionAnchorPosErrorW: ObservationTerm = {
  description: "difference from the robot's anchor to the reference anchor, world axes: p_refa − p_a",
  unit: 'm',
  params: NO_PARAMS,
  make: ({ state, indices }) => ({
    dim: 3,
    compute(env, out, at) {
      const anchor = 3 * (env * state.bodies + indices.anchor);
      for (let i = 0; i < 3; i++) out[at + i] = state.refBodyPosW[anchor + i]! - state.bodyPosW[anchor + i]!;
    },
  }),
};

export const motionAnchorOriError: ObservationTerm = {
  description:
    "turn that brings the robot's anchor to the reference's, axis times angle, world axes: log(q_refa q_a⁻¹)",
  unit: 'rad',
  params: NO_PARAMS,
  make({ state, indices }) {
    const turn = new Float64Array(4);
    const vector = new Float64Array(3);
    return {
      dim: 3,
      compute(env, out, at) {
        const anchor = 4 * (env * state.bodies + indices.anchor);
        turnBetweenRows(turn, state.refBodyQuatW, anchor, state.bodyQuatW, anchor);
        toRotationVector(vector, turn);
        out[at] = vector[0]!;
        out[at + 1] = vector[1]!;
        out[at + 2] = vector[2]!;
      },
    };
  },
};
