import { relativeRow, rotateInverseDifference, rotateInverseRow, sixDRow } from '../../core/math/rows.ts';
import type { EnvState } from '../env-state.ts';
import type { ObservationTerm, TermContext } from '../term.ts';
import { BODY_NAMES, NO_PARAMS, TermParams } from '../term-params.ts';

// Keybodies of robot and reference in the frame of the robot's anchor. Formulas: wbc_mjlab.env.mdp.observations.

type Source = 'robot' | 'reference';

const NAMED = { body_names: BODY_NAMES };

/** Returns the body index of every selected key body. */
function chosenBodies(context: TermContext, given: Parameters<ObservationTerm['make']>[1]): Int32Array {
  return new TermParams(NAMED, given).keybodies(context).map((k) => context.indices.keybodies[k]!);
}

const positions = (source: Source, description: string): ObservationTerm => ({
  description,
  unit: 'm',
  params: NAMED,
  make(context, given) {
    const { state, indices } = context;
    const bodies = chosenBodies(context, given);
    const from = source === 'robot' ? state.bodyPosW : state.refBodyPosW;
    return {
      dim: 3 * bodies.length,
      compute(env, out, at) {
        const first = env * state.bodies;
        const anchor = first + indices.anchor;
        for (let k = 0; k < bodies.length; k++) {
          const body = 3 * (first + bodies[k]!);
          rotateInverseDifference(out, at + 3 * k, state.bodyQuatW, 4 * anchor, from, body, state.bodyPosW, 3 * anchor);
        }
      },
    };
  },
});

const orientations = (source: Source, description: string): ObservationTerm => ({
  description,
  unit: '1',
  params: NAMED,
  make(context, given) {
    const { state, indices } = context;
    const bodies = chosenBodies(context, given);
    const from = source === 'robot' ? state.bodyQuatW : state.refBodyQuatW;
    const relative = new Float64Array(4);
    return {
      dim: 6 * bodies.length,
      compute(env, out, at) {
        const first = env * state.bodies;
        for (let k = 0; k < bodies.length; k++) {
          relativeRow(relative, state.bodyQuatW, 4 * (first + indices.anchor), from, 4 * (first + bodies[k]!));
          sixDRow(out, at + 6 * k, relative, 0);
        }
      },
    };
  },
});

const velocities = (pick: (state: EnvState) => Float64Array, description: string, unit: string): ObservationTerm => ({
  description,
  unit,
  params: NO_PARAMS,
  make({ state, indices }) {
    const from = pick(state);
    const bodies = Int32Array.from(indices.keybodies);
    return {
      dim: 3 * bodies.length,
      compute(env, out, at) {
        const first = env * state.bodies;
        const anchor = 4 * (first + indices.anchor);
        for (let k = 0; k < bodies.length; k++)
          rotateInverseRow(out, at + 3 * k, state.bodyQuatW, anchor, from, 3 * (first + bodies[k]!));
      },
    };
  },
});

export const robotBodyPosB = positions('robot', 'key bodies in the frame of the anchor: R(q_a)ᵀ (p − p_a)');

export const refBodyPosB = positions(
  'reference',
  "the reference's key bodies in the frame of the robot's anchor: R(q_a)ᵀ (p_ref − p_a)",
);

export const robotBodyOriB = orientations(
  'robot',
  'orientations of the key bodies in the frame of the anchor: first two columns of R(q_a⁻¹ q), row by row',
);

export const refBodyOriB = orientations(
  'reference',
  "orientations of the reference's key bodies in the frame of the robot's anchor: first two columns of R(q_a⁻¹ q_ref), row by row",
);

export const motionBodyLinVel = velocities(
  (state) => state.bodyLinVelW,
  'velocities of the key bodies, turned into the frame of the anchor: R(q_a)ᵀ v',
  'm/s',
);

export const motionBodyAngVel = velocities(
  (state) => state.bodyAngVelW,
  'angular velocities of the key bodies, turned into the frame of the anchor: R(q_a)ᵀ ω',
  'rad/s',
);

export const refBodyLinVel = velocities(
  (state) => state.refBodyLinVelW,
  "velocities of the reference's key bodies, turned into the frame of the robot's anchor: R(q_a)ᵀ v_ref",
  'm/s',
);

export const refBodyAngVel = velocities(
  (state) => state.refBodyAngVelW,
  "angular velocities of the reference's key bodies, turned into the frame of the robot's anchor: R(q_a)ᵀ ω_ref",
  'rad/s',
);
