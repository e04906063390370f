import type { MessagePort } from 'node:worker_threads';
import type { PlayCommand, PlayEvent, PlayPlan, PlayShape, ShardPart } from '../../play/plan.ts';
import type { ErrorCode } from '../../protocol/errors.ts';

/** `workerData` of a thread that plays a part of a session. */
export interface ShardOrder {
  readonly plan: PlayPlan;
  readonly part: ShardPart;
  /** buffer of the session's `PlayMemory` */
  readonly buffer: SharedArrayBuffer;
}

/** From the main thread to a shard. */
export type ToShard =
  /** port of the worker that controls the speed of the session; replaces the previous port */
  { readonly type: 'attach'; readonly port: MessagePort } | { readonly type: 'apply'; readonly command: PlayCommand };

/** From a shard to the main thread. */
export type FromShard =
  | { readonly type: 'ready'; readonly shapes: readonly PlayShape[] }
  | { readonly type: 'events'; readonly events: readonly PlayEvent[] }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly detail: string };

/** Messages from the worker that controls the speed of the session to a shard. The shard answers each `advance` with
 *  its `seq`. */
export type ToPaced =
  | { readonly type: 'advance'; readonly steps: number; readonly picture: number; readonly seq: number }
  | { readonly type: 'apply'; readonly command: PlayCommand };
