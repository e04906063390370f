import type { PlayColumns } from '../plots/play-channels.ts';
import type { SceneOwner } from '../protocol/events.ts';
import type { Frame, Hud, Overlay } from '../protocol/frame.ts';
import type { SceneModel } from '../protocol/schemas/robots.ts';

/** The model that belongs to frames with the same model version. Plain data, sent to the recording thread. */
export interface RecordedModel {
  readonly model: SceneModel;
  /** bytes of `model.bin` */
  readonly bin: Uint8Array;
}

/** Location of the recorded rows of the focused environment, and meaning of their columns. Plain data and shared
 *  memory. */
export interface RecordedSession {
  readonly session: number;
  readonly env: number;
  readonly stepS: number;
  readonly buffer: SharedArrayBuffer;
  readonly width: number;
  readonly kept: number;
  readonly columns: PlayColumns;
  /** ids of the channels, one per data column */
  readonly channels: readonly string[];
  readonly refCols: readonly number[];
  readonly clips: readonly string[];
}

/** The content of a frame in addition to poses. Recorded as one line of JSON per frame. */
export interface Caption {
  /** time of the scene, s */
  readonly time: number;
  readonly owner: SceneOwner;
  readonly n: number;
  readonly focus: number;
  /** number of ghosts */
  readonly ghosts: number;
  readonly hud: Hud;
  readonly overlays: readonly CaptionOverlay[];
}

export interface CaptionOverlay extends Pick<Overlay, 'name' | 'kind' | 'colour'> {
  readonly values: readonly number[];
}

/** A frame with all data that a recording stores. */
export interface RecordedFrame extends Frame {
  /** JSON of the `Caption` */
  readonly caption: string;
}

/** How a recording ended. */
export interface RecordingEnd {
  /** `cut`: the recording ended for a reason other than a stop or its time limit */
  readonly state: 'done' | 'cut';
  /** reason of the end; null for `done` */
  readonly reason: string | null;
  /** duration in wall time, s */
  readonly duration: number;
  readonly frames: number;
}

/** Properties of a recording that are stored in its file. */
export interface RecordingHead {
  readonly robot: string;
  readonly owner: SceneOwner;
  /** ISO-8601 UTC */
  readonly created: string;
  /** names of the robot's bodies, in the order of poses */
  readonly bodies: readonly string[];
}

/** Rounds a finite number to about the precision of float32, so that its JSON is short. */
export function shortNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  const size = Math.abs(value);
  if (size >= 1e4) return value;
  const scale = size >= 1 ? 1e7 : 1e10;
  return Math.round(value * scale) / scale;
}

/** Reason of a recording whose file does not say how it ended. */
export const UNKNOWN_END = 'its end was not written: the service ended, or the disk was full';
