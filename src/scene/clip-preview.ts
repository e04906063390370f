import type { ClipRows } from '../motion/clip-rows.ts';
import { poseAt, positionAt } from '../motion/pose-at.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import { writeBodyMarkers, writeFootContacts } from './body-markers.ts';
import { Playback } from './playback.ts';
import type { PreviewScene, ShownRobot } from './scene.ts';

/** A motion clip that is ready to be shown. */
export interface LoadedClip extends ClipRows {
  readonly name: string;
}

/** A trail shows the motion of the last 0.7 s as this number of line segments. */
const TRAIL_S = 0.7;
const TRAIL_PIECES = 21;

/** Shows one clip on the robot. On a whole frame the pose is that row of the file; between frames it is interpolated
 *  (lerp; slerp for the root's orientation). The ghost is the raw source at the same time. */
export class ClipPreview implements PreviewScene {
  readonly owner = 'data';
  readonly clip: LoadedClip;
  readonly id: number;
  readonly playback: Playback;
  readonly #robot: ShownRobot;
  #ghost: ClipRows | null = null;

  /** @param id distinguishes clips with the same name */
  constructor(robot: ShownRobot, clip: LoadedClip, options: DataOptions, id: number) {
    this.#robot = robot;
    this.clip = clip;
    this.id = id;
    this.playback = new Playback(clip.frames, clip.fps, options);
  }

  get maxFloats(): number {
    const { poses, wiring } = this.#robot;
    return (
      14 * poses.nbody + 4 * wiring.keybodies.length + 6 * wiring.feet.length + 6 * TRAIL_PIECES * wiring.ends.length
    );
  }

  /** Sets the ghost. @param ghost the raw source of a converted clip; shown while the option is on */
  setGhost(ghost: ClipRows): void {
    this.#ghost = ghost;
    this.playback.touch();
  }

  tick(dtS: number): boolean {
    return this.playback.tick(dtS);
  }

  write(frame: FrameBuilder): void {
    const { poses, wiring } = this.#robot;
    const { options, position } = this.playback;
    const at = frame.poses(1, poses.nbody);
    if (options.ghost && this.#ghost) this.#writeGhost(frame, this.#ghost);
    if (options.trail) this.#writeTrail(frame);
    this.#setPose(position);
    poses.compute();
    poses.writePoses(frame.blob, at);
    if (options.keybodies) writeBodyMarkers(frame, this.#robot, 'keybodies', wiring.keybodies);
    if (options.contacts) writeFootContacts(frame, this.#robot);
    const { frame: index, time } = this.playback.transport;
    frame.hud = {
      text: [this.clip.name, `frame ${index} of ${this.clip.frames}`, `${time.toFixed(2)} s`],
      frame: index,
      time,
      clip: this.clip.name,
    };
  }

  #writeGhost(frame: FrameBuilder, ghost: ClipRows): void {
    const { poses } = this.#robot;
    const at = frame.ghost(1, poses.nbody);
    poseAt(poses.qpos, ghost, poses.nq, positionAt(ghost, this.playback.transport.time));
    poses.compute();
    poses.writePoses(frame.blob, at);
  }

  /** Writes line segments along the paths of hands and feet, oldest first. The paths are read from the clip, so they
   *  are correct after a seek too. */
  #writeTrail(frame: FrameBuilder): void {
    const { poses, wiring } = this.#robot;
    const step = (TRAIL_S * this.clip.fps) / TRAIL_PIECES;
    const start = frame.overlay('trail', 'lines', TRAIL_PIECES * wiring.ends.length);
    const out = frame.blob;
    for (let k = 0; k <= TRAIL_PIECES; k++) {
      this.#setPose(Math.max(0, this.playback.position - (TRAIL_PIECES - k) * step));
      poses.compute();
      const positions = poses.positions;
      for (const [end, body] of wiring.ends.entries()) {
        const line = start + 6 * (end * TRAIL_PIECES + k);
        for (let axis = 0; axis < 3; axis++) {
          const value = positions[3 * (body + 1) + axis]!;
          if (k < TRAIL_PIECES) out[line + axis] = value;
          if (k > 0) out[line - 3 + axis] = value;
        }
      }
    }
  }

  #setPose(position: number): void {
    const { qpos, nq } = this.#robot.poses;
    poseAt(qpos, this.clip, nq, position);
  }
}
