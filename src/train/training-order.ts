import type { TaskConfig } from '../mdp/task-config.ts';
import type { LibraryFile } from '../motion/library/load-motion-library.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { Profile } from './builtin-profile.ts';

/** File name of the order in the folder of a job. */
export const ORDER_FILE = 'training.json';

/** The order that a trainer process carries out. All paths are of this machine. The trainer reads no other files of the
 *  workspace, so later changes to presets, robots or caches do not affect a running training. */
export interface TrainingOrder {
  readonly version: 1;
  readonly task: string;
  /** the resolved task, with the number of environments (`scene.num_envs`) and iterations (`agent.max_iterations`) */
  readonly config: TaskConfig;
  /** how the trainer changes the task, see `trainedTask` */
  readonly profile: Profile;
  readonly robot: {
    readonly facts: RobotFacts;
    /** compiled model (MJB), a copy for this training */
    readonly physicsPath: string;
  };
  readonly dataset: string;
  readonly clips: readonly LibraryFile[];
  readonly seed: number;
  /** 0: one per core */
  readonly threads: number;
  /** folder of the run, created by the trainer */
  readonly runFolder: string;
  /** path of the checkpoint to resume from */
  readonly resume: string | null;
  readonly logger: 'tensorboard' | 'none';
  /** iterations between two evaluations, episodes of each and of the final one; default 25, 64, 128 */
  readonly evaluation?: { readonly every: number; readonly episodes: number; readonly finalEpisodes: number };
}
