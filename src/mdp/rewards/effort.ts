import type { ParamSchema, RewardTerm, TermContext } from '../term.ts';
import { jointsNamed, NO_PARAMS, TermParams } from '../term-params.ts';
import { torqueLimit } from '../torque-limit.ts';

// Costs of torque and power; their weights are negative. Formulas: wbc_mjlab.env.mdp.rewards and
// mjlab.envs.mdp.rewards. Torques are those applied at the joints.

/** Returns the largest torque of joint `j` at standstill, Nm: y2 of its motor curve, otherwise its effort limit. */
function mostTorque({ facts, effortLimit }: TermContext, j: number): number {
  return facts.joints[j]!.torqueSpeed?.y2 ?? effortLimit[j]!;
}

const SOFT: Readonly<Record<string, ParamSchema>> = {
  soft_ratio: {
    type: 'number',
    default: 0.95,
    minimum: 0,
    description: 'share of the largest torque without a cost',
  },
};

/** The original project divides by the force range of the actuator, but its motors have no such range. This term
 *  divides by the maximum torque of the motor. */
export const actuatorTorqueSoftLimit: RewardTerm = {
  description:
    "torques near the motors' limits: Σ max(0, |τ|/τmax − soft_ratio), τmax what the motor gives at low speed",
  unit: '1',
  params: SOFT,
  make(context, given) {
    const { state } = context;
    const ratio = new TermParams(SOFT, given).number('soft_ratio');
    const most = Float64Array.from(context.facts.joints, (_, j) => Math.max(1e-6, mostTorque(context, j)));
    return (env) => {
      let sum = 0;
      for (let j = 0; j < state.joints; j++)
        sum += Math.max(0, Math.abs(state.torque[env * state.joints + j]!) / most[j]! - ratio);
      return sum;
    };
  },
};

export const jointTorquesL2: RewardTerm = {
  description: 'squared torques: Σ τ²',
  unit: 'N²m²',
  params: NO_PARAMS,
  make:
    ({ state }) =>
    (env) => {
      let sum = 0;
      for (let i = env * state.joints; i < (env + 1) * state.joints; i++) sum += state.torque[i]! ** 2;
      return sum;
    },
};

/** The same as mjlab's `electrical_power_cost`. */
export const mechanicalPowerL1: RewardTerm = {
  description: 'mechanical power while driving: Σ max(0, τ q̇)',
  unit: 'W',
  params: NO_PARAMS,
  make:
    ({ state }) =>
    (env) => {
      let sum = 0;
      for (let i = env * state.joints; i < (env + 1) * state.joints; i++)
        sum += Math.max(0, state.torque[i]! * state.jointVel[i]!);
      return sum;
    },
};

const BRAKING: Readonly<Record<string, ParamSchema>> = {
  power_deadband: {
    type: 'number',
    default: 0,
    minimum: 0,
    unit: 'W',
    description: 'braking power without a cost',
  },
  penalty_scale: {
    type: 'number',
    default: 1,
    minimum: 0,
    unit: 'W',
    description: 'braking power that gives the value 1',
  },
  joint_names: { type: 'names', default: null, description: 'joints to include, by name; null: all' },
};

export const negativeMechanicalPowerL2: RewardTerm = {
  description: 'power fed back while braking: Σ (max(0, −τ q̇ − power_deadband) / penalty_scale)²',
  unit: '1',
  params: BRAKING,
  make(context, given) {
    const { state } = context;
    const params = new TermParams(BRAKING, given);
    const deadband = params.number('power_deadband');
    const scale = Math.max(1e-6, params.number('penalty_scale'));
    const joints = jointsNamed(context, params.namesOrNull('joint_names'));
    return (env) => {
      let sum = 0;
      for (let i = 0; i < joints.length; i++) {
        const at = env * state.joints + joints[i]!;
        sum += (Math.max(0, -state.torque[at]! * state.jointVel[at]! - deadband) / scale) ** 2;
      }
      return sum;
    };
  },
};

export const torqueEnvelopeViolationL2: RewardTerm = {
  description:
    'torques beyond what the motors give at their speed: Σ max(0, |τ| − limit(q̇))², y1 while driving, y2 while braking',
  unit: 'N²m²',
  params: NO_PARAMS,
  make:
    ({ state, facts, effortLimit }) =>
    (env) => {
      let sum = 0;
      for (let j = 0; j < state.joints; j++) {
        const torque = state.torque[env * state.joints + j]!;
        const speed = state.jointVel[env * state.joints + j]!;
        const law = facts.joints[j]!.torqueSpeed;
        const most = law ? torqueLimit(law, torque * speed > 0 ? law.y1 : law.y2, speed) : effortLimit[j]!;
        sum += Math.max(0, Math.abs(torque) - most) ** 2;
      }
      return sum;
    },
};
