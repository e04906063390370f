import type { UnitResult } from '../../evaluate/episode-result.ts';
import type { Episode } from '../../evaluate/episodes.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** `workerData` of an evaluation thread. */
export interface EvaluateThread {
  readonly facts: RobotFacts;
  readonly physicsPath: string;
  readonly library: MotionLibrary;
  readonly seed: number;
  /** by checkpoint; null: zero actions */
  readonly policies: readonly (PolicyWeights | null)[];
  /** by condition */
  readonly configs: readonly TaskConfig[];
}

/** A unit to play; the thread ends after `null` instead. */
export interface UnitTask {
  readonly unit: number;
  readonly checkpoint: number;
  readonly condition: number;
  readonly first: number;
  readonly episodes: readonly Episode[];
}

/** A unit that was played; `null` after the start of the thread. */
export type UnitAnswer = { readonly unit: number; readonly result: UnitResult } | null;
