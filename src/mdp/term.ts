import type { Point } from '../robots/kinematics/feet.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { EnvState, TermIndices } from './env-state.ts';
import type { Params, ParamValue } from './task-config.ts';

/** Data with which a term is created; fixed for the life of its environments. */
export interface TermContext {
  readonly state: EnvState;
  readonly facts: RobotFacts;
  readonly indices: TermIndices;
  /** duration of a control step, s */
  readonly stepS: number;
  /** steps of a full episode */
  readonly maxEpisodeSteps: number;
  /** (J) default pose, rad, and effort limits, Nm (∞ where unknown) */
  readonly defaultJointPos: Float64Array;
  readonly effortLimit: Float64Array;
  /** (J) soft limits, rad: the middle ± 0.45 of the range; ∓∞ where unlimited */
  readonly softLower: Float64Array;
  readonly softUpper: Float64Array;
  /** (F) direction down from the sole of each foot while the robot stands, in the frame of the foot */
  readonly soleDown: readonly Point[];
  /** Computes the acceleration of the reference anchor: linear, m/s², then angular, rad/s², world frame.
   *  @param out (6,) */
  referenceAnchorAcceleration(env: number, out: Float64Array): void;
  /** elapsed part of the clip, 0..1 */
  clipPhase(env: number): number;
  /** returns weight · value of a reward in the last step, not multiplied by dt; 0 for a weight of 0 */
  lastReward(name: string, env: number): number;
  /** returns the index of a body among the keybodies. @throws StudioError bad_input for an unknown name */
  keybody(name: string): number;
}

/** Schema of a parameter of a term, for validation and forms. */
export interface ParamSchema {
  readonly type: 'number' | 'integer' | 'boolean' | 'string' | 'enum' | 'vector' | 'names';
  readonly default: ParamValue;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly unit?: string;
  readonly description: string;
}

interface TermDescription {
  /** one sentence, with the formula */
  readonly description: string;
  readonly unit: string;
  /** function of upstream, if this entry is an additional name that tasks use */
  readonly aliasOf?: string;
  readonly params: Readonly<Record<string, ParamSchema>>;
}

/** Writes `dim` values of one environment to `out[at]` and after. Must not allocate. */
export type ComputeObservation = (env: number, out: Float32Array, at: number) => void;
export interface ObservationTerm extends TermDescription {
  make(context: TermContext, params: Params): { readonly dim: number; readonly compute: ComputeObservation };
}

/** Returns the unweighted value of one environment. */
export type ComputeReward = (env: number) => number;
export interface RewardTerm extends TermDescription {
  make(context: TermContext, params: Params): ComputeReward;
}

/** Returns whether the episode of one environment ends. */
export type ComputeTermination = (env: number) => boolean;
export interface TerminationTerm extends TermDescription {
  make(context: TermContext, params: Params): ComputeTermination;
  /** Creates a function that measures the body with the largest error; absent for terms that do not measure a body. */
  explain?(context: TermContext, params: Params): ExplainTermination;
}

/** The value that a termination compares with its limit. */
export interface TerminationCause {
  /** without the world */
  readonly body: number;
  readonly value: number;
  readonly limit: number;
}
export type ExplainTermination = (env: number) => TerminationCause;

/** Every term by its upstream name. */
export interface TermLibrary {
  readonly observations: Readonly<Record<string, ObservationTerm>>;
  readonly rewards: Readonly<Record<string, RewardTerm>>;
  readonly terminations: Readonly<Record<string, TerminationTerm>>;
}
