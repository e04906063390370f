import { cross, dot } from '../../core/math/vector.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';
import { qposOf, type RobotFacts } from '../robot-facts.ts';

/** Cosine of the largest angle at which the z axis of a foot still is the direction of its sole. Soles are flat in the
 *  frames of most feet, also if a default pose tilts them a little. */
const LEVEL = Math.cos(Math.PI / 6);

/** x, y and z of a point or direction, in the frame of a foot. */
export type Point = readonly [number, number, number];

/** A foot, and the directions in which its sole is measured. */
export interface Foot {
  /** body, without the world */
  readonly body: number;
  /** unit vectors in the frame of the foot: two along the sole, then the one that points down from it */
  readonly axes: readonly [Point, Point, Point];
}

/** The axes of feet whose frames have the usual directions. */
const USUAL: Foot['axes'] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, -1],
];

/** Returns the pose in which a robot stands, the default pose. */
export function standingPose({ rootHeight, joints }: Pick<RobotFacts, 'rootHeight' | 'joints'>): Float64Array {
  return qposOf(
    rootHeight,
    joints.map((joint) => joint.default),
  );
}

/** Finds where down is in the frames of feet. CAD exports often turn them.
 *  @param qpos pose in which the robot stands  @param feet bodies, without the world */
export function findFeet(mj: MainModule, model: MjModel, qpos: ArrayLike<number>, feet: readonly number[]): Foot[] {
  const pose = Float64Array.from(qpos); // a view of the heap may be detached when MjData is created
  const data = new mj.MjData(model);
  try {
    (data.qpos as Float64Array).set(pose);
    mj.mj_kinematics(model, data);
    const rotations = data.xmat as Float64Array;
    return feet.map((body) => {
      const [x, y, z] = rotations.slice(9 * (body + 1) + 6, 9 * (body + 1) + 9) as unknown as [number, number, number];
      return { body, axes: axesBelow([-x, -y, -z]) };
    });
  } finally {
    data.delete();
  }
}

function axesBelow(down: Point): Foot['axes'] {
  if (-down[2] >= LEVEL) return USUAL;
  // The axis of the foot that is least parallel to `down` is a direction along the sole, apart from its vertical part.
  const axes = [USUAL[0], USUAL[1], [0, 0, 1] as const];
  const flat = axes.reduce((best, axis) => (Math.abs(dot(axis, down)) < Math.abs(dot(best, down)) ? axis : best));
  const part = dot(flat, down);
  const length = Math.sqrt(1 - part * part);
  const first: Point = [
    (flat[0] - part * down[0]) / length,
    (flat[1] - part * down[1]) / length,
    (flat[2] - part * down[2]) / length,
  ];
  const second: [number, number, number] = [0, 0, 0];
  cross(second, down, first);
  return [first, second, down];
}
