import type { ClipRows } from '../motion/clip-rows.ts';
import { poseAt, snapped } from '../motion/pose-at.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import { addFootContacts, putBodyMarkers } from './body-markers.ts';
import type { LoadedClip } from './clip-preview.ts';
import { gridCentres, gridSpacing } from './grid-layout.ts';
import { Playback } from './playback.ts';
import type { PreviewScene, ShownRobot } from './scene.ts';

/** Floats per marker sphere (x y z radius) and per arrow (x y z dx dy dz). */
const SPHERE = 4;
const ARROW = 6;

/** Shows several clips side by side, one robot each, with a common clock, which is that of the longest clip. With loop,
 *  a shorter clip repeats, and all clips restart when the longest ends; without loop, a shorter clip waits on its last
 *  frame. Each clip starts with its root over the centre of its cell. Key bodies and contacts are shown; trails are
 *  not. */
export class GridPreview implements PreviewScene {
  readonly owner = 'data';
  readonly playback: Playback;
  readonly #robot: ShownRobot;
  readonly #clips: readonly LoadedClip[];
  readonly #longest: ClipRows;
  readonly #centres: Float64Array;

  /** @param clips at least one, fitting the robot */
  constructor(robot: ShownRobot, clips: readonly LoadedClip[], options: DataOptions) {
    this.#robot = robot;
    this.#clips = clips;
    this.#longest = longestClip(clips);
    this.#centres = gridCentres(clips.length, gridSpacing(clips, robot.poses.nq));
    this.playback = new Playback(this.#longest.frames, this.#longest.fps, options);
  }

  get maxFloats(): number {
    const { poses, wiring } = this.#robot;
    return this.#clips.length * (7 * poses.nbody + SPHERE * wiring.keybodies.length + ARROW * wiring.feet.length);
  }

  tick(dtS: number): boolean {
    return this.playback.tick(dtS);
  }

  write(frame: FrameBuilder): void {
    const clips = this.#clips;
    const { poses, wiring } = this.#robot;
    const { options, transport } = this.playback;
    const at = frame.poses(clips.length, poses.nbody);
    const { keybodies } = wiring;
    const markers = options.keybodies ? frame.overlay('keybodies', 'spheres', clips.length * keybodies.length) : null;
    const arrows: number[] = [];
    for (const [k, clip] of clips.entries()) {
      this.#setPose(k, clip, transport.time);
      poses.compute();
      poses.writePoses(frame.blob, at + 7 * k * poses.nbody);
      if (markers !== null) putBodyMarkers(frame.blob, markers + SPHERE * k * keybodies.length, this.#robot, keybodies);
      if (options.contacts) addFootContacts(arrows, this.#robot);
    }
    if (options.contacts) frame.blob.set(arrows, frame.overlay('contacts', 'arrows', arrows.length / ARROW));
    const { frame: index, time } = transport;
    frame.hud = {
      text: [`${clips.length} clips`, `frame ${index} of ${this.#longest.frames}`, `${time.toFixed(2)} s`],
      frame: index,
      time,
    };
  }

  #setPose(k: number, clip: LoadedClip, timeS: number): void {
    const { qpos, nq } = this.#robot.poses;
    poseAt(qpos, clip, nq, this.#positionOf(clip, timeS));
    qpos[0]! += this.#centres[2 * k]! - clip.rows[0]!;
    qpos[1]! += this.#centres[2 * k + 1]! - clip.rows[1]!;
  }

  #positionOf(clip: LoadedClip, timeS: number): number {
    const last = clip.frames - 1;
    const position = timeS * clip.fps;
    // The last frame itself is shown. A clip restarts only after it.
    const beyond = position > last + 1e-6 && last > 0 && this.playback.options.loop;
    return snapped(beyond ? position % last : position, clip.frames);
  }
}

/** Returns the longest clip, whose frame count and rate are the grid's. @param clips at least one */
export function longestClip<T extends ClipRows>(clips: readonly T[]): T {
  const duration = ({ frames, fps }: ClipRows) => (frames - 1) / fps;
  return clips.reduce((longest, clip) => (duration(clip) > duration(longest) ? clip : longest));
}
