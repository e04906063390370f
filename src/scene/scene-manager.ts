import { StudioError } from '../core/errors.ts';
import { monotonicMs } from '../core/frame-ring.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import type { SceneOwner } from '../protocol/events.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';
import type { FrameBuilder, SceneVersions } from '../sim/frame-builder.ts';
import { ClipPreview, type LoadedClip } from './clip-preview.ts';
import { GridPreview } from './grid-preview.ts';
import type { Transport } from './playback.ts';
import { RobotView } from './robot-view.ts';
import type { PreviewScene, Scene, SessionScene, ShownRobot } from './scene.ts';

/** An unchanged scene is sent once in this many seconds. */
const IDLE_PERIOD_S = 1;

export type TransportCommand =
  | { readonly kind: 'frame'; readonly frame: number }
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'playing'; readonly playing: boolean | null }
  | { readonly kind: 'options'; readonly options: DataOptions }
  | { readonly kind: 'state' };

/** The robot that is being imported, beside the selected one. */
interface Draft {
  readonly robot: ShownRobot;
  readonly view: RobotView;
  readonly versions: SceneVersions;
}

/** Holds the robot and the scenes and publishes the frames of the one that is shown. Knows no thread. */
export class SceneManager {
  readonly #frames: FrameBuilder;
  readonly #onPlayedOut: (transport: Transport) => void;
  #robot: ShownRobot | null = null;
  #robotView: RobotView | null = null;
  #preview: PreviewScene | null = null;
  #draft: Draft | null = null;
  #session: SessionScene | null = null;
  #shown: SceneOwner = 'robots';
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

  /** Puts another robot on stage; a preview or session of the former one is closed. */
  setRobot(robot: ShownRobot, qpos: Float64Array, showWiring: boolean, versions: SceneVersions): void {
    const former = this.#robot;
    this.#robot = robot;
    this.#robotView = new RobotView(robot, qpos);
    this.#robotView.showWiring(showWiring);
    this.#preview = null;
    this.#endSession();
    this.#shown = 'robots';
    this.#versions = versions;
    former?.poses.delete();
    this.#present(this.#robotView);
  }

  /** Shows a robot to be, with its wiring marked, in the place of a former one; all else stays as it is. */
  setDraft(robot: ShownRobot, qpos: Float64Array, versions: SceneVersions): void {
    const former = this.#draft;
    const view = new RobotView(robot, qpos, 'import');
    view.showWiring(true);
    this.#draft = { robot, view, versions };
    former?.robot.poses.delete();
    this.show('import');
  }

