import type { ErrorCode } from '../../protocol/errors.ts';
import type { PoolTasks } from './pool-tasks.ts';

export interface PoolOrder {
  readonly task: keyof PoolTasks;
  readonly args: readonly unknown[];
}

export type PoolAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail: string };

/** `workerData` of a thread of the pool. */
export interface PoolThread {
  /** `low`: whoever watches the robot comes before it */
  readonly priority: 'low' | 'normal';
}
