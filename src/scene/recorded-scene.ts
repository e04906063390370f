import type { Overlay, OverlayKind, OverlayName } from '../protocol/frame.ts';

/** A recording, ready to be shown: frames of a uniform timeline, each of which shows one stored picture. Plain data and
 *  shared memory, so that it can be sent between threads without copies. */
export interface RecordedScene {
  readonly name: string;
  /** frames per second of the timeline */
  readonly fps: number;
  /** number of frames of the timeline */
  readonly frames: number;
  readonly nbody: number;
  /** (frames) index of the picture that a frame shows */
  readonly pictures: Int32Array;
  /** number of robots and of ghosts in each picture */
  readonly robots: Int32Array;
  readonly ghosts: Int32Array;
  /** index in `poses` of the first value of each picture; ghosts follow robots */
  readonly starts: Float64Array;
  /** poses: position, m, and quaternion, wxyz; world frame */
  readonly poses: Float32Array;
  /** JSON of each picture's `PictureCaption`: bytes [captionStarts[k], captionStarts[k + 1]) */
  readonly captions: Uint8Array;
  readonly captionStarts: Float64Array;
  /** largest number of float32 values that a frame needs */
  readonly mostFloats: number;
}

/** Content of a picture in addition to poses. */
export interface PictureCaption {
  readonly focus: number;
  readonly text: readonly string[];
  readonly overlays: readonly PictureOverlay[];
}

interface PictureOverlay {
  readonly name: OverlayName;
  readonly kind: OverlayKind;
  readonly colour?: Overlay['colour'];
  readonly values: readonly number[];
}
