import { OVERLAY_STRIDE } from '../protocol/frame.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import { Playback } from './playback.ts';
import type { PictureCaption, RecordedScene } from './recorded-scene.ts';
import type { PreviewScene } from './scene.ts';

const POSE = 7;

/** Plays a recording: robots, ghosts and overlays exactly as they were recorded. Options that add markers have no
 *  effect. */
export class RecordingPreview implements PreviewScene {
  readonly owner = 'data';
  readonly playback: Playback;
  readonly #recorded: RecordedScene;
  readonly #decoder = new TextDecoder();

  constructor(recorded: RecordedScene, options: DataOptions) {
    this.#recorded = recorded;
    this.playback = new Playback(recorded.frames, recorded.fps, options);
  }

  get maxFloats(): number {
    return this.#recorded.mostFloats;
  }

  tick(dtS: number): boolean {
    return this.playback.tick(dtS);
  }

  write(frame: FrameBuilder): void {
    const { name, nbody, frames, pictures, robots, ghosts, starts, poses } = this.#recorded;
    const { frame: index, time } = this.playback.transport;
    const picture = pictures[index]!;
    const robotFloats = robots[picture]! * nbody * POSE;
    const start = starts[picture]!;
    const at = frame.poses(robots[picture]!, nbody);
    frame.blob.set(poses.subarray(start, start + robotFloats), at);
    if (ghosts[picture]! > 0) {
      const to = frame.ghost(ghosts[picture]!, nbody);
      const from = start + robotFloats;
      frame.blob.set(poses.subarray(from, from + ghosts[picture]! * nbody * POSE), to);
    }
    const caption = this.#caption(picture);
    frame.focus = caption.focus;
    for (const { name: overlay, kind, colour, values } of caption.overlays)
      frame.blob.set(values, frame.overlay(overlay, kind, values.length / OVERLAY_STRIDE[kind], colour));
    frame.hud = {
      text: [`recording ${name}`, ...caption.text, `frame ${index} of ${frames} · ${time.toFixed(2)} s`],
      frame: index,
      time,
    };
  }

  #caption(picture: number): PictureCaption {
    const { captions, captionStarts } = this.#recorded;
    const bytes = captions.slice(captionStarts[picture], captionStarts[picture + 1]);
    return JSON.parse(this.#decoder.decode(bytes)) as PictureCaption;
  }
}
