import { badInput } from '../../core/errors.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { EnvState, TermIndices } from '../env-state.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { ReferenceStateInitConfig } from '../task-config.ts';
import type { TerrainField } from '../terrain/terrain-field.ts';
import { type AdaptiveSampling, clipWeights } from './adaptive-sampling.ts';

/** State and data that a motion command reads and writes. */
export interface MotionCommandParts {
  readonly state: EnvState;
  readonly indices: TermIndices;
  readonly library: MotionLibrary;
  readonly mode: ReferenceStateInitConfig['sampling_mode'];
  readonly sampling: AdaptiveSampling;
  readonly random: EnvRandom;
  /** heights of uneven terrain; null on a plane */
  readonly terrain: TerrainField | null;
}

/** Selects the clip and frame that every environment tracks, and fills in the reference state.
 *
 *  An episode starts in the state of a frame k. The policy observes frame k, and its action is relative to frame k.
 *  After the control step, the state is compared with frame k + 1, and the policy observes both. A clip ends after the
 *  comparison with its last frame. */
export class MotionCommand {
  readonly library: MotionLibrary;
  /** (n) bin in which the episode started; −1 if the clip is pinned or sampling has no bins */
  readonly startBin: Int32Array;
  /** (n) frame at which the episode started, and clip to which the environment is pinned (−1: not pinned) */
  readonly startFrame: Int32Array;
  readonly pinnedClip: Int32Array;
  readonly #pinnedFrame: Int32Array;
  readonly #state: EnvState;
  readonly #indices: TermIndices;
  readonly #keybodies: Int32Array;
  readonly #mode: ReferenceStateInitConfig['sampling_mode'];
  readonly #sampling: AdaptiveSampling;
  readonly #random: EnvRandom;
  readonly #terrain: TerrainField | null;
  /** (clips) cumulative sums of the weights; null if all weights are 1 */
  readonly #weightSums: Float64Array | null;

  constructor({ state, indices, library, mode, sampling, random, terrain }: MotionCommandParts) {
    this.library = library;
    this.#terrain = terrain;
    let sum = 0;
    this.#weightSums = clipWeights(library.clips)?.map((weight) => (sum += weight)) ?? null;
    this.#state = state;
    this.#indices = indices;
    this.#keybodies = Int32Array.from(indices.keybodies);
    this.#mode = mode;
    this.#sampling = sampling;
    this.#random = random;
    this.startBin = new Int32Array(state.n).fill(-1);
    this.startFrame = new Int32Array(state.n);
    this.pinnedClip = new Int32Array(state.n).fill(-1);
    this.#pinnedFrame = new Int32Array(state.n);
  }

  /** Pins an environment to a clip and start frame, or unpins it (null).
   *  @throws StudioError bad_input for an unknown clip or frame */
  pin(env: number, clip: number | null, frame: number): void {
    if (clip !== null) {
      const found = this.library.clips[clip];
      if (!found)
        throw badInput(`clip: the library has ${this.library.clips.length} clips, index ${clip} does not exist`);
      if (!(Number.isInteger(frame) && frame >= 0 && frame < found.frames))
        throw badInput(`frame: must be an integer from 0 to ${found.frames - 1}, the last frame of "${found.name}"`);
    }
    this.pinnedClip[env] = clip ?? -1;
    this.#pinnedFrame[env] = clip === null ? 0 : frame;
  }

  /** Samples the frame at which an episode starts. */
  sample(env: number): void {
    const { clips } = this.library;
    let clip = this.pinnedClip[env]!;
    let frame = this.#pinnedFrame[env]!;
    this.startBin[env] = -1;
    if (clip < 0 && this.#mode === 'start') {
      clip = 0;
      frame = 0;
    } else if (clip < 0 && this.#mode === 'uniform') {
      clip = this.#sampleClip(env);
      frame = this.#random.below(env, clips[clip]!.frames);
    } else if (clip < 0) {
      const bin = this.#sampling.sampleBin(env, this.#random);
      const { clip: binClip, first, frames } = this.#sampling.bins[bin]!;
      this.startBin[env] = bin;
      clip = binClip;
      frame = first + this.#random.below(env, frames);
    }
    // An episode cannot start at the last frame, because it needs a next frame.
    frame = Math.max(0, Math.min(frame, clips[clip]!.frames - 2));
    this.#state.clip[env] = clip;
    this.#state.frame[env] = frame;
    this.startFrame[env] = frame;
    this.fillReference(env);
  }

