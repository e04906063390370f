import type { UnitResult } from '../../evaluate/episode-result.ts';
import type { Episode } from '../../evaluate/episodes.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** Inputs that all units of an evaluation share. A unit plays some starts of one checkpoint under one condition. */
export interface UnitContent {
  readonly facts: RobotFacts;
  readonly physicsPath: string;
  readonly library: MotionLibrary;
  readonly seed: number;
  /** policies by checkpoint; null: zero actions */
  readonly policies: readonly (PolicyWeights | null)[];
  /** tasks by condition */
  readonly configs: readonly TaskConfig[];
}

/** A unit to play. */
export interface UnitTask {
  readonly unit: number;
  readonly checkpoint: number;
  readonly condition: number;
  readonly first: number;
  readonly episodes: readonly Episode[];
}

/** Messages to a thread: first the content, then one task after the other. `null` ends the thread. */
export type ToEvaluateThread = { readonly content: UnitContent } | { readonly task: UnitTask | null };

/** Result of a unit. */
export interface UnitAnswer {
  readonly unit: number;
  readonly result: UnitResult;
}
