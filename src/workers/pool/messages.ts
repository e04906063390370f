import type { ErrorCode } from '../../protocol/errors.ts';
import type { PoolTasks } from './pool-tasks.ts';

export interface PoolOrder {
  readonly task: keyof PoolTasks;
  readonly args: readonly unknown[];
}

export type PoolAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail: string };

/** `workerData` of a pool thread. */
export interface PoolThread {
  /** `low`: the simulation and the service have priority over this thread */
  readonly priority: 'low' | 'normal';
}
