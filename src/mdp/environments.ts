import type { EnvState } from './env-state.ts';

/** Where a term's values are in a group's rows. */
export interface ObservationSlice {
  readonly term: string;
  readonly offset: number;
  readonly dim: number;
}

export interface ObservationGroup {
  readonly dim: number;
  readonly slices: readonly ObservationSlice[];
  /** (n, dim), after noise, scale and history: what the policy gets for its next action */
  readonly values: Float32Array;
  /** Writes what an environment's present state would give, without noise, to `out[at]` and after; nothing of it is
   *  remembered. For states that an episode ends with, which no policy gets to see. */
  peek(env: number, out: Float32Array, at: number): void;
}

/** Environments of one task that step together in one thread. Nothing is allocated per step. */
export interface Environments {
  readonly n: number;
  readonly actionDim: number;
  /** s of a control step */
  readonly stepS: number;
  readonly state: EnvState;
  readonly observations: ReadonlyMap<string, ObservationGroup>;
  readonly rewardNames: readonly string[];
  /** (R) live: what is written here counts from the next step */
  readonly rewardWeights: Float64Array;
  /** (n, R) weight · value · dt of the last step */
  readonly rewardTerms: Float32Array;
  /** (n) their sum */
  readonly rewards: Float32Array;
  readonly terminationNames: readonly string[];
  /** (n) the last step's, before the reset that follows */
  readonly terminated: Uint8Array;
  readonly timedOut: Uint8Array;
  /** (n) index of the first termination that held in the last step, −1 where none did, whether or not it ended anything */
  readonly cause: Int16Array;
  /** false: terminations are evaluated, but end nothing */
  terminations: boolean;
  /** Only environments below this are stepped, begun anew and observed; `n` at first. The others stay as they are. */
  active: number;
  /** Called in a step for each environment that ends, or whose clip does, before it is begun anew: its state is still
   *  that of its end. */
  onEnd: ((env: number) => void) | null;

  /** One control step of all environments; those that end are begun anew. @param actions (n, actionDim) raw */
  step(actions: Float32Array): void;
  /** Lays the environments out as part of a grid of `total`. On a plane their motion does not change; on uneven terrain
   *  they begin anew. */
  arrange(total: number): void;
  /** Begins all environments anew, or one. */
  reset(env?: number): void;
  /** Makes an environment play one clip from a row on, over and over; null: sampled again. Begins it anew. */
  pin(env: number, clip: number | null, frame: number): void;
  /** Adds to the root's velocity, m/s, world frame. */
  push(env: number, x: number, y: number): void;
  /** (nq) MuJoCo's configuration of one environment, of this moment; valid until the next call. */
  qpos(env: number): Float64Array;
  /** Writes (nbody, 7) poses of one environment, position and quaternion wxyz, world frame. */
  writePoses(env: number, out: Float32Array, at: number): void;
  /** Writes (nbody, 7) poses of the reference of one environment. */
  writeReferencePoses(env: number, out: Float32Array, at: number): void;
  delete(): void;
}
