import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { lowestOf, placePoints, robotShape } from '../../motion/robot-shape.ts';
import type { CheckedClip } from './checked-clip.ts';

/** Measurements of a clip for the checks, computed in one pass of forward kinematics. World frame, floor at z = 0. */
export interface ClipMeasures {
  /** (frames) height of the lowest point of the robot, of its feet, and of its other bodies, m; Infinity without
   *  collision geoms */
  readonly lowest: Float64Array;
  readonly lowestFoot: Float64Array;
  readonly lowestOther: Float64Array;
  /** (frames) index of the body with the lowest point; 0 is the root */
  readonly lowestBody: Int16Array;
  /** (frames) height of the centre of mass, m */
  readonly comZ: Float64Array;
  /** (frames) z component of the root's up axis: 1 upright, 0 lying, −1 upside down */
  readonly upright: Float64Array;
  readonly feet: readonly FootTrack[];
}

export interface FootTrack {
  readonly name: string;
  /** number of points of the sole */
  readonly count: number;
  /** (frames, count, 3) points of the sole in the world frame, m */
  readonly points: Float32Array;
}

/** Returns the measurements of a checked clip; use with `CheckedClip.shared`, which caches them. */
export function measuresOf({ robot, clip }: CheckedClip): ClipMeasures {
  return measureClip(robot, clip);
}

/** Measures every frame of a clip on its robot, in about 10 µs per frame. All numbers must be finite. */
export function measureClip(robot: ClipRobot, clip: ClipRows): ClipMeasures {
  const { frames, rows } = clip;
  const { mj, model, data, nq } = robot;
  const { shapes, feet } = robotShape(robot);
  const feetBodies = new Set(feet.map((foot) => foot.body));
  const isFoot = shapes.map((shape) => feetBodies.has(shape.body));
  const floats = () => new Float64Array(frames);
  const [lowest, lowestFoot, lowestOther, comZ, upright] = [floats(), floats(), floats(), floats(), floats()];
  const lowestBody = new Int16Array(frames);
  const tracks = feet.map(({ name, sole }) => ({
    ...{ name, count: sole.length / 3, points: new Float32Array(frames * sole.length) },
  }));
  for (let frame = 0; frame < frames; frame++) {
    robot.views.qpos.set(rows.subarray(frame * nq, (frame + 1) * nq));
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    const { xpos, xquat, geomXpos, geomXmat, subtreeCom } = robot.views;
    let foot = Infinity;
    let other = Infinity;
    let below = -1;
    for (let s = 0; s < shapes.length; s++) {
      const height = lowestOf(shapes[s]!, geomXpos, geomXmat);
      if (height < Math.min(foot, other)) below = shapes[s]!.body;
      if (isFoot[s]) foot = Math.min(foot, height);
      else other = Math.min(other, height);
    }
    lowestFoot[frame] = foot;
    lowestOther[frame] = other;
    lowest[frame] = Math.min(foot, other);
    lowestBody[frame] = below;
    // Row 1 is the root. The subtree of the root is the whole robot.
    comZ[frame] = subtreeCom[5]!;
    const [x, y] = [xquat[5]!, xquat[6]!];
    upright[frame] = 1 - 2 * (x * x + y * y);
    for (let f = 0; f < feet.length; f++) {
      const { body, sole } = feet[f]!;
      placePoints(tracks[f]!.points, frame * sole.length, sole, body + 1, xpos, xquat);
    }
  }
  return { lowest, lowestFoot, lowestOther, lowestBody, comZ, upright, feet: tracks };
}
