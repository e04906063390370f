import type { TaskConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import type { PlaySignals } from '../plots/play-channels.ts';
import type { PolicyWeights } from '../policy/policy.ts';
import type { CompareLayout } from '../protocol/schemas/play.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';

/** Length of the record of each environment, s. */
export const HISTORY_S = 60;
/** Sessions with up to this many environments record all of them from the start. */
export const RECORDED_ENVS = 32;

/** One policy of a comparison, with the task that gives it its observations, actions and gains. */
interface ComparedPolicy {
  readonly config: TaskConfig;
  readonly policy: PolicyWeights | null;
}

/** Several policies in lock step: environment k plays policy k. */
export interface ComparePlan {
  readonly policies: readonly ComparedPolicy[];
  readonly layout: CompareLayout;
  /** distance between neighbouring robots in the layout `beside`, m */
  readonly spacing: number;
  /** index of the clip that all environments repeat, starting at `frame` */
  readonly clip: number;
  readonly frame: number;
}

/** All data needed to build a play session: plain data and shared memory, so that the plan can be sent to other
 *  threads. */
export interface PlayPlan {
  /** the task as played: without the disturbances of training */
  readonly config: TaskConfig;
  readonly facts: RobotFacts;
  /** path of the compiled model (MJB) on this machine */
  readonly physicsPath: string;
  readonly library: MotionLibrary;
  readonly policy: PolicyWeights | null;
  readonly seed: number;
  /** maximum number of environments of the session */
  readonly capacity: number;
  readonly numEnvs: number;
  readonly terminations: boolean;
  /** policies of a comparison; null: all environments play `policy` */
  readonly compare: ComparePlan | null;
}

/** The part of a session that one thread runs: environments `index`, `index + count`, `index + 2 count` … */
export interface ShardPart {
  readonly index: number;
  readonly count: number;
}

/** Properties of a session that are known after it is built. They are the same in all its threads. */
export interface PlayShape {
  /** duration of a control step, s */
  readonly stepS: number;
  readonly signals: PlaySignals;
  readonly rewardWeights: readonly number[];
  readonly terminations: readonly string[];
}

/** A change to a running session, applied between two steps. Environments are numbered over the whole session. */
export type PlayCommand =
  | { readonly kind: 'policy'; readonly policy: PolicyWeights | null }
  | { readonly kind: 'num-envs'; readonly numEnvs: number }
  | { readonly kind: 'terminations'; readonly on: boolean }
  | { readonly kind: 'restart'; readonly generation: number }
  | { readonly kind: 'pin'; readonly env: number; readonly clip: number | null; readonly frame: number }
  /** adds to the root's velocity, m/s; if env is null, in all environments */
  | { readonly kind: 'push'; readonly env: number | null; readonly pushes: readonly Push[] }
  /** reward weights by name; other rewards keep their weights */
  | { readonly kind: 'rewards'; readonly weights: Readonly<Record<string, number>> }
  /** changes the layout of a comparison */
  | { readonly kind: 'layout'; readonly layout: CompareLayout }
  | { readonly kind: 'record'; readonly env: number; readonly buffer: SharedArrayBuffer };

interface Push {
  readonly x: number;
  readonly y: number;
}

/** An event of a recorded environment. */
export interface PlayEvent {
  readonly env: number;
  readonly generation: number;
  /** index of the last row before a push, or of the last row of the episode */
  readonly row: number;
  readonly kind: 'push' | 'failure' | 'time_out';
  /** name of the termination that ended the episode */
  readonly cause?: string;
  readonly clip: string;
  /** control step within the episode */
  readonly step: number;
  readonly text: string;
}
