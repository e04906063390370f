import type { SceneOwner } from '../protocol/events.ts';
import type { BodyPoses } from '../sim/body-poses.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import type { Playback } from './playback.ts';

/** Content of the viewport. One scene is shown at a time; the others keep their state. */
export interface Scene {
  readonly owner: SceneOwner;
  /** Upper bound of the float32 values in a frame's blob. */
  readonly maxFloats: number;
  /** Advances by `dtS` seconds. @returns whether the picture changed */
  tick(dtS: number): boolean;
  /** Writes the current poses, overlays and HUD. */
  write(frame: FrameBuilder): void;
}

/** A scene that plays one clip, or several clips with a common clock. */
export interface PreviewScene extends Scene {
  readonly playback: Playback;
}

/** A scene of simulated robots, advanced by the scene manager's ticks while it is shown. */
export interface SessionScene extends Scene {
  readonly terrainVersion: number;
  pause(): void;
  close(): void;
}

/** The wired bodies of a robot, as indices into the body order of frames. */
export interface WiringIndices {
  readonly anchor: number;
  readonly keybodies: readonly number[];
  readonly feet: readonly number[];
  /** hands and feet; trails follow their paths */
  readonly ends: readonly number[];
  /** distance from a foot body's origin down to its sole, m */
  readonly footSoleZ: number;
}

/** The shown robot, shared by all scenes. A scene sets the pose before it writes a frame. */
export interface ShownRobot {
  readonly poses: BodyPoses;
  readonly wiring: WiringIndices;
}
