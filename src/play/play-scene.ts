import type { PlayOptions } from '../protocol/schemas/play.ts';

/** What the scene of a play session is made of. Plain data and shared memory: crosses threads. */
export interface PlayScene {
  readonly buffer: SharedArrayBuffer;
  readonly nbody: number;
  readonly keybodies: number;
  readonly capacity: number;
  /** the keybodies as indices of bodies, in the order of the targets in shared memory */
  readonly bodies: readonly number[];
  /** names of the clips */
  readonly clips: readonly string[];
  /** rows of a clip per second */
  readonly fps: number;
  readonly run: string;
  /** duration of a control step, s */
  readonly stepS: number;
  readonly terrainVersion: number;
  readonly state: PlaySceneState;
}

/** The part of a play scene that can change while the session runs. */
export interface PlaySceneState {
  readonly numEnvs: number;
  readonly focus: number;
  readonly playing: boolean;
  readonly options: PlayOptions;
}
