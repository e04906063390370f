import type { FrameBuilder } from '../sim/frame-builder.ts';
import { writeBodyMarkers } from './body-markers.ts';
import type { Scene, ShownRobot } from './scene.ts';

/** Shows a robot in a fixed pose: the selected robot as set by its sliders, or a robot that is being imported. */
export class RobotView implements Scene {
  readonly owner: 'robots' | 'import';
  readonly #robot: ShownRobot;
  readonly #qpos: Float64Array;
  readonly #wired: readonly number[];
  #showWiring = false;
  #changed = true;

  /** @param qpos root x y z, quaternion wxyz, joints in qpos order; is copied */
  constructor(robot: ShownRobot, qpos: Float64Array, owner: 'robots' | 'import' = 'robots') {
    this.owner = owner;
    this.#robot = robot;
    this.#qpos = qpos.slice();
    const { anchor, keybodies, feet } = robot.wiring;
    this.#wired = [anchor, ...keybodies, ...feet];
  }

  get maxFloats(): number {
    return 7 * this.#robot.poses.nbody + 4 * this.#wired.length;
  }

  setPose(qpos: Float64Array): void {
    this.#qpos.set(qpos);
    this.#changed = true;
  }

  /** Shows or hides wiring markers: one `wiring` overlay of spheres, anchor first, then keybodies, then feet. */
  showWiring(on: boolean): void {
    this.#showWiring = on;
    this.#changed = true;
  }

  tick(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  write(frame: FrameBuilder): void {
    const { poses } = this.#robot;
    poses.qpos.set(this.#qpos);
    poses.compute();
    poses.writePoses(frame.blob, frame.poses(1, poses.nbody));
    if (this.#showWiring) writeBodyMarkers(frame, this.#robot, 'wiring', this.#wired);
  }
}
