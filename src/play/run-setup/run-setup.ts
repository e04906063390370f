import type { TaskConfig } from '../../mdp/task-config.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { RunFormat } from '../../runs/store/run-record.ts';

/** A run and checkpoint as read for play: what a session is built from. Plain data. */
export interface RunSetup {
  /** name of the task */
  readonly task: string;
  /** as it is played */
  readonly config: TaskConfig;
  /** null: zero action */
  readonly policy: PolicyWeights | null;
  /** the parts of the run that are ignored in play, with reasons */
  readonly warnings: readonly string[];
}

/** Which run and checkpoint to read. */
export interface RunSetupOrder {
  /** folder of the run, absolute */
  readonly folder: string;
  readonly format: RunFormat;
  /** file name; '': zero action */
  readonly checkpoint: string;
  /** the robot that plays the run */
  readonly facts: RobotFacts;
}
