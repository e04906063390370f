import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { PlayRequest } from './live-session.ts';
import type { PlayLibrary } from './play-libraries.ts';
import type { UnreadPlan } from './session-plan.ts';

/** Describes a play session to build. */
export interface BuildOrder {
  readonly asked: PlayRequest;
  readonly task: string;
  readonly run: RunRecord;
  readonly library: PlayLibrary;
  /** motion library; null if it has not been read yet */
  readonly read: MotionLibrary | null;
  /** clip and frame at which the first environment starts; null: the task draws them at random, or the comparison
   *  determines them */
  readonly pin: { readonly clip: number; readonly frame: number } | null;
  readonly plan: UnreadPlan;
  readonly threads: number;
  readonly robot: ClipRobotSource;
}
