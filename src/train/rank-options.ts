import type { SavedLevels } from '../mdp/command/adaptive-sampling.ts';
import type { EnvironmentOptions } from '../mdp/env/environment-options.ts';
import { LIBRARY } from '../mdp/library.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import type { MainModule } from '../sim/mujoco.ts';
import type { GroupMemory } from './ppo/worker-group.ts';
import type { TrainingListener } from './training-listener.ts';
import type { TrainingOrder } from './training-order.ts';

/** Options of one thread of a training. Threads are numbered by rank. */
export interface RankOptions {
  readonly order: TrainingOrder;
  readonly mj: MainModule;
  /** bytes of the compiled robot (MJB) */
  readonly physics: Uint8Array;
  readonly library: MotionLibrary;
  readonly memory: GroupMemory;
  readonly rank: number;
  /** checkpoint to resume from */
  readonly resume: Checkpoint | null;
  /** failure levels of the resumed run; null: starts are sampled evenly at first */
  readonly levels: SavedLevels | null;
  /** checkpoint of another run whose networks the training starts with */
  readonly start: Checkpoint | null;
  /** receives the progress; null in all ranks but rank 0 */
  readonly listener: TrainingListener | null;
}

/** A range of environments, `first` to `first + n - 1`, of a training or an evaluation. */
export interface Share {
  readonly first: number;
  readonly n: number;
}

/** Splits environments nearly evenly over the threads. */
export function shareOf(total: number, ranks: number, rank: number): Share {
  const first = Math.floor((total * rank) / ranks);
  return { first, n: Math.floor((total * (rank + 1)) / ranks) - first };
}

/** Returns the options for creating one thread's environments of a task. */
export function environmentOptions(
  { order, mj, physics, library }: RankOptions,
  config: TaskConfig,
  { first, n }: Share,
  seed: number,
): EnvironmentOptions {
  const { facts } = order.robot;
  return { mj, physics, facts, config, library, terms: LIBRARY, n, firstEnv: first, seed };
}
