import type { SavedLevels } from '../../mdp/command/adaptive-sampling.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { Checkpoint } from '../../runs/checkpoint/write-checkpoint.ts';
import type { GroupMemory } from '../../train/ppo/worker-group.ts';
import type { TrainingOrder } from '../../train/training-order.ts';

/** `workerData` of a training thread. */
export interface TrainThread {
  readonly order: TrainingOrder;
  readonly library: MotionLibrary;
  readonly memory: GroupMemory;
  readonly rank: number;
  readonly resume: Checkpoint | null;
  /** failure levels of the resumed run */
  readonly levels: SavedLevels | null;
  readonly start: Checkpoint | null;
}

/** Last message of the first training thread. */
export interface TrainThreadEnd {
  /** whether it was stopped before its end */
  readonly stopped: boolean;
}
