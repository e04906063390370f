import type { AdaptiveSampling } from '../command/adaptive-sampling.ts';
import type { MotionCommand } from '../command/motion-command.ts';
import type { JointPositionAction } from '../env/joint-position-action.ts';
import type { PhysicsBatch } from '../env/physics-batch.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { EventTermConfig, Params } from '../task-config.ts';
import type { ParamSchema, TermContext } from '../term.ts';

/** What events may change, beside what terms read. */
export interface EventContext extends TermContext {
  readonly physics: PhysicsBatch;
  readonly command: MotionCommand;
  readonly sampling: AdaptiveSampling;
  readonly action: JointPositionAction;
  readonly random: EnvRandom;
}

/** Lets an event happen to one environment. @returns whether the robot's velocity is another now */
export type ApplyEvent = (env: number) => boolean;

/** Something that happens to a robot without its doing. */
export interface EventTerm {
  /** one sentence, with the formula */
  readonly description: string;
  /** upstream's function that this is a task's name of; absent: it is itself a function */
  readonly aliasOf?: string;
  /** when it may happen; the first is the usual one */
  readonly modes: readonly EventTermConfig['mode'][];
  readonly params: Readonly<Record<string, ParamSchema>>;
  make(context: EventContext, params: Params): ApplyEvent;
}
