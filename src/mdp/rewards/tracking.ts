import { angleBetweenRows, squaredDistance } from '../../core/math/rows.ts';
import type { EnvState } from '../env-state.ts';
import type { RewardTerm } from '../term.ts';
import { jointsNamed, TermParams } from '../term-params.ts';
import {
  bodyKernelParams,
  bodyKernelReward,
  jointKernelParams,
  kernelParams,
  kernelReward,
  manyKernelsReward,
} from './kernel.ts';

// Rewards for closeness of the robot to its reference, 0 to 1. Formulas: wbc_mjlab.env.mdp.rewards, after BeyondMimic
// and Zest.

/** @param error squared error of the body in row `row` of the arrays of bodies */
const ofAnchor = (
  error: (state: EnvState, row: number) => number,
  std: number,
  unit: string,
  description: string,
): RewardTerm => {
  const params = kernelParams(std, unit);
  return {
    description: `exp(−κ e²/s²) of ${description}`,
    unit: '1',
    params,
    make: ({ state, indices }, given) =>
      kernelReward(params, given, (env) => error(state, env * state.bodies + indices.anchor)),
  };
};

const linVelError = ({ refBodyLinVelW, bodyLinVelW }: EnvState, row: number) =>
  squaredDistance(refBodyLinVelW, 3 * row, bodyLinVelW, 3 * row);
const angVelError = ({ refBodyAngVelW, bodyAngVelW }: EnvState, row: number) =>
  squaredDistance(refBodyAngVelW, 3 * row, bodyAngVelW, 3 * row);

export const motionGlobalAnchorPositionErrorExp = ofAnchor(
  ({ refBodyPosW, bodyPosW }, row) => squaredDistance(refBodyPosW, 3 * row, bodyPosW, 3 * row),
  0.5,
  'm',
  "the anchor's position error: e² = |p_refa − p_a|²",
);

export const motionGlobalAnchorOrientationErrorExp = ofAnchor(
  ({ refBodyQuatW, bodyQuatW }, row) => angleBetweenRows(refBodyQuatW, 4 * row, bodyQuatW, 4 * row) ** 2,
  0.4,
  'rad',
  "the anchor's orientation error: e = angle between q_refa and q_a",
);

/** Uses the world frame, because a difference has the same length in the body's frame. */
export const motionAnchorLinearVelocityErrorExp = ofAnchor(
  linVelError,
  1,
  'm/s',
  "the anchor's velocity error: e² = |v_refa − v_a|²",
);

export const motionAnchorAngularVelocityErrorExp = ofAnchor(
  angVelError,
  1.5,
  'rad/s',
  "the anchor's angular velocity error: e² = |ω_refa − ω_a|²",
);

/** @param error squared error of the body in row `body` of the arrays of bodies and row `rel` of the arrays of
 *  keybodies */
const ofBodies = (
  error: (state: EnvState, body: number, rel: number) => number,
  std: number,
  unit: string,
  description: string,
): RewardTerm => {
  const params = bodyKernelParams(std, unit);
  return {
    description: `exp(−κ e²/s²) of ${description}, mean or sum over the key bodies`,
    unit: '1',
    params,
    make(context, given) {
      const { state, indices } = context;
      const count = indices.keybodies.length;
      return bodyKernelReward(context, params, given, (env, k) =>
        error(state, env * state.bodies + indices.keybodies[k]!, env * count + k),
      );
    },
  };
};

export const motionRelativeBodyPositionErrorExp = ofBodies(
  (state, body, rel) => squaredDistance(state.relBodyPosW, 3 * rel, state.bodyPosW, 3 * body),
  0.15,
  'm',
  "position errors: e² = |p_rel − p|², p_rel the reference's body moved to the robot's anchor in x, y and yaw",
);

export const motionRelativeBodyOrientationErrorExp = ofBodies(
  (state, body, rel) => angleBetweenRows(state.relBodyQuatW, 4 * rel, state.bodyQuatW, 4 * body) ** 2,
  0.4,
  'rad',
  "orientation errors: e = angle between q_rel and q, q_rel the reference's turned to the robot's yaw",
);

export const motionGlobalBodyLinearVelocityErrorExp = ofBodies(
  (state, body) => linVelError(state, body),
  1,
  'm/s',
  'velocity errors: e² = |v_ref − v|², world axes',
);

export const motionGlobalBodyAngularVelocityErrorExp = ofBodies(
  (state, body) => angVelError(state, body),
  3.14,
  'rad/s',
  'angular velocity errors: e² = |ω_ref − ω|², world axes',
);

const ofJoints = (
  pick: (state: EnvState) => readonly [Float64Array, Float64Array],
  std: number,
  unit: string,
  description: string,
): RewardTerm => {
  const schema = jointKernelParams(std, unit);
  return {
    description: `exp(−κ e²/s²) of ${description}, sum over the joints`,
    unit: '1',
    params: schema,
    make(context, given) {
      const params = new TermParams(schema, given);
      const joints = jointsNamed(context, params.namesOrNull('joint_names'));
      const [reference, own] = pick(context.state);
      const width = context.state.joints;
      return manyKernelsReward(
        {
          count: joints.length,
          sigma: params.numberOrNull('sigma_per_joint'),
          each: params.boolean('per_joint'),
          mean: false,
          std: params.number('std'),
          kappa: params.number('kappa'),
        },
        (env, i) => {
          const at = env * width + joints[i]!;
          const error = reference[at]! - own[at]!;
          return error * error;
        },
      );
    },
  };
};

export const motionJointPositionErrorExp = ofJoints(
  (state) => [state.refJointPos, state.jointPos],
  0.5,
  'rad',
  'joint position errors: e² = Σ (q_ref − q)²',
);

export const motionJointVelocityErrorExp = ofJoints(
  (state) => [state.refJointVel, state.jointVel],
  2,
  'rad/s',
  'joint velocity errors: e² = Σ (q̇_ref − q̇)²',
);
