import type { MessagePort } from 'node:worker_threads';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { PlayScene } from '../../play/play-scene.ts';
import type { PlayAction } from '../../play/play-session.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { SceneOwner } from '../../protocol/events.ts';
import type { DataOptions } from '../../protocol/schemas/data.ts';
import type { LoadedClip } from '../../scene/clip-preview.ts';
import type { Transport } from '../../scene/playback.ts';
import type { RecordedScene } from '../../scene/recorded-scene.ts';
import type { WiringIndices } from '../../scene/scene.ts';
import type { TransportCommand } from '../../scene/scene-manager.ts';

/** A robot for the sim worker to load. */
export interface RobotForStage {
  /** compiled model (MJB), a path on this machine */
  readonly physicsPath: string;
  readonly wiring: WiringIndices;
  /** initial pose: root x y z, quaternion wxyz, joints in qpos order */
  readonly qpos: Float64Array;
  readonly showWiring: boolean;
  readonly modelVersion: number;
  readonly terrainVersion: number;
}

/** Commands to the sim worker; each is answered by `done` or `failed` with its `seq`. */
export type SimCommand =
  | { readonly type: 'robot'; readonly robot: RobotForStage }
  | { readonly type: 'pose'; readonly qpos: Float64Array }
  | { readonly type: 'wiring'; readonly show: boolean }
  | { readonly type: 'open'; readonly clip: LoadedClip; readonly id: number; readonly options: DataOptions }
  | { readonly type: 'replace'; readonly clip: LoadedClip; readonly id: number }
  | { readonly type: 'open-grid'; readonly clips: readonly LoadedClip[]; readonly options: DataOptions }
  | { readonly type: 'open-recording'; readonly recorded: RecordedScene; readonly options: DataOptions }
  | { readonly type: 'ghost'; readonly id: number; readonly ghost: ClipRows }
  | { readonly type: 'close' }
  | { readonly type: 'draft'; readonly robot: RobotForStage }
  | { readonly type: 'close-draft'; readonly next: SceneOwner }
  | { readonly type: 'show'; readonly owner: SceneOwner }
  /** `ports` connect to the threads of the session; they are transferred */
  | { readonly type: 'play-open'; readonly stage: PlayScene; readonly ports: readonly MessagePort[] }
  | { readonly type: 'play'; readonly action: PlayAction }
  | { readonly type: 'play-close'; readonly next: SceneOwner }
  | { readonly type: 'transport'; readonly command: TransportCommand };

export type ToSim = SimCommand & { readonly seq: number };

export type FromSim =
  | { readonly type: 'ready' }
  | { readonly type: 'ring'; readonly buffer: SharedArrayBuffer }
  | { readonly type: 'wake' }
  | { readonly type: 'done'; readonly seq: number; readonly transport: Transport | null }
  | { readonly type: 'failed'; readonly seq: number; readonly code: ErrorCode; readonly detail: string }
  | { readonly type: 'played-out'; readonly transport: Transport }
  | { readonly type: 'warning'; readonly message: string };

/** `workerData` of the sim worker. */
export interface SimSettings {
  readonly fps: number;
  /** number of the last frame; the first new frame gets the next number */
  readonly seq: number;
}
