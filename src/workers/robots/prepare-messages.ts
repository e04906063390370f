import type { ErrorCode } from '../../protocol/errors.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import type { RobotSource } from '../../robots/robot-source.ts';

/** `workerData` of the thread that compiles a robot. `FromPrepare` is its answer. */
export interface PrepareOrder {
  readonly source: RobotSource;
  readonly cache: string;
}

export type FromPrepare =
  | { readonly type: 'prepared'; readonly robot: PreparedRobot }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly detail: string };
