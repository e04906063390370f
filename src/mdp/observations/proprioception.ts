import { badInput } from '../../core/errors.ts';
import { gravityRow, rotateInverseRow } from '../../core/math/rows.ts';
import type { EnvState } from '../env-state.ts';
import type { ComputeObservation, ObservationTerm, ParamSchema } from '../term.ts';
import { bodyNamed, NO_PARAMS, TermParams } from '../term-params.ts';
import { copyRow } from './copy.ts';

// Proprioception: the robot's own motion. Formulas: mjlab.envs.mdp.observations; torso_*:
// wbc_mjlab.env.mdp.observations.

export const baseLinVel: ObservationTerm = {
  description: "velocity of the root body's origin in the root's frame: R(q_root)ᵀ v_root",
  unit: 'm/s',
  params: NO_PARAMS,
  make: ({ state }) => rootVelocity(state, state.bodyLinVelW),
};

export const baseAngVel: ObservationTerm = {
  description: 'angular velocity of the root body in its own frame: R(q_root)ᵀ ω_root',
  unit: 'rad/s',
  params: NO_PARAMS,
  make: ({ state }) => rootVelocity(state, state.bodyAngVelW),
};

const SENSORS = ['imu_ang_vel', 'imu_lin_vel', 'root_angmom'] as const;
const SENSOR_PARAMS: Readonly<Record<string, ParamSchema>> = {
  sensor_name: {
    type: 'string',
    default: 'imu_ang_vel',
    description: `one of ${SENSORS.join(', ')}; a prefix such as robot/ is ignored`,
  },
  offset: {
    type: 'vector',
    default: [0, 0, 0],
    unit: 'm',
    description: 'position of the velocimeter in the frame of the root; the axes are those of the root',
  },
};

export const builtinSensor: ObservationTerm = {
  description:
    'what a sensor at the root reads: imu_ang_vel R(q_root)ᵀ ω_root, imu_lin_vel R(q_root)ᵀ v_root + ω_b × offset, root_angmom the angular momentum of the whole robot in world axes',
  unit: 'rad/s, m/s, kg·m²/s',
  params: SENSOR_PARAMS,
  make({ state }, given) {
    const params = new TermParams(SENSOR_PARAMS, given);
    const name = params.string('sensor_name').replace(/^.*\//, '');
    const [x, y, z] = params.vector('offset', 3) as [number, number, number];
    switch (name) {
      case 'imu_ang_vel':
        return rootVelocity(state, state.bodyAngVelW);
      case 'root_angmom':
        return copyRow(state.angularMomentum, 3);
      case 'imu_lin_vel': {
        const spin = new Float64Array(3);
        return {
          dim: 3,
          compute(env, out, at) {
            const root = env * state.bodies;
            rotateInverseRow(out, at, state.bodyQuatW, 4 * root, state.bodyLinVelW, 3 * root);
            rotateInverseRow(spin, 0, state.bodyQuatW, 4 * root, state.bodyAngVelW, 3 * root);
            out[at] = out[at]! + spin[1]! * z - spin[2]! * y;
            out[at + 1] = out[at + 1]! + spin[2]! * x - spin[0]! * z;
            out[at + 2] = out[at + 2]! + spin[0]! * y - spin[1]! * x;
          },
        };
      }
      default:
        throw badInput(`params.sensor_name: there is no sensor ${name}; expected one of ${SENSORS.join(', ')}`);
    }
  },
};

export const projectedGravity: ObservationTerm = {
  description: "direction of gravity in the root's frame: R(q_root)ᵀ (0, 0, −1)",
  unit: '1',
  params: NO_PARAMS,
  make: ({ state }) => ({
    dim: 3,
    compute: (env, out, at) => gravityRow(out, at, state.bodyQuatW, 4 * env * state.bodies),
  }),
};

export const jointPosRel: ObservationTerm = {
  description: 'joint positions from the default pose: q − q_default',
  unit: 'rad',
  params: NO_PARAMS,
  make: ({ state, defaultJointPos }) => ({
    dim: state.joints,
    compute(env, out, at) {
      const first = env * state.joints;
      for (let j = 0; j < state.joints; j++) out[at + j] = state.jointPos[first + j]! - defaultJointPos[j]!;
    },
  }),
};

export const jointVelRel: ObservationTerm = {
  description: 'joint velocities: q̇ (those of the default pose are 0)',
  unit: 'rad/s',
  params: NO_PARAMS,
  make: ({ state }) => copyRow(state.jointVel, state.joints),
};

export const lastAction: ObservationTerm = {
  description: 'last output of the policy, without scale and offset',
  unit: '1',
  params: NO_PARAMS,
  make: ({ state }) => copyRow(state.actions, state.joints),
};

const BODY_PARAMS: Readonly<Record<string, ParamSchema>> = {
  body_name: { type: 'string', default: '', description: "body by name; empty: the motion command's anchor" },
};

export const torsoAngVel: ObservationTerm = {
  description: 'angular velocity of a body in its own frame: R(q)ᵀ ω',
  unit: 'rad/s',
  params: BODY_PARAMS,
  make(context, given) {
    const { state, indices } = context;
    const name = new TermParams(BODY_PARAMS, given).string('body_name');
    const body = name === '' ? indices.anchor : bodyNamed(context, name);
    return {
      dim: 3,
      compute(env, out, at) {
        const row = env * state.bodies + body;
        rotateInverseRow(out, at, state.bodyQuatW, 4 * row, state.bodyAngVelW, 3 * row);
      },
    };
  },
};

export const torsoProjectedGravity: ObservationTerm = {
  description: "direction of gravity in a body's frame: R(q)ᵀ (0, 0, −1)",
  unit: '1',
  params: BODY_PARAMS,
  make(context, given) {
    const { state, indices } = context;
    const name = new TermParams(BODY_PARAMS, given).string('body_name');
    const body = name === '' ? indices.anchor : bodyNamed(context, name);
    return { dim: 3, compute: (env, out, at) => gravityRow(out, at, state.bodyQuatW, 4 * (env * state.bodies + body)) };
  },
};

function rootVelocity(
  state: EnvState,
  velocity: Float64Array,
): { readonly dim: number; readonly compute: ComputeObservation } {
  return {
    dim: 3,
    compute(env, out, at) {
      const root = env * state.bodies;
      rotateInverseRow(out, at, state.bodyQuatW, 4 * root, velocity, 3 * root);
    },
  };
}
