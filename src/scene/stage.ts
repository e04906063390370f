import { StudioError } from '../core/errors.ts';
import { monotonicMs } from '../core/frame-ring.ts';
import type { SceneOwner } from '../protocol/events.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';
import type { FrameBuilder, SceneVersions } from '../sim/frame-builder.ts';
import { ClipPreview, type LoadedClip, type Transport } from './clip-preview.ts';
import { RobotView } from './robot-view.ts';
import type { Scene, ShownRobot } from './scene.ts';

/** An unchanged scene is sent once in this many seconds. */
const IDLE_PERIOD_S = 1;

export type TransportCommand =
  | { readonly kind: 'frame'; readonly frame: number }
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'playing'; readonly playing: boolean | null }
  | { readonly kind: 'options'; readonly options: DataOptions }
  | { readonly kind: 'state' };

/** Holds the robot and the scenes and publishes the frames of the one that is shown. Knows no thread. */
export class Stage {
  readonly #frames: FrameBuilder;
  readonly #onPlayedOut: (transport: Transport) => void;
  #robot: ShownRobot | null = null;
  #robotView: RobotView | null = null;
  #preview: ClipPreview | null = null;
  #shown: 'robots' | 'data' = 'robots';
  #versions: SceneVersions = { modelVersion: 0, terrainVersion: 1 };
  readonly #periodMs: number;
  #publishedMs = Number.NEGATIVE_INFINITY;
  #timeS = 0;
  #idleS = 0;

  /** @param onPlayedOut hears when a preview that does not loop has reached its end
   *  @param fps most frames a second, however many commands come */
  constructor(frames: FrameBuilder, onPlayedOut: (transport: Transport) => void, fps = Number.POSITIVE_INFINITY) {
    this.#frames = frames;
    this.#onPlayedOut = onPlayedOut;
    this.#periodMs = 1e3 / fps;
  }

  /** Puts another robot on stage; a preview of the former one is closed. */
  setRobot(robot: ShownRobot, qpos: Float64Array, showWiring: boolean, versions: SceneVersions): void {
    const former = this.#robot;
    this.#robot = robot;
    this.#robotView = new RobotView(robot, qpos);
    this.#robotView.showWiring(showWiring);
    this.#preview = null;
    this.#shown = 'robots';
    this.#versions = versions;
    former?.poses.delete();
    this.#present(this.#robotView);
  }

  setPose(qpos: Float64Array): void {
    this.#robotView?.setPose(qpos);
    this.#presentShown();
  }

  showWiring(on: boolean): void {
    this.#robotView?.showWiring(on);
    this.#presentShown();
  }

  /** Opens a clip and shows it, playing from frame 0. */
  openClip(clip: LoadedClip, options: DataOptions): Transport {
    const robot = this.#robot;
    if (!robot) throw new StudioError('conflict', 'no robot is shown');
    if (clip.rows.length !== clip.frames * robot.poses.nq) {
      throw new StudioError('bad_input', `${clip.name} does not fit the robot: ${robot.poses.nq} columns are expected`);
    }
    this.#preview = new ClipPreview(robot, clip, options);
    this.#shown = 'data';
    this.#present(this.#preview);
    return this.#preview.transport;
  }

  closeClip(): void {
    this.#preview = null;
    if (this.#shown === 'data') this.show('robots');
  }

  /** Gives the stage to another scene. A preview that loses it is paused and kept. */
  show(owner: 'robots' | 'data'): void {
    if (owner === 'robots') this.#preview?.setPlaying(false);
    this.#shown = owner;
    this.#presentShown();
  }

  /** Applies a transport command to the open preview. @throws StudioError conflict with nothing open */
  transport(command: TransportCommand): Transport {
    const preview = this.#preview;
    if (!preview) throw new StudioError('conflict', 'no clip is open');
    if (command.kind === 'state') return preview.transport;
    switch (command.kind) {
      case 'frame':
        preview.seek(command.frame);
        break;
      case 'time':
        preview.seekTime(command.time);
        break;
      case 'playing':
        preview.setPlaying(command.playing ?? !preview.transport.playing);
        break;
      case 'options':
        preview.setOptions(command.options);
        break;
    }
    this.#shown = 'data';
    this.#present(preview);
    return preview.transport;
  }

  /** Lets time pass and publishes a frame when the picture changed, else once a second. */
  tick(dtS: number): void {
    const scene = this.#scene();
    if (!scene) return;
    this.#timeS += dtS;
    this.#idleS += dtS;
    const wasPlaying = this.#preview?.transport.playing === true;
    const changed = scene.tick(dtS);
    if (changed || this.#idleS >= IDLE_PERIOD_S) this.#publish(scene);
    if (wasPlaying && this.#preview && !this.#preview.transport.playing) this.#onPlayedOut(this.#preview.transport);
  }

  #scene(): Scene | null {
    return this.#shown === 'data' && this.#preview ? this.#preview : this.#robotView;
  }

  #presentShown(): void {
    const scene = this.#scene();
    if (scene) this.#present(scene);
  }

  /** Publishes at once, or with the next tick where the last frame is too young: in either case the next frame shows it. */
  #present(scene: Scene): void {
    if (monotonicMs() - this.#publishedMs < this.#periodMs) {
      this.#idleS = IDLE_PERIOD_S;
      return;
    }
    scene.tick(0);
    this.#publish(scene);
  }

  #publish(scene: Scene): void {
    this.#idleS = 0;
    this.#publishedMs = monotonicMs();
    this.#frames.reserve(scene.maxFloats);
    this.#frames.begin();
    scene.write(this.#frames);
    this.#frames.publish(scene.owner satisfies SceneOwner, this.#timeS, this.#versions);
  }
}
