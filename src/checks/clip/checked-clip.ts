import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { CheckSettings } from '../threshold.ts';

/** A clip together with its robot: the input of the checks. All numbers are finite, and quaternions have unit
 *  length. */
export class CheckedClip {
  readonly robot: ClipRobot;
  readonly clip: ClipRows;
  /** thresholds that differ from the defaults */
  readonly settings: CheckSettings;
  readonly #shared = new Map<(clip: CheckedClip) => unknown, unknown>();

  constructor(robot: ClipRobot, clip: ClipRows, settings: CheckSettings) {
    this.robot = robot;
    this.clip = clip;
    this.settings = settings;
  }

  /** Computes a value that several checks need, once per clip.
   *  @param compute key of the value: pass a function of a module, not a new closure */
  shared<T>(compute: (clip: CheckedClip) => T): T {
    if (!this.#shared.has(compute)) this.#shared.set(compute, compute(this));
    return this.#shared.get(compute) as T;
  }
}
