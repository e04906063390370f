import type { JointSpec } from '../../protocol/schemas/robots.ts';

/** A motor with its gear: effort in Nm, armature (reflected rotor inertia) in kg·m², top speed in rad/s. */
interface Motor {
  readonly effort: number;
  readonly armature: number;
  readonly speed: number;
}

/** Armature is about 2e-4 kg·m² per Nm of effort, as in geared electric joints of this size. The ankles have more,
 *  because the whole body relies on their stiffness: without a policy the robot falls only after some seconds. */
const MOTORS = {
  leg: { effort: 120, armature: 0.03, speed: 20 },
  turn: { effort: 80, armature: 0.016, speed: 20 },
  ankle: { effort: 70, armature: 0.026, speed: 24 },
  arm: { effort: 25, armature: 0.005, speed: 25 },
} as const satisfies Record<string, Motor>;

/** Motor and default angle (rad) by joint name without side. Angles are for the left side; roll and yaw change sign on
 *  the right. */
export const JOINT_SETTINGS: Readonly<Record<string, readonly [motor: Motor, angle: number]>> = {
  hip_pitch: [MOTORS.leg, -0.15],
  hip_roll: [MOTORS.leg, 0],
  hip_yaw: [MOTORS.turn, 0],
  knee: [MOTORS.leg, 0.3],
  ankle_pitch: [MOTORS.ankle, -0.15],
  ankle_roll: [MOTORS.ankle, 0],
  waist_yaw: [MOTORS.turn, 0],
  shoulder_pitch: [MOTORS.arm, 0.05],
  shoulder_roll: [MOTORS.arm, 0.15],
  shoulder_yaw: [MOTORS.arm, 0],
  elbow: [MOTORS.arm, -0.4],
};

/** Closed-loop frequency and damping ratio of a joint whose only load is its rotor: kp = I ω², kd = 2 ζ I ω. */
const OMEGA = 2 * Math.PI * 10;
const ZETA = 2;

/** @param name of the joint in the model, such as left_knee_joint */
export function jointSpec(name: string): JointSpec {
  const [, side, part] = /^(?:(left|right)_)?(.+)_joint$/.exec(name)!;
  const [{ effort, armature, speed }, angle] = JOINT_SETTINGS[part!]!;
  const stiffness = armature * OMEGA ** 2;
  const mirrors = side === 'right' && /roll|yaw/.test(part!);
  return {
    default: mirrors ? 0 - angle : angle,
    stiffness,
    damping: 2 * ZETA * armature * OMEGA,
    armature,
    effort_limit: effort,
    action_scale: (0.25 * effort) / stiffness,
    velocity_limit: speed,
  };
}
