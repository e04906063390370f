import type { TaskConfig } from '../../mdp/task-config.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { RunFormat } from '../../runs/store/run-record.ts';

/** A run and checkpoint as read for play, from which a session is built. Plain data. */
export interface RunSetup {
  readonly task: string;
  /** the task as played */
  readonly config: TaskConfig;
  /** null: the action is zero */
  readonly policy: PolicyWeights | null;
  /** one sentence for each part of the run that play ignores, with the reason */
  readonly warnings: readonly string[];
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
