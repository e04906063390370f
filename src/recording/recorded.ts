import type { PlayColumns } from '../plots/play-channels.ts';
import type { SceneOwner } from '../protocol/events.ts';
import type { Frame, Hud, Overlay } from '../protocol/frame.ts';
import type { SceneModel } from '../protocol/schemas/robots.ts';

/** The model that frames of a version show. Plain data, sent to the recording thread. */
export interface RecordedModel {
  readonly model: SceneModel;
  /** bytes of `model.bin` */
  readonly bin: Uint8Array;
}

/** Where the rows of the focused environment are recorded, and what their columns mean. Plain data and shared memory. */
export interface RecordedSession {
  readonly session: number;
  readonly env: number;
  readonly stepS: number;
  readonly buffer: SharedArrayBuffer;
  readonly width: number;
  readonly kept: number;
  readonly columns: PlayColumns;
  /** ids, one per data column */
  readonly channels: readonly string[];
  readonly refCols: readonly number[];
  readonly clips: readonly string[];
}

/** What a frame shows beside poses. Recorded as one line of JSON per frame. */
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

/** A frame with all that a recording stores of it. */
export interface RecordedFrame extends Frame {
  /** JSON of the `Caption` */
  readonly caption: string;
}

/** How a recording ended. */
export interface RecordingEnd {
  /** `cut`: it ended for another reason than a stop or its time limit */
  readonly state: 'done' | 'cut';
  /** null for `done` */
  readonly reason: string | null;
  /** s of wall time */
  readonly duration: number;
  readonly frames: number;
}

/** Facts of a recording that its file holds. */
export interface RecordingHead {
  readonly robot: string;
  readonly owner: SceneOwner;
  /** ISO-8601 UTC */
  readonly created: string;
  /** names of the robot's bodies, in the order of poses */
  readonly bodies: readonly string[];
}

/** Returns a finite number with about the digits that a float32 holds, so that its JSON is short. */
export function shortNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  const size = Math.abs(value);
  if (size >= 1e4) return value;
  const scale = size >= 1 ? 1e7 : 1e10;
  return Math.round(value * scale) / scale;
}