  #sampleClip(env: number): number {
    const sums = this.#weightSums;
    if (!sums) return this.#random.below(env, this.library.clips.length);
    const wanted = this.#random.next(env) * sums[sums.length - 1]!;
    return sums.findIndex((sum) => sum > wanted);
  }

  /** Advances by one frame. */
  advance(env: number): void {
    const { frame } = this.#state;
    if (!this.atEnd(env)) frame[env] = frame[env]! + 1;
    this.fillReference(env);
  }

  /** Returns whether the environment is at the last frame of its clip. */
  atEnd(env: number): boolean {
    return this.#state.frame[env]! >= this.library.clips[this.#state.clip[env]!]!.frames - 1;
  }

  /** Returns the number of control steps from the first frame of the episode to the end of the clip. */
  possibleSteps(env: number): number {
    return this.library.clips[this.#state.clip[env]!]!.frames - 1 - this.startFrame[env]!;
  }

  /** Returns the row of the current frame in the arrays of the library. */
  row(env: number): number {
    return this.library.clips[this.#state.clip[env]!]!.first + this.#state.frame[env]!;
  }

  /** Returns the elapsed part of the clip, 0..1. */
  phase(env: number): number {
    return Math.min(1, this.#state.frame[env]! / this.library.clips[this.#state.clip[env]!]!.frames);
  }

  /** Computes the acceleration of the reference anchor in the world frame: linear, m/s², then angular, rad/s². Uses
   *  central differences of its velocity, and one-sided differences at the ends of the clip. @param out (6,) */
  anchorAcceleration(env: number, out: Float64Array): void {
    const { library } = this;
    const { first, frames } = library.clips[this.#state.clip[env]!]!;
    const frame = this.#state.frame[env]!;
    const before = Math.max(0, frame - 1);
    const after = Math.min(frames - 1, frame + 1);
    const rate = after > before ? library.fps / (after - before) : 0;
    const a = 3 * ((first + before) * library.bodies + this.#indices.anchor);
    const b = 3 * ((first + after) * library.bodies + this.#indices.anchor);
    for (let axis = 0; axis < 3; axis++) {
      out[axis] = (library.bodyLinVelW[b + axis]! - library.bodyLinVelW[a + axis]!) * rate;
      out[3 + axis] = (library.bodyAngVelW[b + axis]! - library.bodyAngVelW[a + axis]!) * rate;
    }
  }

  /** Copies the current frame into the state. Adds the origin of the environment and the height of the ground under the
   *  root. */
  fillReference(env: number): void {
    const { library } = this;
    const state = this.#state;
    const { joints, bodies, envOrigin } = state;
    const row = this.row(env);
    for (let j = 0, from = row * joints, to = env * joints; j < joints; j++, from++, to++) {
      state.refJointPos[to] = library.jointPos[from]!;
      state.refJointVel[to] = library.jointVel[from]!;
    }
    const x = envOrigin[3 * env]!;
    const y = envOrigin[3 * env + 1]!;
    const root = 3 * row * bodies;
    const z = this.#terrain?.height(library.bodyPosW[root]! + x, library.bodyPosW[root + 1]! + y) ?? 0;
    envOrigin[3 * env + 2] = z;
    const { refBodyPosW, refBodyLinVelW, refBodyAngVelW, refBodyQuatW } = state;
    const count = 3 * bodies;
    for (let k = 0, from = row * count, to = env * count; k < count; k += 3, from += 3, to += 3) {
      refBodyPosW[to] = library.bodyPosW[from]! + x;
      refBodyPosW[to + 1] = library.bodyPosW[from + 1]! + y;
      refBodyPosW[to + 2] = library.bodyPosW[from + 2]! + z;
      for (let axis = 0; axis < 3; axis++) {
        refBodyLinVelW[to + axis] = library.bodyLinVelW[from + axis]!;
        refBodyAngVelW[to + axis] = library.bodyAngVelW[from + axis]!;
      }
    }
    for (let k = 0, from = row * 4 * bodies, to = env * 4 * bodies; k < 4 * bodies; k++, from++, to++)
      refBodyQuatW[to] = library.bodyQuatW[from]!;
  }

  /** Computes the targets of the keybodies relative to the robot: with Δψ the yaw of q_anchor · q_ref,anchor⁻¹,
   *  p = (x_anchor, y_anchor, z_ref,anchor) + Δψ · (p_ref − p_ref,anchor) and q = Δψ · q_ref. */
  fillRelative(env: number): void {
    const { bodies, bodyPosW, bodyQuatW, refBodyPosW, refBodyQuatW, relBodyPosW, relBodyQuatW } = this.#state;
    const p = 3 * (env * bodies + this.#indices.anchor);
    const q = 4 * (env * bodies + this.#indices.anchor);
    const half = halfYaw(bodyQuatW, refBodyQuatW, q);
    const halfCos = Math.cos(half);
    const halfSin = Math.sin(half);
    const cos = halfCos * halfCos - halfSin * halfSin;
    const sin = 2 * halfCos * halfSin;
    const keybodies = this.#keybodies;
    for (let k = 0; k < keybodies.length; k++) {
      const from = 3 * (env * bodies + keybodies[k]!);
      const fromQ = 4 * (env * bodies + keybodies[k]!);
      const to = 3 * (env * keybodies.length + k);
      const toQ = 4 * (env * keybodies.length + k);
      const dx = refBodyPosW[from]! - refBodyPosW[p]!;
      const dy = refBodyPosW[from + 1]! - refBodyPosW[p + 1]!;
      relBodyPosW[to] = bodyPosW[p]! + cos * dx - sin * dy;
      relBodyPosW[to + 1] = bodyPosW[p + 1]! + sin * dx + cos * dy;
      relBodyPosW[to + 2] = refBodyPosW[from + 2]!;
      const w = refBodyQuatW[fromQ]!;
      const x = refBodyQuatW[fromQ + 1]!;
      const y = refBodyQuatW[fromQ + 2]!;
      const z = refBodyQuatW[fromQ + 3]!;
      relBodyQuatW[toQ] = halfCos * w - halfSin * z;
      relBodyQuatW[toQ + 1] = halfCos * x - halfSin * y;
      relBodyQuatW[toQ + 2] = halfCos * y + halfSin * x;
      relBodyQuatW[toQ + 3] = halfCos * z + halfSin * w;
    }
  }
}

/** Returns half the yaw of a · b⁻¹, rad. @param at index of the first value of both quaternions */
function halfYaw(a: Float64Array, b: Float64Array, at: number): number {
  const aw = a[at]!;
  const ax = a[at + 1]!;
  const ay = a[at + 2]!;
  const az = a[at + 3]!;
  const bw = b[at]!;
  const bx = -b[at + 1]!;
  const by = -b[at + 2]!;
  const bz = -b[at + 3]!;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) / 2;
}
