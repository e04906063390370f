import type { Hud } from '../protocol/frame.ts';
import type { WiringIndices } from '../scene/scene.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import { CLOCK, metricOf, type PlayMemory, type PlayPicture } from './play-memory.ts';
import type { PlayScene, PlaySceneState } from './play-scene.ts';

const POSE = 7;
/** Maximum number of environments for which all ghosts are shown. In larger sessions, only the focused environment has
 *  a ghost. */
const MOST_GHOSTS = 64;
/** Maximum distance between a robot and a ghost that is shown beside it, m. Among several robots, a ghost stands
 *  half-way to the next robot. */
const BESIDE = 1;
/** Radius of the sphere that marks a target, m. */
const TARGET_RADIUS = 0.02;
/** Length of a force arrow, m per N. A robot of 33 kg on one foot yields 0.32 m. */
const ARROW_SCALE = 1e-3;
/** Contact forces below this value are not shown, N. */
const LEAST_FORCE = 1;

/** Writes the picture of a session into frames: robots, ghosts, and the overlays of the focused environment. */
export class PlayPainter {
  readonly #scene: PlayScene;
  readonly #memory: PlayMemory;
  readonly #soleZ: number;
  readonly #feet: ReadonlySet<number>;

  constructor(scene: PlayScene, memory: PlayMemory, wiring: WiringIndices) {
    this.#scene = scene;
    this.#memory = memory;
    this.#soleZ = wiring.footSoleZ;
    this.#feet = new Set(wiring.feet);
  }

  /** Returns the maximum number of float32 values of a frame. */
  maxFloats(numEnvs: number): number {
    const { nbody, keybodies } = this.#scene;
    return (numEnvs + Math.min(numEnvs, MOST_GHOSTS)) * nbody * POSE + 10 * keybodies;
  }

  write(frame: FrameBuilder, index: number, state: PlaySceneState): void {
    const { nbody } = this.#scene;
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

  #writeGhosts(frame: FrameBuilder, { ghosts }: PlayPicture, { numEnvs, focus, options }: PlaySceneState): void {
    const { nbody } = this.#scene;
    const all = numEnvs <= MOST_GHOSTS;
    const n = all ? numEnvs : 1;
    const first = all ? 0 : focus;
    const at = frame.ghost(n, nbody);
    const out = frame.blob;
    out.set(ghosts.subarray(first * nbody * POSE, (first + n) * nbody * POSE), at);
    if (options.ghost !== 'beside') return;
    const beside = numEnvs > 1 ? Math.min(BESIDE, this.#scene.spacing / 2) : BESIDE;
    for (let body = 0; body < n * nbody; body += 1) out[at + POSE * body + 1] = out[at + POSE * body + 1]! + beside;
  }

  #writeTargets(frame: FrameBuilder, { targets }: PlayPicture, env: number): void {
    const { keybodies } = this.#scene;
    const at = frame.overlay('targets', 'spheres', keybodies);
    const out = frame.blob;
    for (let k = 0; k < keybodies; k += 1) {
      for (let axis = 0; axis < 3; axis += 1) out[at + 4 * k + axis] = targets[3 * (env * keybodies + k) + axis]!;
      out[at + 4 * k + 3] = TARGET_RADIUS;
    }
  }

  /** Draws arrows for the forces of the ground on the key bodies: at the soles for feet, at the origin for other
   *  bodies. */
  #writeContacts(frame: FrameBuilder, { poses, forces }: PlayPicture, env: number): void {
    const { keybodies, nbody, bodies } = this.#scene;
    const arrows: number[] = [];
    for (let k = 0; k < keybodies; k += 1) {
      const body = bodies[k]!;
      const f = 3 * (env * keybodies + k);
      const force = [forces[f]!, forces[f + 1]!, forces[f + 2]!];
      if (Math.hypot(...force) < LEAST_FORCE) continue;
      const p = POSE * (env * nbody + body);
      const sole = this.#feet.has(body) ? this.#soleZ : 0;
      // The recorded forces act on the ground. The arrows show the opposite forces, which act on the body.
      arrows.push(poses[p]!, poses[p + 1]!, poses[p + 2]! - sole, ...force.map((value) => -value * ARROW_SCALE));
    }
    frame.blob.set(arrows, frame.overlay('contacts', 'arrows', arrows.length / 6));
  }

  #hud(focus: number): Hud {
    const { clips, titles, fps } = this.#scene;
    const clip = clips[metricOf(this.#memory, focus, 'clip')] ?? '';
    const index = metricOf(this.#memory, focus, 'frame');
    const simTime = this.#memory.clock[CLOCK.simTime]!;
    const factor = this.#memory.clock[CLOCK.realtimeFactor]!;
    return {
      text: [
        titles[focus] ?? titles[0]!,
        `env ${focus} · ${clip} · frame ${index}`,
        `${simTime.toFixed(2)} s · ${factor.toFixed(2)}×`,
      ],
      frame: index,
      time: index / fps,
      sim_time: simTime,
      realtime_factor: factor,
      clip,
    };
  }
}
