import type { PlayOptions } from '../protocol/schemas/play.ts';

/** The constant part of a play scene. Plain data and shared memory, so that it can be sent to other threads. */
export interface PlayScene {
  readonly buffer: SharedArrayBuffer;
  readonly nbody: number;
  readonly keybodies: number;
  readonly capacity: number;
  /** body indices of the keybodies, in the order of the targets in shared memory */
  readonly bodies: readonly number[];
  readonly clips: readonly string[];
  /** frame rate of the clips, Hz */
  readonly fps: number;
  /** number of compared policies; 0: no comparison */
  readonly compared: number;
  /** titles of what is played: one for all environments, or one for each policy of a comparison */
  readonly titles: readonly string[];
  /** duration of a control step, s */
  readonly stepS: number;
  readonly terrainVersion: number;
  /** distance between neighbours, m */
  readonly spacing: number;
  readonly state: PlaySceneState;
}

/** The part of a play scene that can change while the session runs. */
export interface PlaySceneState {
  readonly numEnvs: number;
  readonly focus: number;
  readonly playing: boolean;
  readonly options: PlayOptions;
}
