import type { SCENE_OWNERS } from './scene-owners.ts';
import type { Busy } from './schemas/busy.ts';
import type { Preview } from './schemas/data.ts';
import type { Job } from './schemas/jobs.ts';
import type { LogLine } from './schemas/log.ts';
import type { PlayState } from './schemas/play.ts';
import type { Recording } from './schemas/recordings.ts';

/** The owner of the scene decides what the scene shows. Frames and `owner` events name the current owner. */
export type SceneOwner = (typeof SCENE_OWNERS)[number];

export type LogLevel = LogLine['level'];

/** Topics whose payloads name the client that caused the event. */
export const ATTRIBUTED_TOPICS = ['owner', 'robot', 'data', 'play', 'busy'] as const;

interface Attributed {
  /** id of the client whose request caused the event; null: no client, or one that did not send `X-Client-Id` */
  readonly by?: string | null;
}

/** What a client with this role may do: everything, or only read. */
export const CLIENT_ROLES = ['control', 'view'] as const;
export type ClientRole = (typeof CLIENT_ROLES)[number];

/** Payload of every event topic. */
export interface EventPayloads {
  /** the first event of a connection: the id of this client, which its requests send as `X-Client-Id` */
  readonly client: {
    readonly id: string;
    readonly role: ClientRole;
    /** token for links that only allow viewing; sent to clients with the role `control`, null if the service has
     *  none */
    readonly view_token: string | null;
  };
  readonly log: LogLine;
  readonly busy: Busy;
  readonly robot: Attributed & {
    readonly id: string;
    readonly model_version: number;
    readonly reason: 'snapshot' | 'select' | 'pose' | 'options' | 'changed';
  };
  readonly robots: {
    readonly reason: 'saved' | 'deleted' | 'upload' | 'changed';
    readonly id: string;
  };
  readonly data: Attributed & {
    readonly dataset: string | null;
    readonly reason: 'snapshot' | 'counts' | 'scan' | 'preview' | 'transport' | 'options';
    readonly preview?: Preview;
  };
  readonly jobs: { readonly jobs: readonly Job[] } | { readonly forgotten: string };
  /** paths of runs that appeared, changed or were deleted; a change of many runs is sent in several events */
  readonly runs: { readonly changed: readonly string[] };
  /** the running recording, sent once a second; null after its end */
  readonly recordings: { readonly running: Recording | null };
  readonly play: PlayState & Attributed;
  readonly presets: {
    readonly kind: 'preset' | 'module';
    readonly name: string;
    readonly reason: 'written' | 'deleted' | 'changed';
  };
  readonly owner: Attributed & { readonly owner: SceneOwner };
  readonly focus: { readonly index: number };
}

export type Topic = keyof EventPayloads;

/** One event, sent over the websocket as JSON text. */
export type StudioEvent = {
  readonly [T in Topic]: { readonly type: 'event'; readonly topic: T; readonly payload: EventPayloads[T] };
}[Topic];

/** Messages that a client may send. The service ignores all others. */
export type ClientMessage =
  | { readonly type: 'ack'; readonly seq: number }
  | { readonly type: 'rate'; readonly fps: number };
