import type { JointSpec } from '../../../../src/protocol/schemas/robots.ts';

/** Action scale (rad or m per unit of action) × kp, as a share of the effort limit. The service suggests the same. */
const ACTION_SHARE = 0.25;
const DIGITS = 6;

export interface Swing {
  /** natural frequency of the joint with its armature as the only inertia, Hz */
  readonly frequency: number;
  /** 1 is critical damping */
  readonly ratio: number;
}

const rounded = (value: number) => Number(value.toPrecision(DIGITS));

/** Returns the joint with gains for this swing: kp = armature·ω², kd = 2·ratio·armature·ω. Adapts the action scale. */
export function withSwing(joint: JointSpec, { frequency, ratio }: Swing): JointSpec {
  const omega = 2 * Math.PI * frequency;
  return withScale({
    ...joint,
    stiffness: rounded(joint.armature * omega ** 2),
    damping: rounded(2 * ratio * joint.armature * omega),
  });
}

/** Natural frequency and damping ratio of the armature with the joint's gains; null without armature or stiffness. */
export function swingOf({ armature, stiffness, damping }: JointSpec): Swing | null {
  if (!(armature > 0) || !(stiffness > 0)) return null;
  const omega = Math.sqrt(stiffness / armature);
  return { frequency: omega / (2 * Math.PI), ratio: damping / (2 * armature * omega) };
}

/** Returns the joint with the action scale of its stiffness and effort limit; unchanged without stiffness. */
export function withScale(joint: JointSpec): JointSpec {
  if (!(joint.stiffness > 0)) return joint;
  return { ...joint, action_scale: rounded((ACTION_SHARE * joint.effort_limit) / joint.stiffness) };
}

/** Returns the joint with another velocity limit, rad/s or m/s. @param limit null: unknown */
export function withVelocityLimit(joint: JointSpec, limit: number | null): JointSpec {
  const { velocity_limit: _, ...others } = joint;
  return limit === null ? others : { ...others, velocity_limit: limit };
}
