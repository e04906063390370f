import type { TaskConfig } from '../../mdp/task-config.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { RunFormat } from '../../runs/store/run-record.ts';

/** The content of a run's files. Plain data. */
export interface RunContent {
  readonly task: string;
  /** the task as trained, with noise, pushes and variations as far as the files contain them */
  readonly trained: TaskConfig;
  /** weights of the policy; null: the action is always zero */
  readonly policy: PolicyWeights | null;
  /** one sentence for each part of the run that play ignores, with the reason */
  readonly warnings: readonly string[];
}

/** A run and checkpoint as read for play and evaluation. */
export interface RunSetup extends RunContent {
  /** the task as played */
  readonly config: TaskConfig;
}

/** Identifies the run and checkpoint to read. */
export interface RunSetupOrder {
  /** absolute path of the run's folder */
  readonly folder: string;
  readonly format: RunFormat;
  /** file name; '' for zero actions */
  readonly checkpoint: string;
  /** the robot that plays the run */
  readonly facts: RobotFacts;
}
