import type { TaskConfig } from '../mdp/task-config.ts';
import type { LibraryFile } from '../motion/library/load-motion-library.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { Profile } from './builtin-profile.ts';

/** Name of the order in a job's folder. */
export const ORDER_FILE = 'training.json';

/** What the trainer's process is told. All paths are of this machine; nothing else of the workspace is read, so that
 *  later changes to presets, robots or caches do not reach a training that runs. */
export interface TrainingOrder {
  readonly version: 1;
  readonly task: string;
  /** as the task was resolved; `scene.num_envs` environments, `agent.max_iterations` iterations */
  readonly config: TaskConfig;
  /** what is made of it, see `trainedTask` */
  readonly profile: Profile;
  readonly robot: {
    readonly facts: RobotFacts;
    /** compiled model (MJB), a copy of its own */
    readonly physicsPath: string;
  };
  readonly dataset: string;
  readonly clips: readonly LibraryFile[];
  readonly seed: number;
  /** 0: as many as cores */
  readonly threads: number;
  /** folder of the run, which the trainer makes */
  readonly runFolder: string;
  /** path of a checkpoint to go on from */
  readonly resume: string | null;
  readonly logger: 'tensorboard' | 'none';
  /** iterations between two evaluations, episodes of each and of the last; absent: 25, 64, 128 */
  readonly evaluation?: { readonly every: number; readonly episodes: number; readonly finalEpisodes: number };
}
