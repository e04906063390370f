import type { LevelTable } from '../../mdp/command/adaptive-sampling.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { Checkpoint } from '../../runs/checkpoint/write-checkpoint.ts';
import type { PhaseEnd, PhaseOptions } from '../../train/library/phase-listener.ts';
import type { GroupMemory } from '../../train/ppo/worker-group.ts';
import type { TrainingReport } from '../../train/training-listener.ts';
import type { TrainingOrder } from '../../train/training-order.ts';

/** `workerData` of a training thread. */
export interface TrainThread {
  readonly order: TrainingOrder;
  readonly library: MotionLibrary;
  readonly memory: GroupMemory;
  readonly rank: number;
  readonly resume: Checkpoint | null;
  /** failure levels of the resumed run */
  readonly levels: LevelTable | null;
  readonly start: Checkpoint | null;
}

/** Last message of the first training thread. */
export interface TrainThreadEnd {
  /** whether it was stopped before its last iteration */
  readonly stopped: boolean;
}

/** `workerData` of a thread of a training with experts. */
export interface LibraryThread extends TrainThread {
  readonly part: LibraryPart;
}

/** The work of a thread in a training with experts. */
export type LibraryPart =
  /** trains one policy for the whole library with PPO; all threads together */
  | { readonly kind: 'base'; readonly phase: PhaseOptions }
  /** measures the policy `resume` in chunks; `library` has one clip for each chunk */
  | { readonly kind: 'measure' }
  /** trains one expert from the policy `start`; `library` is its chunk, and this thread is alone */
  | { readonly kind: 'expert'; readonly expert: number }
  /** distils the experts into a student, which starts from `resume`; all threads together */
  | {
      readonly kind: 'distillation';
      readonly phase: PhaseOptions;
      readonly experts: readonly PolicyWeights[];
      readonly expertRows: Int16Array;
    };

/** Messages of a thread of a training with experts. */
export type LibraryThreadNews =
  | { readonly kind: 'iteration'; readonly report: TrainingReport }
  /** seconds tracked in each clip of the library */
  | { readonly kind: 'measured'; readonly tracked: readonly number[] }
  /** last message of the first thread. `stopped`: it ended before its last iteration because a stop was requested */
  | { readonly kind: 'end'; readonly stopped: boolean; readonly phase: PhaseEnd | null };
