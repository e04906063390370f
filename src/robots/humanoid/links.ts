/** Lengths of the humanoid, m. */
export const SIZE = {
  /** distance of hip centres from the middle plane, and below the pelvis frame */
  hipSide: 0.085,
  hipDrop: 0.045,
  thigh: 0.3,
  shin: 0.28,
  /** ankle centre above the sole */
  ankle: 0.062,
  /** waist joint above the pelvis frame */
  waist: 0.075,
  /** shoulder centres from the middle plane and above the waist joint */
  shoulderSide: 0.157,
  shoulderRise: 0.272,
  /** distance of the arm outwards from its shoulder */
  armOut: 0.023,
  upperArm: 0.222,
  forearm: 0.2,
} as const;

type Axis = 'x' | 'y' | 'z';
export type Vector = readonly [x: number, y: number, z: number];

/** A body and the joint that moves it relative to its parent. */
export interface Link {
  readonly name: string;
  readonly parent: string | null;
  /** origin of the frame in the parent's frame, m; in the zero pose all frames are parallel */
  readonly position: Vector;
  /** the joint; null for the free root and for a hand, which is fixed to its forearm */
  readonly joint: { readonly name: string; readonly axis: Axis; readonly range: readonly [number, number] } | null;
  /** kg */
  readonly mass: number;
  /** centre of mass in the body frame, m */
  readonly centre: Vector;
  /** edge lengths of the box that has the inertia of the link, m */
  readonly box: Vector;
}

/** Bodies in model order: parents before children, and joints in the column order of clips. */
export const LINKS: readonly Link[] = [
  {
    name: 'pelvis',
    parent: null,
    position: [0, 0, 0],
    joint: null,
    mass: 4.4,
    centre: [0, 0, 0],
    box: [0.13, 0.18, 0.15],
  },
  ...leg('left', 1),
  ...leg('right', -1),
  {
    name: 'torso_link',
    parent: 'pelvis',
    position: [0, 0, SIZE.waist],
    joint: { name: 'waist_yaw_joint', axis: 'z', range: [-1.4, 1.4] },
    mass: 9.8,
    // far enough forward that the whole body balances over its soles in the default pose
    centre: [0.028, 0, 0.225],
    box: [0.16, 0.23, 0.4],
  },
  ...arm('left', 1),
  ...arm('right', -1),
];

type Side = 'left' | 'right';

/** Returns the range of a joint on one side, given the range of the left side. On the right, ranges about x and z are
 *  mirrored. */
function mirrored(sign: number, axis: Axis, lower: number, upper: number): readonly [number, number] {
  return axis === 'y' || sign > 0 ? [lower, upper] : [-upper, -lower];
}

function chain(side: Side, sign: number, parent: string) {
  let above = parent;
  return (
    part: string,
    position: Vector,
    [axis, lower, upper]: readonly [Axis, number, number],
    [mass, centre, box]: readonly [mass: number, centre: Vector, box: Vector],
  ): Link => {
    const name = `${side}_${part}_link`;
    const link: Link = {
      name,
      parent: above,
      position: [position[0], sign * position[1], position[2]],
      joint: { name: `${side}_${part}_joint`, axis, range: mirrored(sign, axis, lower, upper) },
      mass,
      centre: [centre[0], sign * centre[1], centre[2]],
      box,
    };
    above = name;
    return link;
  };
}

function leg(side: Side, sign: number): Link[] {
  const next = chain(side, sign, 'pelvis');
  return [
    next('hip_pitch', [0, SIZE.hipSide, -SIZE.hipDrop], ['y', -2.2, 1], [1.15, [0, 0, 0], [0.1, 0.1, 0.1]]),
    next('hip_roll', [0, 0, 0], ['x', -0.45, 1.2], [0.9, [0, 0, -0.03], [0.09, 0.09, 0.1]]),
    next('hip_yaw', [0, 0, 0], ['z', -1, 1], [2.9, [0.003, 0, -0.15], [0.11, 0.11, 0.26]]),
    next('knee', [0, 0, -SIZE.thigh], ['y', -0.05, 2.4], [2.05, [0, 0, -0.115], [0.09, 0.09, 0.26]]),
    next('ankle_pitch', [0, 0, -SIZE.shin], ['y', -1, 0.75], [0.2, [0, 0, 0], [0.05, 0.05, 0.05]]),
    next('ankle_roll', [0, 0, 0], ['x', -0.4, 0.4], [0.7, [0.025, 0, -0.036], [0.19, 0.075, 0.045]]),
  ];
}

function arm(side: Side, sign: number): Link[] {
  const next = chain(side, sign, 'torso_link');
  const shoulder: Vector = [0, SIZE.shoulderSide, SIZE.shoulderRise];
  const links = [
    next('shoulder_pitch', shoulder, ['y', -3, 1.2], [0.6, [0, 0, 0], [0.08, 0.08, 0.08]]),
    next('shoulder_roll', [0, 0, 0], ['x', -0.3, 2.5], [0.5, [0, 0.01, -0.02], [0.08, 0.08, 0.08]]),
    next('shoulder_yaw', [0, SIZE.armOut, 0], ['z', -2, 2], [0.75, [0, 0, -0.12], [0.075, 0.075, 0.2]]),
    next('elbow', [0, 0, -SIZE.upperArm], ['y', -2.3, 0.05], [0.5, [0, 0, -0.085], [0.06, 0.06, 0.17]]),
  ];
  links.push({
    name: `${side}_hand_link`,
    parent: `${side}_elbow_link`,
    position: [0, 0, -SIZE.forearm],
    joint: null,
    mass: 0.15,
    centre: [0, 0, -0.035],
    box: [0.045, 0.025, 0.08],
  });
  return links;
}

/** Returns the principal moments of inertia of a solid box of `mass` kg and `box` m edges about its centre, kg·m². */
export function boxInertia(mass: number, [x, y, z]: Vector): Vector {
  const k = mass / 12;
  return [k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y)];
}
