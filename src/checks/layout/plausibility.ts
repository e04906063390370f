import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { lowestOf, type RobotShape, robotShape } from '../../motion/robot-shape.ts';
import { findContacts } from '../../sim/contacts.ts';

/** Measures how implausible a motion is when a clip's file is read in one particular way (units, quaternion and
 *  joint order). Each value goes from 0 (plausible) to 1. The worst frames are ignored: a wrong way of reading
 *  affects all frames, whereas a defect of the clip affects only some. */
export interface Implausibility {
  /** distance of the lowest point from the floor */
  readonly floor: number;
  /** variation of the height of the lowest point */
  readonly uneven: number;
  /** speed at which points in contact slide over the floor */
  readonly sliding: number;
  /** angle of the root from upright */
  readonly tilt: number;
  /** depth by which bodies overlap */
  readonly overlap: number;
}

/** Measurements that correspond to the value 1: m above or below the floor, m/s over the floor, m inside another
 *  body. */
const WORST = { floor: 0.25, sliding: 1, overlap: 0.06 } as const;
/** Height above the lowest point, m, below which points touch the floor. */
const CONTACT = 0.02;
/** Height by which the robot is lifted, m, so that contacts with the floor do not disturb the search for overlaps. */
const LIFT = 1000;
/** Weights of the parts in the sum. */
const WEIGHTS = { floor: 1, sliding: 1, tilt: 0.6, overlap: 0.3 } as const;
/** Weight of `floor` relative to `uneven`. */
const OFFSET = 0.3;
/** Share of the worst frames that is ignored. */
const LEFT_OUT = 0.25;

/** Judges how plausible motions of one robot are. */
export class Plausibility {
  readonly #robot: ClipRobot;
  readonly #shape: RobotShape;
  /** contact points of all shapes, five numbers each: geom, local x y z, radius */
  readonly #contacts: Float64Array;

  constructor(robot: ClipRobot) {
    this.#robot = robot;
    this.#shape = robotShape(robot);
    const contacts = this.#shape.shapes.flatMap((shape) => {
      const points = shape.points.length > 0 ? shape.points : Float64Array.of(0, 0, 0);
      return Array.from({ length: points.length / 3 }, (_, k) => [
        shape.geom,
        points[3 * k]!,
        points[3 * k + 1]!,
        points[3 * k + 2]!,
        shape.radius,
      ]).flat();
    });
    this.#contacts = Float64Array.from(contacts);
  }

  /** Returns false for a robot without collision geoms, because its contact with the floor is unknown. */
  get canJudge(): boolean {
    return this.#shape.shapes.length > 0;
  }

  /** Judges pairs of neighbouring frames.
   *  @param clip frames 0 and 1, 2 and 3, … are neighbours at `fps`; all numbers are finite, quaternions have unit
   *  length
   *  @param most maximum number of pairs to judge, spread evenly over the clip */
  judge({ fps, frames, rows }: ClipRows, most = Infinity): Implausibility {
    const robot = this.#robot;
    const { nq, mj, model, data } = robot;
    const all = Math.floor(frames / 2);
    const pairs = Math.min(most, all);
    const [heights, sliding, tilt, overlap]: number[][] = [[], [], [], []];
    const count = this.#contacts.length / 5;
    const before = new Float64Array(3 * count);
    for (let k = 0; k < pairs; k++) {
      const frame = 2 * Math.floor((k * all) / pairs);
      robot.views.qpos.set(rows.subarray(frame * nq, (frame + 1) * nq));
      mj.mj_kinematics(model, data);
      const { geomXpos, geomXmat, xquat } = robot.views;
      this.#place(before, geomXpos, geomXmat);
      let lowest = Infinity;
      for (const shape of this.#shape.shapes) lowest = Math.min(lowest, lowestOf(shape, geomXpos, geomXmat));
      heights!.push(lowest / WORST.floor);
      const [x, y] = [xquat[5]!, xquat[6]!];
      tilt!.push(x * x + y * y);
      overlap!.push(this.#overlap() / WORST.overlap);
      robot.views.qpos.set(rows.subarray((frame + 1) * nq, (frame + 2) * nq));
      mj.mj_kinematics(model, data);
      // In the air no point touches the floor, so such a pair of frames cannot be used to measure sliding.
      if (lowest < CONTACT * 2) {
        const after = robot.views;
        sliding!.push((this.#slowest(before, lowest, after.geomXpos, after.geomXmat) * fps) / WORST.sliding);
      }
    }
    const usual = [...heights!].sort((a, b) => a - b)[Math.floor(pairs / 2)] ?? 0;
    return {
      floor: mostly(heights!.map(Math.abs)),
      uneven: mostly(heights!.map((height) => Math.abs(height - usual))),
      sliding: mostly(sliding!),
      tilt: mostly(tilt!),
      overlap: mostly(overlap!),
    };
  }

  /** Returns the depth, m, of the deepest overlap in the pose. */
  #overlap(): number {
    const { mj, model, data, views } = this.#robot;
    views.qpos[2] = LIFT;
    mj.mj_kinematics(model, data);
    return findContacts(mj, model, data).reduce((deepest, { depth }) => Math.max(deepest, depth), 0);
  }

  /** Writes the world positions (n, 3) of the contact points. The z of each point is lowered by its radius. */
  #place(out: Float64Array, xpos: Float64Array, xmat: Float64Array): void {
    const contacts = this.#contacts;
    for (let k = 0; k < contacts.length / 5; k++) {
      const geom = contacts[5 * k]!;
      for (let axis = 0; axis < 3; axis++) {
        const at = 9 * geom + 3 * axis;
        out[3 * k + axis] =
          xpos[3 * geom + axis]! +
          xmat[at]! * contacts[5 * k + 1]! +
          xmat[at + 1]! * contacts[5 * k + 2]! +
          xmat[at + 2]! * contacts[5 * k + 3]!;
      }
      out[3 * k + 2] = out[3 * k + 2]! - contacts[5 * k + 4]!;
    }
  }

  /** Returns the distance, m, that the slowest point in contact has moved over the floor. */
  #slowest(before: Float64Array, lowest: number, xpos: Float64Array, xmat: Float64Array): number {
    const now = new Float64Array(before.length);
    this.#place(now, xpos, xmat);
    let slowest = Infinity;
    for (let k = 0; k < before.length; k += 3)
      if (before[k + 2]! < lowest + CONTACT)
        slowest = Math.min(
          slowest,
          Math.hypot(now[k]! - before[k]!, now[k + 1]! - before[k + 1]!, now[k + 2]! - before[k + 2]!),
        );
    return Number.isFinite(slowest) ? slowest : 0;
  }
}

/** Returns the weighted sum of all parts; 0 means plausible motion. */
export function implausible(parts: Implausibility): number {
  return WEIGHTS.tilt * parts.tilt + WEIGHTS.overlap * parts.overlap + moving(parts);
}

/** Returns the weighted sum of the terms for contact with the floor. A wrong order of joints always changes these
 *  terms. `floor` has a low weight: a constant height error is the same in every order of joints. */
export function moving(parts: Implausibility): number {
  return WEIGHTS.floor * (OFFSET * parts.floor + (1 - OFFSET) * parts.uneven) + WEIGHTS.sliding * parts.sliding;
}

/** Returns the mean of the values without the worst ones, limited to 1. */
function mostly(values: readonly number[]): number {
  const kept = [...values].sort((a, b) => a - b).slice(0, Math.max(1, Math.ceil((1 - LEFT_OUT) * values.length)));
  return kept.reduce((sum, value) => sum + Math.min(1, value), 0) / Math.max(1, kept.length);
}
