import * as quaternion from '../../core/math/quaternion.ts';
import { add, addScaled } from '../../core/math/vector.ts';
import { humanoidSpec } from '../../robots/humanoid/humanoid.ts';
import { jointSpec } from '../../robots/humanoid/joint-settings.ts';
import { LINKS, SIZE } from '../../robots/humanoid/links.ts';
import { type Foot, solveLeg } from './leg-solver.ts';

/** Joint angles of the left arm, rad. For the right arm, roll and yaw are mirrored. */
export interface Arm {
  readonly pitch: number;
  readonly roll: number;
  readonly yaw: number;
  readonly elbow: number;
}

/** Posture of the humanoid: pelvis and feet in the world frame, waist and arms by joint angles. */
export interface Posture {
  /** position of the origin of the pelvis frame, m */
  readonly position: readonly [x: number, y: number, z: number];
  /** rotation of the pelvis about the fixed axes x, y, z in this order, rad */
  readonly rpy: readonly [roll: number, pitch: number, yaw: number];
  /** left, right */
  readonly feet: readonly [Foot, Foot];
  readonly waist: number;
  /** left, right */
  readonly arms: readonly [Arm, Arm];
}

export const JOINT_COUNT = LINKS.filter((link) => link.joint).length;

const angle = (joint: string) => jointSpec(`${joint}_joint`).default;

const RELAXED: Arm = {
  pitch: angle('left_shoulder_pitch'),
  roll: angle('left_shoulder_roll'),
  yaw: angle('left_shoulder_yaw'),
  elbow: angle('left_elbow'),
};

/** The robot's default pose on the floor, with which every clip begins and ends. */
export const STANDING: Posture = standing();

function standing(): Posture {
  const thigh = angle('left_hip_pitch');
  const shin = thigh + angle('left_knee');
  const x = -SIZE.thigh * Math.sin(thigh) - SIZE.shin * Math.sin(shin);
  const foot = (side: number): Foot => ({ x, y: side * SIZE.hipSide, z: SIZE.ankle, pitch: 0, yaw: 0 });
  return {
    position: [0, 0, humanoidSpec().root_height],
    rpy: [0, 0, 0],
    feet: [foot(1), foot(-1)],
    waist: 0,
    arms: [RELAXED, RELAXED],
  };
}

/** Returns the joint angles in the column order of clips.
 *  @throws RangeError if a foot is out of reach */
export function jointAngles({ position, rpy, feet, waist, arms }: Posture): number[] {
  const pelvis = quaternion.fromEulerXyz([1, 0, 0, 0], ...rpy);
  const legs = feet.map((foot, side) => {
    const offset = [0, side === 0 ? SIZE.hipSide : -SIZE.hipSide, -SIZE.hipDrop];
    const hip = add([0, 0, 0], position, quaternion.rotate([0, 0, 0], pelvis, offset));
    return solveLeg(pelvis, hip, foot);
  });
  const [left, right] = arms;
  return [
    ...legs.flat(),
    waist,
    ...[left.pitch, left.roll, left.yaw, left.elbow],
    ...[right.pitch, 0 - right.roll, 0 - right.yaw, right.elbow],
  ];
}

/** Moves the pelvis of a posture so that the centre of mass is above (x, y), m.
 *  @throws RangeError if a foot gets out of reach */
export function balanced(posture: Posture, x: number, y: number): Posture {
  let moved = posture;
  for (let round = 0; round < 6; round++) {
    const centre = centreOfMass(moved);
    const [px, py, pz] = moved.position;
    moved = { ...moved, position: [px + x - centre[0], py + y - centre[1], pz] };
  }
  return moved;
}

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;

/** Returns the centre of mass of the whole robot in the world frame, m. */
export function centreOfMass(posture: Posture): [number, number, number] {
  const angles = jointAngles(posture);
  const frames = new Map<string, { readonly origin: number[]; readonly turn: number[] }>();
  const sum = [0, 0, 0];
  let mass = 0;
  let joint = 0;
  for (const link of LINKS) {
    const parent = link.parent === null ? undefined : frames.get(link.parent)!;
    const origin = parent
      ? add([0, 0, 0], parent.origin, quaternion.rotate([0, 0, 0], parent.turn, link.position))
      : [...posture.position];
    const turn = parent ? [...parent.turn] : quaternion.fromEulerXyz([1, 0, 0, 0], ...posture.rpy);
    if (link.joint) {
      quaternion.multiply(turn, turn, quaternion.fromAxisAngle([1, 0, 0, 0], AXES[link.joint.axis], angles[joint++]!));
    }
    frames.set(link.name, { origin, turn });
    const centre = add([0, 0, 0], origin, quaternion.rotate([0, 0, 0], turn, link.centre));
    addScaled(sum, sum, centre, link.mass);
    mass += link.mass;
  }
  return [sum[0]! / mass, sum[1]! / mass, sum[2]! / mass];
}
