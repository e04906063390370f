import type { SceneModel } from '../../../src/protocol/schemas/robots.ts';
import type { SnapAxis } from './camera.ts';
import type { CameraPlace } from './camera-place.ts';
import type { RobotGeometry } from './geometry/build-geometry.ts';
import type { WiredBodies } from './marks/overlays.ts';
import type { Theme3d } from './palette.ts';

/** Size of the picture: CSS px, and device px per CSS px. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** What the page tells the drawing thread. */
export type ToScene =
  | {
      readonly type: 'start';
      readonly canvas: OffscreenCanvas;
      readonly size: PictureSize;
      readonly theme: Theme3d;
      /** nothing eases for people who asked for that */
      readonly reducedMotion: boolean;
    }
  | { readonly type: 'frame'; readonly bytes: ArrayBuffer }
  | { readonly type: 'model'; readonly model: SceneModel; readonly binary: ArrayBuffer }
  | { readonly type: 'terrain'; readonly binary: ArrayBuffer }
  | { readonly type: 'wiring'; readonly wired: WiredBodies }
  | { readonly type: 'theme'; readonly theme: Theme3d }
  | { readonly type: 'resize'; readonly size: PictureSize }
  | { readonly type: 'inset'; readonly left: number; readonly right: number }
  | { readonly type: 'follow'; readonly mode: CameraPlace['follow'] }
  | { readonly type: 'frame-all' }
  | { readonly type: 'snap'; readonly axis: SnapAxis }
  | { readonly type: 'place'; readonly place: CameraPlace }
  | { readonly type: 'drag'; readonly dx: number; readonly dy: number; readonly pan: boolean }
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'focus'; readonly x: number; readonly y: number }
  | { readonly type: 'pick'; readonly x: number; readonly y: number }
  /** tints bodies by their error; shows the focused robot alone */
  | { readonly type: 'look'; readonly tint: boolean; readonly alone: boolean }
  /** lights a body up; −1 is none */
  | { readonly type: 'light'; readonly body: number }
  | { readonly type: 'hover'; readonly at: { readonly x: number; readonly y: number } | null };

/** A name beside the robot, px in the viewport. */
export interface PlacedLabel {
  readonly name: string;
  readonly kind: 'anchor' | 'foot' | 'keybody';
  /** of the marker */
  readonly fromX: number;
  readonly fromY: number;
  readonly x: number;
  readonly y: number;
  readonly hot: boolean;
}

/** What the drawing thread tells the page. */
export type FromScene =
  | { readonly type: 'ready' }
  /** the browser cannot draw: no WebGL 2 here */
  | { readonly type: 'failed'; readonly detail: string }
  /** a frame was taken over: the next may come */
  | { readonly type: 'taken' }
  | { readonly type: 'model-shown'; readonly version: number }
  | { readonly type: 'model-failed'; readonly detail: string }
  | {
      readonly type: 'drawn';
      readonly place: CameraPlace;
      /** px: where the focused robot of several has its tag */
      readonly tag: { readonly x: number; readonly y: number } | null;
      readonly labels: readonly PlacedLabel[];
      /** frames that a newer one replaced before they were drawn, since the last message of this type */
      readonly skipped: number;
      /** ms of script to issue the picture */
      readonly scriptMs: number;
      /** ms that pictures take, smoothed */
      readonly pictureMs: number;
      readonly scale: number;
    }
  | { readonly type: 'camera-rests' }
  /** what was met where the person clicked; null beside the robot */
  | {
      readonly type: 'picked';
      readonly body: string | null;
      /** which of several; −1 beside them */
      readonly robot: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'thumbnail'; readonly robot: string; readonly picture: Blob };

export interface ShownModel {
  readonly robot: string;
  readonly bodies: readonly string[];
  readonly geometry: RobotGeometry;
  readonly version: number;
}
