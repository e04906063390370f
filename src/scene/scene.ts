import type { SceneOwner } from '../protocol/events.ts';
import type { BodyPoses } from '../sim/body-poses.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import type { Playback } from './playback.ts';

/** What the studio shows. One scene at a time has the stage; the others keep their state. */
export interface Scene {
  readonly owner: SceneOwner;
  /** Most float32 values that a frame's blob of this scene can hold. */
  readonly maxFloats: number;
  /** Lets `dtS` seconds pass. @returns whether the picture changed */
  tick(dtS: number): boolean;
  /** Writes poses, overlays and HUD of the present moment. */
  write(frame: FrameBuilder): void;
}

/** A scene that plays: a clip, or several in step. */
export interface PreviewScene extends Scene {
  readonly playback: Playback;
}

/** A scene of moving robots that is paced by the stage's time while it has the stage. */
export interface SessionScene extends Scene {
  readonly terrainVersion: number;
  pause(): void;
  close(): void;
}

/** Bodies of a robot that tracking refers to, as indices into the frames' body order. */
export interface WiringIndices {
  readonly anchor: number;
  readonly keybodies: readonly number[];
  readonly feet: readonly number[];
  /** hands and feet, whose paths a trail draws */
  readonly ends: readonly number[];
  /** m from a foot body's origin down to its sole */
  readonly footSoleZ: number;
}

/** The robot on stage, shared by all scenes: whoever writes a frame sets its pose first. */
export interface ShownRobot {
  readonly poses: BodyPoses;
  readonly wiring: WiringIndices;
}
