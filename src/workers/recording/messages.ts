import type { PlayEvent } from '../../play/plan.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { LogLine } from '../../protocol/schemas/log.ts';
import type { RecordedModel, RecordedSession, RecordingEnd } from '../../recording/recorded.ts';
import type { RecordingOrder } from '../../recording/recorder.ts';
import type { RobotSource } from '../../robots/robot-source.ts';

/** `workerData` of a recording thread. */
export interface RecordingThreadOrder {
  readonly order: RecordingOrder;
  readonly ring: SharedArrayBuffer;
  readonly model: RecordedModel;
  readonly session: RecordedSession | null;
  /** the robot whose model file is attached; null: no file */
  readonly source: RobotSource | null;
}

export type ToRecording =
  | { readonly type: 'ring'; readonly buffer: SharedArrayBuffer }
  | { readonly type: 'model'; readonly model: RecordedModel }
  | { readonly type: 'session'; readonly session: RecordedSession | null }
  | { readonly type: 'event'; readonly json: string; readonly atMs: number }
  | { readonly type: 'log'; readonly line: LogLine }
  | { readonly type: 'play-events'; readonly events: readonly PlayEvent[]; readonly atMs: number }
  /** `reason`: why the recording ends early; null: a normal stop */
  | { readonly type: 'stop'; readonly reason: string | null };

export type FromRecording =
  | { readonly type: 'started' }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly detail: string }
  | { readonly type: 'progress'; readonly bytes: number }
  /** the file is complete */
  | { readonly type: 'ended'; readonly end: RecordingEnd; readonly bytes: number };
