import { gravityZ } from '../../core/math/rows.ts';
import type { EnvState } from '../env-state.ts';
import type { ParamSchema, TerminationTerm } from '../term.ts';
import { NO_PARAMS, TermParams } from '../term-params.ts';

// Terminations that do not depend on the reference. Formulas: mjlab.envs.mdp.terminations.

export const timeOut: TerminationTerm = {
  description: 'the episode has its full length: steps ≥ episode_length_s divided by the control step',
  unit: '1',
  params: NO_PARAMS,
  make:
    ({ state, maxEpisodeSteps }) =>
    (env) =>
      state.episodeStep[env]! >= maxEpisodeSteps,
};

const ANGLE: Readonly<Record<string, ParamSchema>> = {
  limit_angle: { type: 'number', default: 1.2, minimum: 0, unit: 'rad', description: 'largest tilt from upright' },
};
export const badOrientation: TerminationTerm = {
  description:
    'the root is tilted too far: acos(−g.z) > limit_angle, with g the direction of gravity in the frame of the root',
  unit: 'rad',
  params: ANGLE,
  make({ state }, given) {
    const most = new TermParams(ANGLE, given).number('limit_angle');
    return (env) => tilt(state, env) > most;
  },
  explain({ state }, given) {
    const limit = new TermParams(ANGLE, given).number('limit_angle');
    return (env) => ({ body: 0, value: tilt(state, env), limit });
  },
};

function tilt({ bodyQuatW, bodies }: EnvState, env: number): number {
  return Math.acos(Math.min(1, Math.max(-1, -gravityZ(bodyQuatW, 4 * env * bodies))));
}

const HEIGHT: Readonly<Record<string, ParamSchema>> = {
  minimum_height: { type: 'number', default: 0.3, unit: 'm', description: 'lowest height of the root in the world' },
};
export const rootHeightBelowMinimum: TerminationTerm = {
  description: 'the root is too low: z_root < minimum_height',
  unit: 'm',
  params: HEIGHT,
  make({ state }, given) {
    const least = new TermParams(HEIGHT, given).number('minimum_height');
    return (env) => state.bodyPosW[3 * env * state.bodies + 2]! < least;
  },
  explain({ state }, given) {
    const limit = new TermParams(HEIGHT, given).number('minimum_height');
    return (env) => ({ body: 0, value: state.bodyPosW[3 * env * state.bodies + 2]!, limit });
  },
};

export const nanDetection: TerminationTerm = {
  description: 'the physics diverged: a pose or velocity of the root or a joint is not finite',
  unit: '1',
  params: NO_PARAMS,
  make:
    ({ state }) =>
    (env) => {
      let sum = 0;
      const root = env * state.bodies;
      for (let i = 0; i < 3; i++)
        sum +=
          0 * (state.bodyPosW[3 * root + i]! + state.bodyLinVelW[3 * root + i]! + state.bodyAngVelW[3 * root + i]!);
      for (let i = 0; i < 4; i++) sum += 0 * state.bodyQuatW[4 * root + i]!;
      for (let i = env * state.joints; i < (env + 1) * state.joints; i++)
        sum += 0 * (state.jointPos[i]! + state.jointVel[i]!);
      // The product of 0 and a finite number is 0; the product of 0 and NaN or infinity is NaN.
      return Number.isNaN(sum);
    },
};
