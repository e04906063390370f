import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { Checkpoint } from '../../runs/checkpoint/write-checkpoint.ts';
import type { GroupMemory } from '../../train/ppo/worker-group.ts';
import type { TrainingOrder } from '../../train/training-order.ts';

/** `workerData` of one thread of a training. */
export interface TrainThread {
  readonly order: TrainingOrder;
  readonly library: MotionLibrary;
  readonly memory: GroupMemory;
  readonly rank: number;
  readonly resume: Checkpoint | null;
}

/** What the first thread of a training says at its end. */
export interface TrainThreadEnd {
  /** before its last iteration, as it was asked to */
  readonly stopped: boolean;
}
