import { snapped } from '../motion/pose-at.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';

/** Position and state of a preview. */
export interface Transport {
  readonly frame: number;
  /** s */
  readonly time: number;
  readonly playing: boolean;
}

/** The clock of a preview: a position in frames that advances, loops or stops at the end, and can be set. */
export class Playback {
  readonly #frames: number;
  readonly #fps: number;
  #options: DataOptions;
  #position = 0;
  #playing = true;
  #changed = true;

  /** Creates a playback that plays from frame 0. */
  constructor(frames: number, fps: number, options: DataOptions) {
    this.#frames = frames;
    this.#fps = fps;
    this.#options = options;
  }

  get options(): DataOptions {
    return this.#options;
  }

  /** position in frames, fractional between two frames */
  get position(): number {
    return this.#position;
  }

  get transport(): Transport {
    return { frame: Math.floor(this.#position), time: this.#position / this.#fps, playing: this.#playing };
  }

  /** Moves to `position`, in frames, clamped to the clip. Whether it plays does not change. */
  seek(position: number): void {
    this.#position = snapped(position, this.#frames);
    this.#changed = true;
  }

  seekTime(timeS: number): void {
    this.seek(timeS * this.#fps);
  }

  /** Plays or pauses. If a clip that does not loop is at its last frame, playing restarts from frame 0. */
  setPlaying(playing: boolean): void {
    if (playing && !this.#options.loop && this.#position >= this.#frames - 1) this.#position = 0;
    this.#playing = playing;
    this.#changed = true;
  }

  setOptions(options: DataOptions): void {
    this.#options = options;
    this.#changed = true;
  }

  /** Continues at the position of `other`: at the same frame, or at the same time if the frame rates differ. */
  goOnFrom(other: Playback): void {
    const position = this.#fps === other.#fps ? other.#position : (other.#position / other.#fps) * this.#fps;
    this.#options = other.#options;
    this.#playing = other.#playing;
    this.seek(position);
  }

  /** Marks the scene as changed although no time has passed, for example after a change of options. */
  touch(): void {
    this.#changed = true;
  }

  /** Advances by `dtS` seconds. @returns whether the picture changed */
  tick(dtS: number): boolean {
    const changed = this.#changed;
    this.#changed = false;
    const last = this.#frames - 1;
    if (!this.#playing || dtS === 0 || (last === 0 && this.#options.loop)) return changed;
    const position = this.#position + dtS * this.#options.speed * this.#fps;
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
}
