import { slerp } from '../core/math/quaternion.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import { writeBodyMarkers, writeFootContacts } from './body-markers.ts';
import type { Scene, ShownRobot } from './scene.ts';

/** A motion clip ready to show. */
export interface LoadedClip extends ClipRows {
  readonly name: string;
}

/** Where a preview stands. */
export interface Transport {
  readonly frame: number;
  /** s */
  readonly time: number;
  readonly playing: boolean;
}

/** A trail shows the last 0.7 s in this many pieces. */
const TRAIL_S = 0.7;
const TRAIL_PIECES = 21;

/** Nearer to a whole frame than this is that frame: times are given as k/fps in floating point. */
const FRAME_SNAP = 1e-6;

/** One clip on the robot. On a whole frame the pose is that row of the file; between frames it is interpolated
 *  (lerp, the root's orientation slerp). */
export class ClipPreview implements Scene {
  readonly owner = 'data';
  readonly clip: LoadedClip;
  readonly #robot: ShownRobot;
  #options: DataOptions;
  /** in frames */
  #position = 0;
  #playing = true;
  #changed = true;
  readonly #q0 = new Float64Array(4);
  readonly #q1 = new Float64Array(4);

  constructor(robot: ShownRobot, clip: LoadedClip, options: DataOptions) {
    this.#robot = robot;
    this.clip = clip;
    this.#options = options;
  }

  get maxFloats(): number {
    const { poses, wiring } = this.#robot;
    return (
      7 * poses.nbody + 4 * wiring.keybodies.length + 6 * wiring.feet.length + 6 * TRAIL_PIECES * wiring.ends.length
    );
  }

  get transport(): Transport {
    return {
      frame: Math.floor(this.#position),
      time: this.#position / this.clip.fps,
      playing: this.#playing,
    };
  }

  /** Goes to `position`, in frames, clamped to the clip; playing goes on. */
  seek(position: number): void {
    const last = this.clip.frames - 1;
    const nearest = Math.round(position);
    const snapped = Math.abs(position - nearest) < FRAME_SNAP ? nearest : position;
    this.#position = Math.min(last, Math.max(0, snapped));
    this.#changed = true;
  }

  seekTime(timeS: number): void {
    this.seek(timeS * this.clip.fps);
  }

  /** Playing from the last frame of a clip that does not loop starts it anew. */
  setPlaying(playing: boolean): void {
    if (playing && !this.#options.loop && this.#position >= this.clip.frames - 1) this.#position = 0;
    this.#playing = playing;
    this.#changed = true;
  }

  setOptions(options: DataOptions): void {
    this.#options = options;
    this.#changed = true;
  }

  tick(dtS: number): boolean {
    const changed = this.#changed;
    this.#changed = false;
    const last = this.clip.frames - 1;
    if (!this.#playing || dtS === 0 || (last === 0 && this.#options.loop)) return changed;
    const position = this.#position + dtS * this.#options.speed * this.clip.fps;
    if (position < last) {
      this.#position = position;
    } else if (this.#options.loop) {
      this.#position = position % last;
    } else {
      this.#position = last;
      this.#playing = false;
    }
    return true;
  }

  write(frame: FrameBuilder): void {
    const { poses, wiring } = this.#robot;
    const at = frame.poses(1, poses.nbody);
    if (this.#options.trail) this.#writeTrail(frame);
    this.#setPose(this.#position);
    poses.compute();
    poses.writePoses(frame.blob, at);
    if (this.#options.keybodies) writeBodyMarkers(frame, this.#robot, 'keybodies', wiring.keybodies);
    if (this.#options.contacts) writeFootContacts(frame, this.#robot);
    const { frame: index, time } = this.transport;
    frame.hud = {
      text: [this.clip.name, `frame ${index} of ${this.clip.frames}`, `${time.toFixed(2)} s`],
      frame: index,
      time,
      clip: this.clip.name,
    };
  }

  /** Lines along the paths of hands and feet, oldest first, from the clip itself: they are right after a seek too. */
  #writeTrail(frame: FrameBuilder): void {
    const { poses, wiring } = this.#robot;
    const step = (TRAIL_S * this.clip.fps) / TRAIL_PIECES;
    const start = frame.overlay('trail', 'lines', TRAIL_PIECES * wiring.ends.length);
    const out = frame.blob;
    for (let k = 0; k <= TRAIL_PIECES; k++) {
      this.#setPose(Math.max(0, this.#position - (TRAIL_PIECES - k) * step));
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
    const { rows } = this.clip;
    const { qpos, nq } = this.#robot.poses;
    const row = Math.floor(position);
    const blend = position - row;
    const a = row * nq;
    if (blend === 0) {
      for (let k = 0; k < nq; k++) qpos[k] = rows[a + k]!;
      return;
    }
    const b = a + nq;
    for (let k = 0; k < nq; k++) {
      const from = rows[a + k]!;
      qpos[k] = from + blend * (rows[b + k]! - from);
    }
    const q0 = this.#q0;
    const q1 = this.#q1;
    for (let k = 0; k < 4; k++) {
      q0[k] = rows[a + 3 + k]!;
      q1[k] = rows[b + 3 + k]!;
    }
    slerp(q0, q0, q1, blend);
    for (let k = 0; k < 4; k++) qpos[3 + k] = q0[k]!;
  }
}
