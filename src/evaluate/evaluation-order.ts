import type { LibraryFile } from '../motion/library/load-motion-library.ts';
import type { Condition, Gate } from '../protocol/schemas/evaluation.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { RunFormat } from '../runs/store/run-record.ts';

/** File name of the order in the folder of a job. */
export const ORDER_FILE = 'evaluation.json';
/** Version of the order's format. Increase it when orders of older versions can no longer be run. */
export const ORDER_VERSION = 1;

/** The order that an evaluation's process runs. All paths refer to this machine. */
export interface EvaluationOrder {
  readonly version: typeof ORDER_VERSION;
  /** folder of the evaluation, which exists */
  readonly folder: string;
  readonly run: { readonly folder: string; readonly format: RunFormat };
  /** names of the checkpoints; '': zero action */
  readonly checkpoints: readonly string[];
  readonly conditions: readonly Condition[];
  readonly robot: {
    readonly facts: RobotFacts;
    /** compiled model (MJB), a copy for this evaluation */
    readonly physicsPath: string;
  };
  /** files of the clips; null: the clip is stored in the policy's own file */
  readonly files: readonly LibraryFile[] | null;
  /** names of the evaluated clips, in the order of the results */
  readonly clips: readonly string[];
  readonly starts: number;
  readonly horizonS: number | null;
  readonly seed: number;
  readonly gate: Gate | null;
  /** the checkpoint whose results under the first condition become the score of the run; null if the results do not
   *  show how well the run tracks its own library */
  readonly scores: string | null;
  /** number of threads; 0: one per core */
  readonly threads: number;
}
