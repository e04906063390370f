import { multiply, toRotationVector } from '../../core/math/quaternion.ts';
import { cross, subtract } from '../../core/math/vector.ts';
import { TermParams } from '../term-params.ts';
import type { EventTerm } from './event-term.ts';

const gain = (value: number, unit: string, description: string) => ({
  type: 'number' as const,
  default: value,
  minimum: 0,
  unit,
  description,
});

/** Applies a force F and a torque T to the robot's anchor that help the robot in bins where episodes fail. With β =
 *  clamp(1 − (1 − f)/η, 0, β_max) and f the failure level of the bin in which the episode started:
 *
 *      F = β (M a_ref + kvp Δp + kvd Δv − g)
 *      T = β (I α_ref + kwp I log(q_ref q⁻¹) + kwd I Δω + ω × I ω − r × M g)
 *
 *  M is the mass of the anchor's subtree, I the diagonal of the anchor's inertia, and r the vector from the root to the
 *  robot's centre of mass. Δ is reference minus robot. All vectors are in the world frame. Source: assistive_wrench of
 *  wbc_mjlab, whose force contains g without the mass. */
export const assistiveWrench: EventTerm = {
  description:
    'assists the robot in following its reference with a force and a torque at the anchor, in proportion to the failures of its start bin',
  modes: ['step'],
  params: {
    enabled: { type: 'boolean', default: true, description: 'whether the robot is assisted' },
    kvp: gain(1, 'N/m', 'force per metre of distance between the anchors'),
    kvd: gain(10, 'N·s/m', 'force per m/s of velocity difference'),
    kwp: gain(200, '1/s²', 'angular acceleration per radian of orientation difference'),
    kwd: gain(10, '1/s', 'angular acceleration per rad/s of angular velocity difference'),
    beta_max: { ...gain(0.6, '', 'largest share of the assistance'), maximum: 1 },
    eta: { ...gain(0.8, '', 'success rate above which there is no assistance'), maximum: 1 },
  },
  make(context, given) {
    const params = new TermParams(this.params, given);
    const kvp = params.number('kvp');
    const kvd = params.number('kvd');
    const kwp = params.number('kwp');
    const kwd = params.number('kwd');
    const most = params.boolean('enabled') ? params.number('beta_max') : 0;
    const eta = params.number('eta');
    const { state, physics, indices, command, sampling } = context;
    const { model } = physics;
    const body = indices.anchor + 1;
    const mass = model.body_subtreemass[body] as number;
    const inertia = Float64Array.from(model.body_inertia.slice(3 * body, 3 * body + 3) as Float64Array);
    const weight = Float64Array.from(model.opt.gravity as Float64Array, (g) => mass * g);
    const gravity = Float64Array.from(model.opt.gravity as Float64Array);
    const { values } = physics.wrenchOn(indices.anchor);
    const acceleration = new Float64Array(6);
    const turn = new Float64Array(4);
    const reference = new Float64Array(4);
    const error = new Float64Array(3);
    const omega = new Float64Array(3);
    const gyroscopic = new Float64Array(3);
    const lever = new Float64Array(3);
    return (env) => {
      const bin = command.startBin[env]!;
      const successes = bin < 0 ? 1 : 1 - sampling.levels[bin]!;
      // Without successes, the quotient would be 0/0 for η = 0.
      const beta = successes === 0 ? most : Math.max(0, Math.min(most, 1 - successes / eta));
      const out = 6 * env;
      state.assistGain[env] = beta;
      if (beta === 0) values.fill(0, out, out + 6);
      else {
        const p = 3 * (env * state.bodies + indices.anchor);
        const q = 4 * (env * state.bodies + indices.anchor);
        command.anchorAcceleration(env, acceleration);
        for (let k = 0; k < 4; k++) turn[k] = (k === 0 ? 1 : -1) * state.bodyQuatW[q + k]!;
        for (let k = 0; k < 4; k++) reference[k] = state.refBodyQuatW[q + k]!;
        multiply(turn, reference, turn);
        toRotationVector(error, turn);
        for (let axis = 0; axis < 3; axis++) omega[axis] = state.bodyAngVelW[p + axis]!;
        for (let axis = 0; axis < 3; axis++) {
          gyroscopic[axis] = inertia[axis]! * omega[axis]!;
          lever[axis] = physics.com[3 * env + axis]! - physics.qpos[env * physics.nq + axis]!;
        }
        cross(gyroscopic, omega, gyroscopic);
        cross(lever, lever, weight);
        subtract(gyroscopic, gyroscopic, lever);
        for (let axis = 0; axis < 3; axis++) {
          const dp = state.refBodyPosW[p + axis]! - state.bodyPosW[p + axis]!;
          const dv = state.refBodyLinVelW[p + axis]! - state.bodyLinVelW[p + axis]!;
          const dw = state.refBodyAngVelW[p + axis]! - omega[axis]!;
          values[out + axis] = beta * (mass * acceleration[axis]! + kvp * dp + kvd * dv - gravity[axis]!);
          values[out + 3 + axis] =
            beta * (inertia[axis]! * (acceleration[3 + axis]! + kwp * error[axis]! + kwd * dw) + gyroscopic[axis]!);
        }
      }
      for (let axis = 0; axis < 3; axis++) {
        state.assistForce[3 * env + axis] = values[out + axis]!;
        state.assistTorque[3 * env + axis] = values[out + 3 + axis]!;
      }
      return false;
    };
  },
};
