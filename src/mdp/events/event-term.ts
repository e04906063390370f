import type { AdaptiveSampling } from '../command/adaptive-sampling.ts';
import type { MotionCommand } from '../command/motion-command.ts';
import type { JointPositionAction } from '../env/joint-position-action.ts';
import type { PhysicsBatch } from '../env/physics-batch.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { EventTermConfig, Params } from '../task-config.ts';
import type { ParamSchema, TermContext } from '../term.ts';

/** Data that events may change, in addition to the context of terms. */
export interface EventContext extends TermContext {
  readonly physics: PhysicsBatch;
  readonly command: MotionCommand;
  readonly sampling: AdaptiveSampling;
  readonly action: JointPositionAction;
  readonly random: EnvRandom;
}

/** Applies an event to one environment. @returns whether the robot's velocity changed */
export type ApplyEvent = (env: number) => boolean;

/** A disturbance or variation of a robot. */
export interface EventTerm {
  /** one sentence, with the formula */
  readonly description: string;
  /** name of the original function, if this entry is another name for it */
  readonly aliasOf?: string;
  /** supported modes; the first is the default */
  readonly modes: readonly EventTermConfig['mode'][];
  readonly params: Readonly<Record<string, ParamSchema>>;
  make(context: EventContext, params: Params): ApplyEvent;
}
