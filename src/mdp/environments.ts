import type { EnvState } from './env-state.ts';
import type { TerminationCause } from './term.ts';

/** Position of a term's values in the rows of an observation group. */
export interface ObservationSlice {
  readonly term: string;
  readonly offset: number;
  readonly dim: number;
}

export interface ObservationGroup {
  readonly dim: number;
  readonly slices: readonly ObservationSlice[];
  /** (n, dim) observations for the next action, after noise, scale and history */
  readonly values: Float32Array;
  /** Writes the observation of the current state, without noise, to `out`, starting at `out[at]`. Does not change
   *  history and delays. Use it for the last state of an episode, which the policy does not observe. */
  peek(env: number, out: Float32Array, at: number): void;
}

/** Environments of one task that step together in one thread. A step does not allocate memory. */
export interface Environments {
  readonly n: number;
  readonly actionDim: number;
  /** duration of a control step, s */
  readonly stepS: number;
  readonly state: EnvState;
  readonly observations: ReadonlyMap<string, ObservationGroup>;
  readonly rewardNames: readonly string[];
  /** (R) weights; a new weight takes effect at the next step */
  readonly rewardWeights: Float64Array;
  /** (n, R) weight · value · dt of the last step */
  readonly rewardTerms: Float32Array;
  /** (n) sum of the reward terms of the last step */
  readonly rewards: Float32Array;
  readonly terminationNames: readonly string[];
  /** (n) whether the last step ended the episode, before the reset */
  readonly terminated: Uint8Array;
  readonly timedOut: Uint8Array;
  /** (n) whether the clip ended with the last step. If the episode did not end, it continues at another frame. */
  readonly clipEnded: Uint8Array;
  /** (n) index of the first termination whose condition held in the last step, −1 for none; also set while terminations
   *  are disabled */
  readonly cause: Int16Array;
  /** false: terminations are evaluated, but do not end episodes */
  terminations: boolean;
  /** Only the first `active` environments are stepped, reset and observed; initially `n`. The others stay unchanged. */
  active: number;
  /** (n) 1: the environment is not stepped, reset at the end of an episode or observed until it is 0 again */
  readonly idle: Uint8Array;
  /** Called during a step for each environment whose episode or clip ended, before its reset, so that its last state
   *  can be read. */
  onEnd: ((env: number) => void) | null;

  /** Returns the value measured by the termination whose condition held in the last step. Call it in `onEnd`. Null if
   *  no condition held, or if the termination does not measure a body. */
  terminationCause(env: number): TerminationCause | null;
  /** Takes one control step of all environments and resets those that ended. @param actions (n, actionDim) raw */
  step(actions: Float32Array): void;
  /** Places the environments in a grid of `total` cells. On a plane the motion continues; on uneven terrain the
   *  environments are reset. */
  arrange(total: number): void;
  /** Resets one environment, or all. */
  reset(env?: number): void;
  /** Restarts all random streams for resets, events and noise with another seed. Variations of the model that were
   *  drawn at the start do not change. */
  reseed(seed: number): void;
  /** Resets an environment. It then repeats one clip, starting at a frame, or samples clips again (null).
   *  @throws StudioError bad_input for an unknown clip or frame */
  pin(env: number, clip: number | null, frame: number): void;
  /** Adds (x, y) to the horizontal velocity of the root, m/s, world frame. */
  push(env: number, x: number, y: number): void;
  /** (nq) MuJoCo's current configuration of one environment, valid until the next call. */
  qpos(env: number): Float64Array;
  /** Writes (nbody, 7) poses of one environment, position and quaternion wxyz, world frame. */
  writePoses(env: number, out: Float32Array, at: number): void;
  /** Writes (nbody, 7) poses of the reference of one environment. */
  writeReferencePoses(env: number, out: Float32Array, at: number): void;
  delete(): void;
}
