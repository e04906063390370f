import { StudioError } from '../core/errors.ts';
import { monotonicMs } from '../core/frame-ring.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import type { SceneOwner } from '../protocol/events.ts';
import type { DataOptions } from '../protocol/schemas/data.ts';
import type { FrameBuilder, SceneVersions } from '../sim/frame-builder.ts';
import { ClipPreview, type LoadedClip } from './clip-preview.ts';
import { GridPreview } from './grid-preview.ts';
import type { Transport } from './playback.ts';
import type { RecordedScene } from './recorded-scene.ts';
import { RecordingPreview } from './recording-preview.ts';
import { RobotView } from './robot-view.ts';
import type { PreviewScene, Scene, SessionScene, ShownRobot } from './scene.ts';

/** Interval at which an unchanged scene is published again, s. */
const IDLE_PERIOD_S = 1;

export type TransportCommand =
  | { readonly kind: 'frame'; readonly frame: number }
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'playing'; readonly playing: boolean | null }
  | { readonly kind: 'options'; readonly options: DataOptions }
  | { readonly kind: 'state' };

/** The robot that is being imported, which exists beside the selected one. */
interface Draft {
  readonly robot: ShownRobot;
  readonly view: RobotView;
  readonly versions: SceneVersions;
}

/** Holds the robot and its scenes, and publishes frames of the scene that is shown. This class does not create
 *  threads. */
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

  /** @param onPlayedOut runs when a preview without loop reaches its end
   *  @param fps limit of frames per second, however many commands arrive */
  constructor(frames: FrameBuilder, onPlayedOut: (transport: Transport) => void, fps = Number.POSITIVE_INFINITY) {
    this.#frames = frames;
    this.#onPlayedOut = onPlayedOut;
    this.#periodMs = 1e3 / fps;
  }

  /** Shows another robot. Closes the preview and the session of the previous robot. */
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

  /** Shows a robot that is being imported, with wiring markers. It replaces the previously imported robot. The selected
   *  robot and its scenes are kept. */
  setDraft(robot: ShownRobot, qpos: Float64Array, versions: SceneVersions): void {
    const former = this.#draft;
    const view = new RobotView(robot, qpos, 'import');
    view.showWiring(true);
    this.#draft = { robot, view, versions };
    former?.robot.poses.delete();
    this.show('import');
  }

  /** Removes the robot that is being imported. @param next owner of the scene to show instead */
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

  /** Opens a clip and shows it, playing from frame 0. @param id identifies the clip in `setGhost` */
  openClip(clip: LoadedClip, options: DataOptions, id = 0): Transport {
    return this.#open(new ClipPreview(this.#robotFor([clip]), clip, options, id));
  }

  /** Replaces the rows of the open clip. Position, transport, options and the shown scene do not change; the ghost is
   *  removed.
   *  @param id identifies the clip in `setGhost` from now on  @returns null if no clip is open */
  replaceClip(clip: LoadedClip, id: number): Transport | null {
    const former = this.#preview;
    if (!(former instanceof ClipPreview)) return null;
    const preview = new ClipPreview(this.#robotFor([clip]), clip, former.playback.options, id);
    preview.playback.goOnFrom(former.playback);
    this.#preview = preview;
    this.#presentShown();
    return preview.playback.transport;
  }

  /** Opens clips side by side, playing on one clock from frame 0. */
  openGrid(clips: readonly LoadedClip[], options: DataOptions): Transport {
    return this.#open(new GridPreview(this.#robotFor(clips), clips, options));
  }

  /** Opens a recording and shows it, playing from frame 0. @throws bad_input for a recording of another robot */
  openRecording(recorded: RecordedScene, options: DataOptions): Transport {
    const nbody = this.#robotFor([]).poses.nbody;
    if (recorded.nbody !== nbody)
      throw new StudioError('bad_input', `the recording has ${recorded.nbody} bodies, but the robot has ${nbody}`);
    return this.#open(new RecordingPreview(recorded, options));
  }

  /** Sets the ghost of the open clip, if that clip still has this `id`. */
  setGhost(id: number, ghost: ClipRows): void {
    const preview = this.#preview;
    if (!(preview instanceof ClipPreview) || preview.id !== id) return;
    this.#robotFor([{ ...ghost, name: preview.clip.name }]);
    preview.setGhost(ghost);
    this.#presentShown();
  }

  /** Shows a session, which replaces the previous one. The state of the session decides whether it plays. */
  setSession(make: (robot: ShownRobot) => SessionScene): void {
    const robot = this.#robot;
    if (!robot) throw new StudioError('conflict', 'no robot is shown');
    const session = make(robot);
    this.#endSession();
    this.#session = session;
    this.show('play');
  }

  /** Closes the session. @param next owner of the scene to show instead, if the session was shown */
  closeSession(next: SceneOwner): void {
    this.#endSession();
    if (this.#shown === 'play') this.show(next);
  }

  /** Publishes the new picture of a session if that session is shown. */
  sessionMoved(session: SessionScene): void {
    if (this.#shown !== 'play' || this.#session !== session) return;
    session.tick(0);
    this.#publish(session);
  }

  /** Publishes a frame of the session now or with the next tick, if a session is shown. */
  presentSession(): void {
    if (this.#shown === 'play') this.#presentShown();
  }

  closeClip(): void {
    this.#preview = null;
    if (this.#shown === 'data') this.show('robots');
  }

  /** Shows another scene. A preview or session that is no longer shown is paused, not closed. */
  show(owner: SceneOwner): void {
    if (owner !== 'data') this.#preview?.playback.setPlaying(false);
    if (owner !== 'play') this.#session?.pause();
    this.#shown = owner;
    this.#presentShown();
  }

  /** Applies a transport command to the open preview. @throws StudioError conflict if no clip is open */
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

  /** Advances the shown scene. Publishes a frame if the picture changed, otherwise once a second. */
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

  /** Returns the shown robot. @throws bad_input for a clip whose column count does not match the robot */
  #robotFor(clips: readonly LoadedClip[]): ShownRobot {
    const robot = this.#robot;
    if (!robot) throw new StudioError('conflict', 'no robot is shown');
    const { nq } = robot.poses;
    const misfit = clips.find((clip) => clip.rows.length !== clip.frames * nq);
    if (misfit) {
      const columns = misfit.rows.length / misfit.frames;
      throw new StudioError('bad_input', `${misfit.name} has ${columns} columns, but the robot needs ${nq}`);
    }
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

  /** Publishes a frame immediately, or with the next tick if the last frame is more recent than one period. */
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
