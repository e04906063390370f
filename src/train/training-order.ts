import type { TaskConfig } from '../mdp/task-config.ts';
import type { LibraryFile } from '../motion/library/load-motion-library.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { Profile } from './builtin-profile.ts';

/** File name of the order in the folder of a job. */
export const ORDER_FILE = 'training.json';
/** Version of the order's format. Increase it when orders of older versions can no longer be run. Since 2, `config` is
 *  the task after the profile; since 3, no order trains experts for parts of the motion. */
export const ORDER_VERSION = 3;

/** The order that a trainer process runs. All paths refer to this machine. The trainer does not read other files of the
 *  workspace, so later changes to presets, robots or caches do not affect a running training. */
export interface TrainingOrder {
  readonly version: typeof ORDER_VERSION;
  readonly task: string;
  /** the task as it is trained, after the profile, with the number of environments (`scene.num_envs`) and iterations
   *  (`agent.max_iterations`) */
  readonly config: TaskConfig;
  /** the profile that was applied to `config`, for the record of the run */
  readonly profile: Profile;
  readonly robot: {
    readonly facts: RobotFacts;
    /** compiled model (MJB), a copy for this training */
    readonly physicsPath: string;
  };
  readonly dataset: string;
  readonly clips: readonly LibraryFile[];
  readonly seed: number;
  /** number of threads; 0: one per core */
  readonly threads: number;
  /** folder of the run, created by the trainer */
  readonly runFolder: string;
  /** path of the checkpoint to resume from */
  readonly resume: string | null;
  /** checkpoint whose networks the training starts with, and the path of its run; absent: new networks */
  readonly start?: { readonly checkpoint: string; readonly run: string } | null;
  /** path of the run from which the networks of the resumed run came; absent: it began with new ones */
  readonly origin?: string | null;
  /** time limit of a training that ends when its evaluation has converged, minutes; absent: the number of iterations is
   *  exact */
  readonly maxMinutes?: number | null;
  readonly logger: 'tensorboard' | 'none';
  /** iterations between two evaluations, episodes of each evaluation and of the final one; default 25, 64, 128 */
  readonly evaluation?: { readonly every: number; readonly episodes: number; readonly finalEpisodes: number };
}
