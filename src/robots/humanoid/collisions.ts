import { SIZE, type Vector } from './links.ts';
import { HEAD_CENTRE } from './shape/torso-shells.ts';

/** A capsule between two points of the body frame; m. */
export interface Collision {
  readonly body: string;
  readonly name: string;
  readonly radius: number;
  readonly from: Vector;
  readonly to: Vector;
}

/** Two capsules per foot, along its inner and outer edge. They give four floor contacts on flat ground and no corner
 *  that could catch. */
export const FOOT = { heel: -0.051, toe: 0.119, side: 0.023, radius: 0.014 } as const;

export const COLLISIONS: readonly Collision[] = [
  { body: 'pelvis', name: 'pelvis', radius: 0.073, from: [0, -0.04, -0.002], to: [0, 0.04, -0.002] },
  { body: 'torso_link', name: 'belly', radius: 0.06, from: [0.005, -0.03, 0.1], to: [0.005, 0.03, 0.1] },
  { body: 'torso_link', name: 'chest', radius: 0.084, from: [0.007, -0.05, 0.228], to: [0.007, 0.05, 0.228] },
  {
    body: 'torso_link',
    name: 'head',
    radius: 0.073,
    from: [0, 0, HEAD_CENTRE - 0.01],
    to: [0, 0, HEAD_CENTRE + 0.015],
  },
  ...(['left', 'right'] as const).flatMap((side): Collision[] => [
    limb(`${side}_hip_yaw_link`, `${side}_thigh`, 0.056, -0.095, -0.24),
    limb(`${side}_knee_link`, `${side}_shin`, 0.042, -0.07, -0.215),
    sole(side, 1, FOOT.side),
    sole(side, 2, -FOOT.side),
    limb(`${side}_shoulder_yaw_link`, `${side}_upper_arm`, 0.041, -0.03, -0.18),
    limb(`${side}_elbow_link`, `${side}_forearm`, 0.033, -0.04, -0.16),
    limb(`${side}_hand_link`, `${side}_hand`, 0.021, -0.015, -0.062),
  ]),
];

/** Pairs of bodies whose contacts are excluded, because a flexed thigh overlaps the rounded front of the pelvis. */
export const EXCLUDES: readonly (readonly [string, string])[] = [
  ['pelvis', 'left_hip_yaw_link'],
  ['pelvis', 'right_hip_yaw_link'],
];

function limb(body: string, name: string, radius: number, top: number, bottom: number): Collision {
  return { body, name, radius, from: [0, 0, top], to: [0, 0, bottom] };
}

function sole(side: string, index: number, y: number): Collision {
  const z = FOOT.radius - SIZE.ankle;
  return {
    body: `${side}_ankle_roll_link`,
    name: `${side}_foot${index}`,
    radius: FOOT.radius,
    from: [FOOT.heel, y, z],
    to: [FOOT.toe, y, z],
  };
}
