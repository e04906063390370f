import type { RobotViews } from '../motion/clip-robot.ts';
import { placePoints, type RobotShape } from '../motion/robot-shape.ts';

/** Measures how fast soles slide: the horizontal speed of the slowest point of each sole between two frames. A foot
 *  that rolls over its toes has a point at rest and does not slide. */
export class SoleSpeeds {
  readonly #feet: RobotShape['feet'];
  readonly #fps: number;
  #now: readonly Float64Array[];
  #before: readonly Float64Array[];

  /** @param fps frames per second */
  constructor(feet: RobotShape['feet'], fps: number) {
    this.#feet = feet;
    this.#fps = fps;
    this.#now = feet.map(({ sole }) => new Float64Array(sole.length));
    this.#before = feet.map(({ sole }) => new Float64Array(sole.length));
  }

  /** Updates the soles to the pose of the next frame. */
  move({ xpos, xquat }: RobotViews): void {
    [this.#now, this.#before] = [this.#before, this.#now];
    for (const [k, { body, sole }] of this.#feet.entries()) placePoints(this.#now[k]!, 0, sole, body + 1, xpos, xquat);
  }

  /** Returns the sliding speed between the last two poses, m/s. @param foot index of the foot in the wiring */
  slowest(foot: number): number {
    const now = this.#now[foot]!;
    const before = this.#before[foot]!;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < now.length; k += 3)
      least = Math.min(least, Math.hypot(now[k]! - before[k]!, now[k + 1]! - before[k + 1]!));
    return Number.isFinite(least) ? least * this.#fps : 0;
  }
}
