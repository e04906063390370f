import { signal } from '@preact/signals';
import type { CameraPlace } from '../scene/camera-place.ts';
import type { NameOf } from './labels.ts';
import type { SceneView } from './scene-view.ts';

/** The view that draws the scene; null without WebGL. */
export const viewer = signal<SceneView | null>(null);

export type FollowMode = CameraPlace['follow'];
export const followMode = signal<FollowMode>('follow');

export const FOLLOW_NAME: Readonly<Record<FollowMode, string>> = {
  free: 'Camera stays',
  follow: 'Camera follows',
  heading: 'Camera follows and turns',
};

const NEXT: Readonly<Record<FollowMode, FollowMode>> = { free: 'follow', follow: 'heading', heading: 'free' };

export function cycleFollow(): void {
  followMode.value = NEXT[followMode.peek()];
}

/** Moves the camera to the place in a link, and lets it follow as the link says. */
export function placeCamera(place: CameraPlace): void {
  followMode.value = place.follow;
  viewer.peek()?.placeCamera(place);
}

/** `tinted`: tint bodies by the distance from their reference. `alone`: show only the focused robot. */
export const tinted = signal(false);
export const alone = signal(false);
/** Where the reference ghost is drawn: at the place of the reference, or at its robot's place and heading. */
export const ghostPlace = signal<'world' | 'robot'>('world');
/** Whether the shown ghosts are moved to their robots. */
export const ghostAligned = signal(false);

/** Names of the robots in a scene of several, and how many of them have their own colour. Set by the area that shows
 *  the robots. */
export interface RobotNames {
  readonly nameOf: NameOf;
  readonly teams: number;
}
export const NO_NAMES: RobotNames = { nameOf: () => null, teams: 0 };
export const robotNames = signal(NO_NAMES);

/** Whether the panel that saves pictures and videos of the scene is open. */
export const captureOpen = signal(false);

/** Facts about the shown scene, for labels and the text summary of the canvas. */
export interface SceneFacts {
  readonly robot: string;
  readonly bodies: number;
  readonly modelVersion: number;
  readonly terrainVersion: number;
  /** number of robots in the scene */
  readonly n: number;
}
export const sceneFacts = signal<SceneFacts | null>(null);
/** State of loading the scene's geometry. */
export interface SceneState {
  readonly loading: boolean;
  /** id of the robot whose geometry is loading; null until it is known */
  readonly robot: string | null;
  readonly error: string | null;
}
export const sceneState = signal<SceneState>({ loading: true, robot: null, error: null });
/** Reason why the scene is drawn as a stick figure; null if WebGL works. */
export const noWebGl = signal<string | null>(null);

/** Increments when the camera stops at a new place. */
export const thumbnails = signal<Readonly<Record<string, string>>>({});

/** Increments when the camera comes to rest at a new place. */
export const cameraMoved = signal(0);
