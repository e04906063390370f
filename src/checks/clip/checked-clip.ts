import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { CheckSettings } from '../threshold.ts';

/** A clip on its robot, as the checks see it: all numbers finite, quaternions of unit length. */
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

  /** Computes what several checks need once per clip. @param compute a function of the module, so that it is the same one */
  shared<T>(compute: (clip: CheckedClip) => T): T {
    if (!this.#shared.has(compute)) this.#shared.set(compute, compute(this));
    return this.#shared.get(compute) as T;
  }
}
