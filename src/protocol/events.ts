import type { SCENE_OWNERS } from './scene-owners.ts';
import type { Busy } from './schemas/busy.ts';
import type { Preview } from './schemas/data.ts';
import type { Job } from './schemas/jobs.ts';
import type { LogLine } from './schemas/log.ts';
import type { PlayState } from './schemas/play.ts';
import type { Recording } from './schemas/recordings.ts';

/** The owner of the scene decides what the scene shows. Frames and `owner` events contain the current one. */
export type SceneOwner = (typeof SCENE_OWNERS)[number];

export type LogLevel = LogLine['level'];

/** Payload of every event topic. */
export interface EventPayloads {
  readonly log: LogLine;
  readonly busy: Busy;
  readonly robot: {
    readonly id: string;
    readonly model_version: number;
    readonly reason: 'snapshot' | 'select' | 'pose' | 'options' | 'changed';
  };
  readonly robots: {
    readonly reason: 'saved' | 'deleted' | 'upload' | 'changed';
    readonly id: string;
  };
  readonly data: {
    readonly dataset: string | null;
    readonly reason: 'snapshot' | 'counts' | 'scan' | 'preview' | 'transport' | 'options';
    readonly preview?: Preview;
  };
  readonly jobs: { readonly jobs: readonly Job[] } | { readonly forgotten: string };
  /** paths of runs whose marks changed, or that were deleted */
  readonly runs: { readonly changed: readonly string[] };
  readonly play: PlayState;
  /** the recording that runs, once a second; null after its end */
  readonly recordings: { readonly running: Recording | null };
  readonly presets: {
    readonly kind: 'preset' | 'module';
    readonly name: string;
    readonly reason: 'written' | 'deleted' | 'changed';
  };
  readonly owner: { readonly owner: SceneOwner };
  readonly focus: { readonly index: number };
}

export type Topic = keyof EventPayloads;

/** One event, sent over the websocket as JSON text. */
export type StudioEvent = {
  readonly [T in Topic]: { readonly type: 'event'; readonly topic: T; readonly payload: EventPayloads[T] };
}[Topic];

/** Messages from a client. Others are ignored. */
export type ClientMessage =
  | { readonly type: 'ack'; readonly seq: number }
  | { readonly type: 'rate'; readonly fps: number };
