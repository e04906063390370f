import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { findContacts } from '../../sim/contacts.ts';
import { lowestOf, type RobotShape, robotShape } from '../clip/robot-shape.ts';

/** How unlike a body on a floor a reading of a clip is; each from 0 (as motion is) to 1, over all but the worst frames:
 *  a wrong reading is wrong everywhere, a defect only in places. */
export interface Implausibility {
  /** the lowest point is not at the floor */
  readonly floor: number;
  /** the lowest point is not always at the same height */
  readonly uneven: number;
  /** what touches the floor slides over it */
  readonly sliding: number;
  /** the root is not upright */
  readonly tilt: number;
  /** bodies are inside each other */
  readonly overlap: number;
}

/** m off the floor, m/s over it, m inside another body: as bad as can be. */
const WORST = { floor: 0.25, sliding: 1, overlap: 0.06 } as const;
/** m above the lowest point: what is lower than this touches the floor. */
const CONTACT = 0.02;
/** m the robot is lifted by while bodies are compared with each other. */
const LIFT = 1000;
/** Weights of the parts in the sum. */
const WEIGHTS = { floor: 1, sliding: 1, tilt: 0.6, overlap: 0.3 } as const;
/** Share of the floor that is of the clip's height as a whole. */
const OFFSET = 0.3;
/** Share of the frames, the worst ones, that is left out. */
const LEFT_OUT = 0.25;

/** Judges readings of clips on one robot. */
export class Plausibility {
  readonly #robot: ClipRobot;
  readonly #shape: RobotShape;
  /** points at the undersides of all shapes: geom, local x y z, radius */
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

  /** Whether anything can be said: a robot without collision geoms has no floor under it. */
  get canJudge(): boolean {
    return this.#shape.shapes.length > 0;
  }

  /** @param clip frames 0 and 1, 2 and 3, … are neighbours in the clip at `fps`; numbers finite, quaternions of unit
   *  length  @param most pairs that are looked at, spread over all */
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
      // In the air nothing touches: the pair says nothing of sliding.
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

  /** m, depth of the deepest of all overlaps in the pose. */
  #overlap(): number {
    const { mj, model, data, views } = this.#robot;
    views.qpos[2] = LIFT;
    mj.mj_kinematics(model, data);
    return findContacts(mj, model, data).reduce((deepest, { depth }) => Math.max(deepest, depth), 0);
  }

  /** World places (n, 3) of the contact points, their radius below them. */
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

  /** m that the slowest of the points which touched the floor has moved over it. */
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

/** One figure of it all; 0 is motion as it is. */
export function implausible(parts: Implausibility): number {
  return WEIGHTS.tilt * parts.tilt + WEIGHTS.overlap * parts.overlap + moving(parts);
}

/** One figure of how the feet meet the floor: of all that permuted joints must upset. A clip that is too high or too low
 *  as a whole is so in every order. */
export function moving(parts: Implausibility): number {
  return WEIGHTS.floor * (OFFSET * parts.floor + (1 - OFFSET) * parts.uneven) + WEIGHTS.sliding * parts.sliding;
}

/** Mean of values, cut off at 1, without the worst. */
function mostly(values: readonly number[]): number {
  const kept = [...values].sort((a, b) => a - b).slice(0, Math.max(1, Math.ceil((1 - LEFT_OUT) * values.length)));
  return kept.reduce((sum, value) => sum + Math.min(1, value), 0) / Math.max(1, kept.length);
}
