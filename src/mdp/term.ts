import type { RobotFacts } from '../robots/robot-facts.ts';
import type { EnvState, TermIndices } from './env-state.ts';
import type { Params, ParamValue } from './task-config.ts';

/** What a term is made with: fixed while its environments live. */
export interface TermContext {
  readonly state: EnvState;
  readonly facts: RobotFacts;
  readonly indices: TermIndices;
  /** s, of a control step */
  readonly stepS: number;
  /** steps of a full episode */
  readonly maxEpisodeSteps: number;
  /** (J) rad: default pose, effort limits (Nm, ∞ where unknown) */
  readonly defaultJointPos: Float64Array;
  readonly effortLimit: Float64Array;
  /** (J) soft limits: the middle ± 0.45 of the range; ∓∞ where unlimited */
  readonly softLower: Float64Array;
  readonly softUpper: Float64Array;
  /** m/s² of the reference anchor at (clip, frame): linear then angular, world frame, 6 values */
  referenceAnchorAcceleration(env: number, out: Float64Array): void;
  /** 0..1 of the clip gone by, per environment */
  clipPhase(env: number): number;
  /** weighted value, not multiplied by dt, that a reward had in the last step; 0 for one that has no weight */
  lastReward(name: string, env: number): number;
  /** keybodies are picked from by name */
  keybody(name: string): number;
}

/** A parameter of a term, for checks and forms. */
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
  /** upstream's function that this is a task's name of; absent: it is itself a function */
  readonly aliasOf?: string;
  readonly params: Readonly<Record<string, ParamSchema>>;
}

/** Writes `dim` values of one environment to `out[at]` and after. No allocation. */
export type ComputeObservation = (env: number, out: Float32Array, at: number) => void;
export interface ObservationTerm extends TermDescription {
  make(context: TermContext, params: Params): { readonly dim: number; readonly compute: ComputeObservation };
}

/** The unweighted value of one environment. */
export type ComputeReward = (env: number) => number;
export interface RewardTerm extends TermDescription {
  make(context: TermContext, params: Params): ComputeReward;
}

/** Whether one environment's episode is over. */
export type ComputeTermination = (env: number) => boolean;
export interface TerminationTerm extends TermDescription {
  make(context: TermContext, params: Params): ComputeTermination;
}

/** Every term by its upstream name. */
export interface TermLibrary {
  readonly observations: Readonly<Record<string, ObservationTerm>>;
  readonly rewards: Readonly<Record<string, RewardTerm>>;
  readonly terminations: Readonly<Record<string, TerminationTerm>>;
}