  /** Takes the robot to be off the stage. @param next whose scene is shown then */
  closeDraft(next: SceneOwner): void {
    const former = this.#draft;
    this.#draft = null;
    if (this.#shown === 'import') this.show(next);
    former?.robot.poses.delete();
  }

  setPose(qpos: Float64Array): void {
    this.#robotView?.setPose(qpos);
    this.#presentShown();
  }

  showWiring(on: boolean): void {
    this.#robotView?.showWiring(on);
    this.#presentShown();
  }

  /** Opens a clip and shows it, playing from frame 0. @param id by which `setGhost` knows it */
  openClip(clip: LoadedClip, options: DataOptions, id = 0): Transport {
    return this.#open(new ClipPreview(this.#robotFor([clip]), clip, options, id));
  }

  /** Gives the open clip other rows: frame, transport and options stay, and so does whose scene is shown. Its ghost goes.
   *  @param id by which `setGhost` knows it from now on  @returns null where no clip is open any more */
  replaceClip(clip: LoadedClip, id: number): Transport | null {
    const former = this.#preview;
    if (!(former instanceof ClipPreview)) return null;
    const preview = new ClipPreview(this.#robotFor([clip]), clip, former.playback.options, id);
    preview.playback.goOnFrom(former.playback);
    this.#preview = preview;
    this.#presentShown();
    return preview.playback.transport;
  }

  /** Opens clips side by side, playing in step from frame 0. */
  openGrid(clips: readonly LoadedClip[], options: DataOptions): Transport {
    return this.#open(new GridPreview(this.#robotFor(clips), clips, options));
  }

  /** Gives the open clip a ghost, when it is still the one that was opened under this `id`. */
  setGhost(id: number, ghost: ClipRows): void {
    const preview = this.#preview;
    if (!(preview instanceof ClipPreview) || preview.id !== id) return;
    this.#robotFor([{ ...ghost, name: preview.clip.name }]);
    preview.setGhost(ghost);
    this.#presentShown();
  }

  /** Puts a session on stage in the place of a former one, and shows it. Its state says whether it plays. */
  setSession(make: (robot: ShownRobot) => SessionScene): void {
    const robot = this.#robot;
    if (!robot) throw new StudioError('conflict', 'no robot is shown');
    const session = make(robot);
    this.#endSession();
    this.#session = session;
    this.show('play');
  }

  /** Takes the session off the stage. @param next whose scene is shown where it had been the session's */
  closeSession(next: SceneOwner): void {
    this.#endSession();
    if (this.#shown === 'play') this.show(next);
  }

  /** The session says that it has a new picture. */
  sessionMoved(session: SessionScene): void {
    if (this.#shown !== 'play' || this.#session !== session) return;
    session.tick(0);
    this.#publish(session);
  }

  /** Shows a frame of the session now or with the next tick. */
  presentSession(): void {
    if (this.#shown === 'play') this.#presentShown();
  }

  closeClip(): void {
    this.#preview = null;
    if (this.#shown === 'data') this.show('robots');
  }

  /** Gives the stage to another scene. A preview or session that loses it is paused and kept. */
  show(owner: SceneOwner): void {
    if (owner !== 'data') this.#preview?.playback.setPlaying(false);
    if (owner !== 'play') this.#session?.pause();
    this.#shown = owner;
    this.#presentShown();
  }

  /** Applies a transport command to the open preview. @throws StudioError conflict with nothing open */
  transport(command: TransportCommand): Transport {
    const preview = this.#preview;
    if (!preview) throw new StudioError('conflict', 'no clip is open');
    const { playback } = preview;
    switch (command.kind) {
      case 'state':
        return playback.transport;
      case 'frame':
        playback.seek(command.frame);
        break;
      case 'time':
        playback.seekTime(command.time);
        break;
      case 'playing':
        playback.setPlaying(command.playing ?? !playback.transport.playing);
        break;
      case 'options':
        playback.setOptions(command.options);
        break;
    }
    this.#session?.pause();
    this.#shown = 'data';
    this.#present(preview);
    return playback.transport;
  }

  /** Lets time pass and publishes a frame when the picture changed, else once a second. */
  tick(dtS: number): void {
    const scene = this.#scene();
    if (!scene) return;
    this.#timeS += dtS;
    this.#idleS += dtS;
    const playback = this.#preview?.playback;
    const wasPlaying = playback?.transport.playing === true;
    const changed = scene.tick(dtS);
    if (changed || this.#idleS >= IDLE_PERIOD_S) this.#publish(scene);
    if (wasPlaying && !playback.transport.playing) this.#onPlayedOut(playback.transport);
  }

  /** The robot on stage. @throws bad_input for a clip with other columns than it has */
  #robotFor(clips: readonly LoadedClip[]): ShownRobot {
    const robot = this.#robot;
    if (!robot) throw new StudioError('conflict', 'no robot is shown');
    const { nq } = robot.poses;
    const misfit = clips.find((clip) => clip.rows.length !== clip.frames * nq);
    if (misfit) throw new StudioError('bad_input', `${misfit.name} does not fit the robot: ${nq} columns are expected`);
    return robot;
  }

  #open(preview: PreviewScene): Transport {
    this.#preview = preview;
    this.#session?.pause();
    this.#shown = 'data';
    this.#present(preview);
    return preview.playback.transport;
  }

  #scene(): Scene | null {
    if (this.#shown === 'import' && this.#draft) return this.#draft.view;
    if (this.#shown === 'play' && this.#session) return this.#session;
    return this.#shown === 'data' && this.#preview ? this.#preview : this.#robotView;
  }

  #endSession(): void {
    this.#session?.close();
    this.#session = null;
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
    this.#frames.publish(scene.owner, this.#timeS, this.#versionsOf(scene));
  }

  #versionsOf(scene: Scene): SceneVersions {
    if (scene === this.#draft?.view) return this.#draft.versions;
    if (scene !== this.#session) return this.#versions;
    return { modelVersion: this.#versions.modelVersion, terrainVersion: this.#session.terrainVersion };
  }
}
