import type { Hud } from '../protocol/frame.ts';
import type { WiringIndices } from '../scene/scene.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import { CLOCK, figureOf, type PlayMemory, type PlayPicture } from './play-memory.ts';
import type { PlayStage, PlayStageState } from './play-session.ts';

const POSE = 7;
/** Sessions of up to so many environments show the ghosts of all, larger ones that of the focused one. */
const MOST_GHOSTS = 64;
/** m that a ghost stands beside its robot */
const BESIDE = 1;
/** m, radius of a target's sphere */
const TARGET_RADIUS = 0.02;
/** m of an arrow per N: a robot of 33 kg on one foot gives a third of a metre */
const ARROW_SCALE = 1e-3;
/** N; less is no contact */
const LEAST_FORCE = 1;

/** Draws a session's picture into frames: robots, ghosts, and what is asked for of the focused environment. */
export class PlayPainter {
  readonly #stage: PlayStage;
  readonly #memory: PlayMemory;
  readonly #soleZ: number;
  readonly #feet: ReadonlySet<number>;

  constructor(stage: PlayStage, memory: PlayMemory, wiring: WiringIndices) {
    this.#stage = stage;
    this.#memory = memory;
    this.#soleZ = wiring.footSoleZ;
    this.#feet = new Set(wiring.feet);
  }

  maxFloats(numEnvs: number): number {
    const { nbody, keybodies } = this.#stage;
    return (numEnvs + Math.min(numEnvs, MOST_GHOSTS)) * nbody * POSE + 10 * keybodies;
  }

  write(frame: FrameBuilder, index: number, state: PlayStageState): void {
    const { nbody } = this.#stage;
    const { numEnvs, focus, options } = state;
    const picture = this.#memory.pictures[index]!;
    frame.focus = focus;
    const at = frame.poses(numEnvs, nbody);
    frame.blob.set(picture.poses.subarray(0, numEnvs * nbody * POSE), at);
    if (options.ghost !== 'off') this.#writeGhosts(frame, picture, state);
    if (options.targets) this.#writeTargets(frame, picture, focus);
    if (options.contacts) this.#writeContacts(frame, picture, focus);
    frame.hud = this.#hud(focus);
  }

  #writeGhosts(frame: FrameBuilder, { ghosts }: PlayPicture, { numEnvs, focus, options }: PlayStageState): void {
    const { nbody } = this.#stage;
    const all = numEnvs <= MOST_GHOSTS;
    const n = all ? numEnvs : 1;
    const first = all ? 0 : focus;
    const at = frame.ghost(n, nbody);
    const out = frame.blob;
    out.set(ghosts.subarray(first * nbody * POSE, (first + n) * nbody * POSE), at);
    if (options.ghost === 'beside')
      for (let body = 0; body < n * nbody; body += 1) out[at + POSE * body + 1] = out[at + POSE * body + 1]! + BESIDE;
  }

  #writeTargets(frame: FrameBuilder, { targets }: PlayPicture, env: number): void {
    const { keybodies } = this.#stage;
    const at = frame.overlay('targets', 'spheres', keybodies);
    const out = frame.blob;
    for (let k = 0; k < keybodies; k += 1) {
      for (let axis = 0; axis < 3; axis += 1) out[at + 4 * k + axis] = targets[3 * (env * keybodies + k) + axis]!;
      out[at + 4 * k + 3] = TARGET_RADIUS;
    }
  }

  /** Arrows of the ground's forces on keybodies, from the feet's soles and the other bodies' origins. */
  #writeContacts(frame: FrameBuilder, { poses, forces }: PlayPicture, env: number): void {
    const { keybodies, nbody, bodies } = this.#stage;
    const arrows: number[] = [];
    for (let k = 0; k < keybodies; k += 1) {
      const body = bodies[k]!;
      const f = 3 * (env * keybodies + k);
      const force = [forces[f]!, forces[f + 1]!, forces[f + 2]!];
      if (Math.hypot(...force) < LEAST_FORCE) continue;
      const p = POSE * (env * nbody + body);
      const sole = this.#feet.has(body) ? this.#soleZ : 0;
      // What the body does to the ground, turned round.
      arrows.push(poses[p]!, poses[p + 1]!, poses[p + 2]! - sole, ...force.map((value) => -value * ARROW_SCALE));
    }
    frame.blob.set(arrows, frame.overlay('contacts', 'arrows', arrows.length / 6));
  }

  #hud(focus: number): Hud {
    const { clips, run, fps } = this.#stage;
    const clip = clips[figureOf(this.#memory, focus, 'clip')] ?? '';
    const index = figureOf(this.#memory, focus, 'frame');
    const simTime = this.#memory.clock[CLOCK.simTime]!;
    const factor = this.#memory.clock[CLOCK.realtimeFactor]!;
    return {
      text: [run, `env ${focus} · ${clip} · frame ${index}`, `${simTime.toFixed(2)} s · ${factor.toFixed(2)}×`],
      frame: index,
      time: index / fps,
      sim_time: simTime,
      realtime_factor: factor,
      clip,
    };
  }
}
