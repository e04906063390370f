import type { ParamSchema } from '../mdp/term.ts';
import type { EventDescription } from './knobs/vocabulary.ts';

const range = (unit: string, description: string): ParamSchema => ({
  type: 'vector',
  default: [0, 0],
  unit,
  description,
});

const number = (value: number, description: string, unit?: string): ParamSchema => ({
  type: 'number',
  default: value,
  minimum: 0,
  description,
  ...(unit === undefined ? {} : { unit }),
});

const axes = (linear: string, angular: string, what: string) => ({
  x: range(linear, `${what} along x`),
  y: range(linear, `${what} along y`),
  z: range(linear, `${what} along z`),
  roll: range(angular, `${what} about x`),
  pitch: range(angular, `${what} about y`),
  yaw: range(angular, `${what} about z`),
});

const body = (bodies: readonly string[], anchor: string): ParamSchema => ({
  type: 'enum',
  default: anchor,
  enum: bodies,
  description: 'body that it acts on',
});

/** Parameters of every event, by upstream's function name.
 *  @param bodies of the robot  @param anchor the body that is meant where none is named */
export function eventWords(bodies: readonly string[], anchor: string): Readonly<Record<string, EventDescription>> {
  return {
    push_by_setting_velocity: {
      description: "adds a uniform draw to the root's velocity, world frame",
      params: axes('m/s', 'rad/s', 'velocity added'),
    },
    body_com_offset: {
      description: "moves a body's centre of mass by a uniform draw, body frame",
      params: {
        body_name: body(bodies, anchor),
        x: range('m', 'shift along x'),
        y: range('m', 'shift along y'),
        z: range('m', 'shift along z'),
      },
    },
    apply_external_force_torque: {
      description: 'pulls a body by a uniform draw of force and torque, by axis, until the next one',
      params: {
        body_name: body(bodies, anchor),
        force_range: range('N', 'force by axis'),
        torque_range: range('Nm', 'torque by axis'),
      },
    },
    encoder_bias: {
      description: 'makes each encoder read wrong by a uniform draw',
      params: { bias_range: range('rad', 'error of each joint') },
    },
    geom_friction: {
      description: 'sliding friction of the feet, one uniform draw for all',
      params: { ranges: { ...range('1', 'coefficient of friction'), default: [0.3, 1.5], minimum: 0 } },
    },
    assistive_wrench: {
      description:
        'helps the robot at its anchor, the more the worse it fails there: F = β (M a_ref + kvp Δp + kvd Δv − g)',
      params: {
        enabled: { type: 'boolean', default: true, description: 'whether it helps at all' },
        beta_max: { ...number(0.6, 'largest share of help'), maximum: 1 },
        eta: { ...number(0.8, 'failure level from which help is largest'), maximum: 1 },
        kvp: number(1, 'gain of the position error'),
        kvd: number(10, 'gain of the velocity error'),
        kwp: number(200, 'gain of the orientation error'),
        kwd: number(10, 'gain of the angular velocity error'),
      },
    },
  };
}
