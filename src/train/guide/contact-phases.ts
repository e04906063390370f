import type { FootPoint } from '../../mdp/env/light-contacts.ts';
import type { LibraryClip, MotionLibrary } from '../../motion/library/motion-library.ts';
import { pointOf } from './mass-model.ts';

/** In the reference, a point of a sole is on the ground below this height, m, and this horizontal speed, m/s. Poses
 *  that were recorded and transferred to a robot sink into the ground and slide by this much. */
const LOW = 0.0266;
const SLOW = 0.6;
/** If no point is on the ground, the lowest foot is, up to this height, m. */
const LOWEST = 0.06;
/** Phases shorter than this belong to those around them, s. */
const SHORTEST_S = 0.1;
/** Longer times until a foot lands count as this, s. */
const AHEAD_S = 1;

/** When and where the feet of a clip are on the ground. Rows are frames of the clip. */
export class ContactPhases {
  /** (frames, feet) 1 if the foot is on the ground */
  readonly touching: Uint8Array;
  /** (frames, feet) frame in which the phase on the ground began; −1 in the air */
  readonly since: Int32Array;
  /** (frames, feet) s until the foot lands, at most 1; 0 on the ground */
  readonly landsIn: Float64Array;
  readonly #library: MotionLibrary;
  readonly #clip: LibraryClip;
  readonly #feet: readonly number[];
  readonly #soles: readonly FootPoint[];

  /** @param feet bodies without the world */
  constructor(library: MotionLibrary, clip: LibraryClip, feet: readonly number[], soles: readonly FootPoint[]) {
    this.#library = library;
    this.#clip = clip;
    this.#feet = feet;
    this.#soles = soles;
    const count = clip.frames * feet.length;
    this.touching = new Uint8Array(count);
    this.since = new Int32Array(count).fill(-1);
    this.landsIn = new Float64Array(count);
    for (let frame = 0; frame < clip.frames; frame++) this.#find(frame);
    const shortest = Math.round(SHORTEST_S * library.fps);
    for (let foot = 0; foot < feet.length; foot++) {
      for (const value of [1, 0]) this.#fill(foot, value, shortest);
      this.#measure(foot);
    }
  }

  /** Returns the points of the soles in a frame: foot by its number, and position, m. */
  points(frame: number): { readonly foot: number; readonly position: readonly number[]; readonly speed: number }[] {
    const library = this.#library;
    return this.#soles.map(({ body, at }) => {
      const { position, velocity } = pointOf(library, (this.#clip.first + frame) * library.bodies + body, at);
      return { foot: this.#feet.indexOf(body), position, speed: Math.hypot(velocity[0]!, velocity[1]!) };
    });
  }

  /** Returns the points on the ground: the low points of the feet that touch it. */
  grounded(frame: number): { readonly foot: number; readonly position: readonly number[] }[] {
    const points = this.points(frame).filter(({ foot }) => this.touching[frame * this.#feet.length + foot] === 1);
    const lowest = (foot: number) =>
      Math.min(...points.filter((point) => point.foot === foot).map(({ position }) => position[2]!));
    return points.filter(({ foot, position }) => position[2]! < Math.max(LOW, lowest(foot) + 0.01));
  }

  #find(frame: number): void {
    const points = this.points(frame);
    const touching = points.filter(({ position, speed }) => position[2]! < LOW && speed < SLOW);
    if (touching.length === 0) {
      const [lowest] = points.sort((a, b) => a.position[2]! - b.position[2]!);
      if (lowest && lowest.position[2]! < LOWEST) touching.push(lowest);
    }
    for (const { foot } of touching) this.touching[frame * this.#feet.length + foot] = 1;
  }

  /** Gives `value` to short phases of a foot, except at the ends of the clip. */
  #fill(foot: number, value: number, shortest: number): void {
    const feet = this.#feet.length;
    const { frames } = this.#clip;
    for (let frame = 0; frame < frames; ) {
      const own = this.touching[frame * feet + foot]!;
      let end = frame;
      while (end < frames && this.touching[end * feet + foot] === own) end++;
      const between = frame > 0 && end < frames;
      if (own !== value && between && end - frame < shortest)
        for (let k = frame; k < end; k++) this.touching[k * feet + foot] = value;
      frame = end;
    }
  }

  #measure(foot: number): void {
    const feet = this.#feet.length;
    const { frames } = this.#clip;
    for (let frame = 0; frame < frames; frame++) {
      const at = frame * feet + foot;
      if (this.touching[at] === 0) continue;
      const goesOn = frame > 0 && this.touching[at - feet] === 1;
      this.since[at] = goesOn ? this.since[at - feet]! : frame;
    }
    let landsIn = AHEAD_S;
    for (let frame = frames - 1; frame >= 0; frame--) {
      const at = frame * feet + foot;
      landsIn = this.touching[at] === 1 ? 0 : Math.min(AHEAD_S, landsIn + 1 / this.#library.fps);
      this.landsIn[at] = landsIn;
    }
  }
}
