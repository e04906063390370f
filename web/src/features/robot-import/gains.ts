import type { JointSpec } from '../../../../src/protocol/schemas/robots.ts';

/** rad (m) of target per unit of action, times kp, as a share of the effort limit: what the service suggests, too */
const ACTION_SHARE = 0.25;
const DIGITS = 6;

export interface Swing {
  /** natural frequency of the joint's armature alone, Hz */
  readonly frequency: number;
  /** 1 is critical damping */
  readonly ratio: number;
}

const rounded = (value: number) => Number(value.toPrecision(DIGITS));

/** The joint with the gains that make its armature swing so: kp = armature·ω², kd = 2·ratio·armature·ω; its scale of
 *  actions goes with them. */
export function withSwing(joint: JointSpec, { frequency, ratio }: Swing): JointSpec {
  const omega = 2 * Math.PI * frequency;
  return withScale({
    ...joint,
    stiffness: rounded(joint.armature * omega ** 2),
    damping: rounded(2 * ratio * joint.armature * omega),
  });
}

/** How the joint's armature swings with its gains; null where one of them is zero. */
export function swingOf({ armature, stiffness, damping }: JointSpec): Swing | null {
  if (!(armature > 0) || !(stiffness > 0)) return null;
  const omega = Math.sqrt(stiffness / armature);
  return { frequency: omega / (2 * Math.PI), ratio: damping / (2 * armature * omega) };
}

/** The joint with the scale of actions that its stiffness and effort limit ask for; without stiffness it stays. */
export function withScale(joint: JointSpec): JointSpec {
  if (!(joint.stiffness > 0)) return joint;
  return { ...joint, action_scale: rounded((ACTION_SHARE * joint.effort_limit) / joint.stiffness) };
}

/** The joint with another velocity limit, rad/s or m/s; null: none is known. */
export function withVelocityLimit(joint: JointSpec, limit: number | null): JointSpec {
  const { velocity_limit: _, ...others } = joint;
  return limit === null ? others : { ...others, velocity_limit: limit };
}
