import type { SceneModel } from '../../../src/protocol/schemas/robots.ts';
import type { SnapAxis } from './camera.ts';
import type { CameraPlace } from './camera-place.ts';
import type { RobotGeometry } from './geometry/build-geometry.ts';
import type { WiredBodies } from './marks/overlays.ts';
import type { Theme3d } from './palette.ts';

/** Size of the picture in CSS px, and device px per CSS px. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** Size of a picture, px, and whether the picture omits floor and sky. */
export interface CaptureOrder {
  readonly width: number;
  readonly height: number;
  readonly transparent: boolean;
}

/** How robots are drawn. */
export interface Look {
  /** colour bodies by their tracking error */
  readonly tint: boolean;
  /** show only the focused robot */
  readonly alone: boolean;
  /** number of robots that get a colour of their own */
  readonly teams: number;
  /** draw each reference robot at the position of its robot */
  readonly aligned: boolean;
}

/** Messages from the page to the drawing thread. */
export type ToScene =
  | {
      readonly type: 'start';
      readonly canvas: OffscreenCanvas;
      readonly size: PictureSize;
      readonly theme: Theme3d;
      /** whether to skip easing, because the user asked for reduced motion */
      readonly reducedMotion: boolean;
    }
  | { readonly type: 'frame'; readonly bytes: ArrayBuffer }
  | {
      readonly type: 'model';
      readonly model: SceneModel;
      readonly binary: ArrayBuffer;
      /** URL of the textures, to which a name is appended */
      readonly textures: string;
    }
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
  | { readonly type: 'look'; readonly look: Look }
  /** requests one picture in the form of a PNG file */
  | { readonly type: 'capture'; readonly order: CaptureOrder }
  /** requests a copy of every picture from now on; null ends this */
  | { readonly type: 'record'; readonly order: CaptureOrder | null }
  /** the page has stored a copy and can receive the next one */
  | { readonly type: 'copy-taken' }
  /** parent index of each body (−1: none) of a model that is still loading; its robots are drawn as lines */
  | { readonly type: 'skeleton'; readonly robot: string; readonly version: number; readonly parents: readonly number[] }
  /** highlights a body; −1 for none */
  | { readonly type: 'light'; readonly body: number }
  | { readonly type: 'hover'; readonly at: { readonly x: number; readonly y: number } | null };

/** A body name beside the robot; positions in px of the viewport. */
export interface PlacedLabel {
  readonly name: string;
  readonly kind: 'anchor' | 'foot' | 'keybody';
  /** px of the marker */
  readonly fromX: number;
  readonly fromY: number;
  readonly x: number;
  readonly y: number;
  readonly hot: boolean;
}

/** Place above a robot, px of the viewport. */
export interface PlacedTag {
  readonly robot: number;
  readonly x: number;
  readonly y: number;
}

/** Messages from the drawing thread to the page. */
export type FromScene =
  | { readonly type: 'ready' }
  /** the browser cannot draw, because WebGL 2 is not available */
  | { readonly type: 'failed'; readonly detail: string }
  /** a frame was received; the page may send the next one */
  | { readonly type: 'taken' }
  | { readonly type: 'model-shown'; readonly version: number }
  | { readonly type: 'model-failed'; readonly detail: string }
  | {
      readonly type: 'drawn';
      readonly place: CameraPlace;
      /** places of the robots' tags if there are several robots, the focused robot first */
      readonly tags: readonly PlacedTag[];
      readonly labels: readonly PlacedLabel[];
      /** number of frames replaced by newer frames before they were drawn, since the last message of this type */
      readonly skipped: number;
      /** time that the script needed to issue the picture's drawing commands, ms */
      readonly scriptMs: number;
      /** smoothed drawing time of a picture, ms */
      readonly pictureMs: number;
      /** share of full resolution of this picture */
      readonly scale: number;
      /** draw calls of this picture, shadows included */
      readonly calls: number;
    }
  | { readonly type: 'camera-rests' }
  /** reply to `capture` */
  | { readonly type: 'captured'; readonly picture: Blob }
  | { readonly type: 'capture-failed'; readonly detail: string }
  /** copy of a picture while recording */
  | { readonly type: 'copy'; readonly picture: ImageBitmap }
  /** reply to a click: `body` is the body that was hit, or null */
  | {
      readonly type: 'picked';
      readonly body: string | null;
      /** index of the robot that was hit, or −1 */
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
