import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { Latest } from '../../core/latest.ts';
import type { Logger } from '../../core/logger.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { EventPayloads, StudioEvent } from '../../protocol/events.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { loadClip, loadGrid, previewEdit } from '../../protocol/routes/preview.ts';
import type { DataOptions, Preview } from '../../protocol/schemas/data.ts';
import type { Recording } from '../../protocol/schemas/recordings.ts';
import type { RecordingToLoad } from '../../recording/read/load-recording.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { Transport } from '../../scene/playback.ts';
import type { RecordedScene } from '../../scene/recorded-scene.ts';
import type { TransportCommand } from '../../scene/scene-manager.ts';
import type { BusyTasks } from '../busy-tasks.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';
import type { OwnerStack } from '../scene-owner.ts';
import type { PreviewUse } from '../uses.ts';
import type { ClipFile, ClipLibrary } from './clip-library.ts';
import { STATE_EVENT_MS } from './data-listing.ts';
import { findGridClips } from './grid-clips.ts';
import { Lazy } from './lazy.ts';
import { CLOSED, type ClipSource, clipNames, type Opened, type OpenedClip, previewOf } from './opened.ts';
import {
  clipOpening,
  clipReopening,
  gridOpening,
  type Opening,
  type OpeningDeps,
  recordingOpening,
} from './openings.ts';

const DEFAULT_OPTIONS: DataOptions = {
  speed: 1,
  loop: true,
  ghost: false,
  keybodies: false,
  contacts: false,
  trail: false,
};

export interface PreviewDeps extends OpeningDeps {
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  readonly owner: OwnerStack;
  readonly logger: Logger;
  robot(): RobotFacts;
  library(robot: RobotFacts): ClipLibrary;
  /** Computes an edit without writing it. */
  computeEdit(body: BodyOf<typeof previewEdit>): Promise<{ clip: ClipRows; part: number; parts: number }>;
  /** Reads a recording on another thread. */
  loadRecording(recording: RecordingToLoad): Promise<RecordedScene>;
  /** Checks a clip. Returns null if the clip cannot be checked. */
  quality?(opened: OpenedClip, robot: RobotFacts): Promise<Preview['qa']>;
}

/** Previews one clip of the selected robot, or a grid of clips. */
export class DataPreview {
  readonly #deps: PreviewDeps;
  readonly #stateEvent: RateLimit;
  /** The current attempt to show a clip. Closing the preview begins a new attempt, which cancels earlier openings;
   *  opening a clip joins the current attempt. */
  readonly #visits = new Latest();
  #lastId = 0;
  #reason: EventPayloads['data']['reason'] = 'preview';
  #opened: Opened | null = null;
  #options = DEFAULT_OPTIONS;
  /** the most recent opening that is still running */
  #opening: Opening | null = null;
  #error: string | null = null;
  /** The changed file that was read last. Prevents repeated attempts to read an unreadable file. */
  #reread: ClipFile | null = null;
  #sourceError: string | null = null;

  constructor(deps: PreviewDeps) {
    this.#deps = deps;
    this.#stateEvent = new RateLimit(STATE_EVENT_MS, () => deps.hub.publish('data', this.#payload(this.#reason)));
    deps.hub.subscribe((event) => {
      if (event.topic === 'owner' && event.payload.owner !== 'data') this.#paused();
    });
  }

  async state(): Promise<Preview> {
    if (this.#opened) await this.#command({ kind: 'state' });
    return this.#state();
  }

  async load({ dataset, clip, source = 'auto' }: BodyOf<typeof loadClip>): Promise<string> {
    const robot = this.#deps.robot();
    const library = this.#deps.library(robot);
    const file = await library.resolve(dataset, clip, source);
    return this.#start(clipOpening(this.#deps, { library, robot, dataset, clip, file }));
  }

  async grid(body: BodyOf<typeof loadGrid>): Promise<string> {
    const robot = this.#deps.robot();
    const found = await findGridClips(this.#deps.library(robot), body);
    return this.#start(gridOpening(this.#deps, body.dataset, robot, found));
  }

  /** Opens a recording of the selected robot. @throws bad_input for a recording that cannot be opened */
  openRecording(file: string, { name, format, robot: recorded, error }: Recording): string {
    const robot = this.#deps.robot();
    if (error !== null) throw badInput(`name: ${quoteName(name)} cannot be opened: ${error}`);
    if (recorded !== robot.id)
      throw badInput(`name: ${quoteName(name)} is a recording of the robot ${recorded}: select that robot first`);
    const bodies = robot.bodies.map((body) => body.name);
    const read = () => this.#deps.loadRecording({ file, format, name, bodies });
    return this.#start(recordingOpening(this.#deps, name, robot, read));
  }

  /** Shows the result of an edit without writing it to disk. If the clip is already open, the playhead stays at its
   *  frame.
   *  @throws bad_input for an unknown dataset or clip, or a step that is not possible; conflict if another clip or a
   *  newer edit was shown in the meantime */
  async edit(body: BodyOf<typeof previewEdit>): Promise<Preview> {
    const { dataset, clip: name } = body;
    const { sim, owner } = this.#deps;
    const robot = this.#deps.robot();
    this.#lastId += 1;
    const id = this.#lastId;
    const visit = this.#visits.current;
    const refuseOld = () => {
      if (id === this.#lastId && visit.isCurrent && this.#deps.robot() === robot) return;
      throw new StudioError('conflict', 'the preview changed during this edit. Edit the clip again.');
    };
    const library = this.#deps.library(robot);
    const file = await library.resolve(dataset, name, 'raw').catch(() => library.resolve(dataset, name, 'npz'));
    const { clip: rows, part, parts } = await this.#deps.computeEdit(body);
    refuseOld();
    const clip = { name, ...rows };
    const before = this.openedClip;
    const kept = before?.dataset === dataset && before.clip.name === name;
    const replaced = kept ? await sim.call({ type: 'replace', clip, id }) : null;
    const transport = replaced ?? (await sim.call({ type: 'open', clip, id, options: this.#options })) ?? CLOSED;
    refuseOld();
    const rawSource = new Lazy(async () => null);
    const edit = { part, parts };
    this.#opened = { kind: 'clip', id, dataset, file, clip, rawSource, ghost: null, qa: null, edit, transport };
    this.#error = null;
    owner.take('data');
    this.#publish('preview');
    return this.#state();
  }

  /** Reloads the open clip if its file in this dataset has changed, and keeps the current frame. If the file was
   *  deleted or is still being written, keeps showing the loaded clip. */
  async filesChanged(dataset: string): Promise<void> {
    const opened = this.openedClip;
    if (opened?.dataset !== dataset || opened.edit || this.#opening) return;
    const robot = this.#deps.robot();
    const library = this.#deps.library(robot);
    const { clip, source } = { clip: opened.clip.name, source: opened.file.source };
    const file = await library.resolve(dataset, clip, source).catch(unavailable);
    if (!file || this.#opened !== opened || this.#opening || this.#deps.robot() !== robot) return;
    // The file is unchanged, but the marks of the clip may have changed. Marks decide which issues are ignored.
    if (sameFile(file, opened.file)) return this.#check(opened, robot);
    if (this.#reread && sameFile(file, this.#reread)) return;
    this.#reread = file;
    this.#start(clipReopening(this.#deps, { library, robot, dataset, clip, file }));
  }

  /** Returns the clips that are open or being opened. */
  uses(): PreviewUse[] {
    const opened = this.#opened;
    const opening = this.#opening;
    const robot = this.#deps.robot().id;
    return [
      ...(opened?.dataset ? [{ robot, dataset: opened.dataset, clips: clipNames(opened) }] : []),
      ...(opening?.dataset ? [{ robot: opening.robot.id, dataset: opening.dataset, clips: opening.clips }] : []),
    ];
  }

  /** Returns the open clip; null if no clip or a grid is open. */
  get openedClip(): OpenedClip | null {
    return this.#opened?.kind === 'clip' ? this.#opened : null;
  }

  /** Returns the raw source of a converted clip; null if the clip has none. If the source cannot be read, the
   *  preview shows the error. */
  async sourceOf(opened: OpenedClip): Promise<ClipSource | null> {
    try {
      const source = await opened.rawSource.get();
      if (this.#opened === opened) this.#sourceError = null;
      return source;
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      if (this.#opened === opened) {
        this.#sourceError = `the raw source of ${opened.clip.name} cannot be shown: ${error.message}`;
        this.#publish('preview');
      }
      return null;
    }
  }

  async close(): Promise<void> {
    this.#visits.begin();
    this.#deps.busy.supersede('data');
    const isNews = this.#error !== null || this.#opening !== null;
    this.#error = null;
    this.#sourceError = null;
    this.#opening = null;
    if (!this.#opened) {
      if (isNews) this.#publish('preview');
      return;
    }
    this.#opened = null;
    const { sim, owner } = this.#deps;
    await sim.call({ type: 'close' });
    owner.release('data');
    if (owner.current !== 'robots') await sim.call({ type: 'show', owner: owner.current });
    this.#publish('preview');
  }

  seekFrame(frame: number): Promise<Preview> {
    return this.#transport({ kind: 'frame', frame }, 'transport');
  }

  seekTime(time: number): Promise<Preview> {
    if (!Number.isFinite(time)) throw badInput('time: must be a finite number');
    return this.#transport({ kind: 'time', time }, 'transport');
  }

  setPlaying(playing: boolean | undefined): Promise<Preview> {
    return this.#transport({ kind: 'playing', playing: playing ?? null }, 'transport');
  }

  async setOptions(options: Partial<DataOptions>): Promise<Preview> {
    const opened = this.#requireOpen();
    if (options.ghost) await this.#giveGhost(opened);
    const merged = { ...this.#options, ...options };
    const preview = await this.#transport({ kind: 'options', options: merged }, 'options');
    this.#options = merged;
    return { ...preview, options: merged };
  }

  /** Closes the preview after another robot was selected. */
  robotSelected(): void {
    if (!this.#opened) return;
    this.#opened = null;
    this.#deps.owner.release('data');
    this.#publish('preview');
  }

  /** Stores the final state of a preview that reached its end without looping. */
  playedOut(transport: Transport): void {
    if (!this.#opened) return;
    this.#opened.transport = transport;
    this.#publish('transport');
  }

  /** Opens the clip again in a new simulation thread after a crash, paused at the last known frame. */
  async rebuild(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return;
    const { sim, owner } = this.#deps;
    if (opened.kind === 'grid') await sim.call({ type: 'open-grid', clips: opened.clips, options: this.#options });
    else if (opened.kind === 'recording')
      await sim.call({ type: 'open-recording', recorded: opened.recorded, options: this.#options });
    else {
      const { id, clip, ghost } = opened;
      await sim.call({ type: 'open', clip, id, options: this.#options });
      if (ghost) await sim.call({ type: 'ghost', id, ghost });
    }
    await this.#command({ kind: 'frame', frame: opened.transport.frame });
    await this.#command({ kind: 'playing', playing: false });
    if (owner.current !== 'data') await sim.call({ type: 'show', owner: 'robots' });
    this.#publish('transport');
  }

  snapshot(): StudioEvent {
    return { type: 'event', topic: 'data', payload: { ...this.#payload('snapshot'), by: null } };
  }

  #requireOpen(): Opened {
    if (!this.#opened) throw new StudioError('conflict', 'no clip is open. Load one with POST /api/data/load.');
    return this.#opened;
  }

  /** Opens a clip as the busy task of the preview. The previous clip stays visible until the new clip is loaded. */
  #start(opening: Opening): string {
    const { busy, sim, owner } = this.#deps;
    this.#lastId += 1;
    const id = this.#lastId;
    const visit = this.#visits.current;
    this.#opening = opening;
    this.#publish('preview');
    return busy.start(opening.kind, opening.label, 'data', async (progress) => {
      try {
        const result = await opening.open(progress, id, () => this.#options);
        if (!result) return;
        if (!visit.isCurrent) {
          if (!this.#opened && !this.#opening) await sim.call({ type: 'close' });
          return;
        }
        if (this.#deps.robot() !== opening.robot) {
          await sim.call({ type: 'close' });
          throw new StudioError('conflict', 'another robot was selected in the meantime');
        }
        this.#opened = result.opened;
        this.#error = result.note;
        this.#sourceError = null;
        if (opening.kind !== 'reload') owner.take('data');
        this.#check(result.opened, opening.robot);
        if (this.#options.ghost) await this.#giveGhost(result.opened);
      } catch (error) {
        if (!progress.signal.aborted) this.#error = messageOf(error);
        throw error;
      } finally {
        if (this.#opening === opening) this.#opening = null;
        this.#publish('preview');
        // File changes during the opening were not handled; handle them now.
        if (opening.dataset !== null)
          this.filesChanged(opening.dataset).catch((error: unknown) =>
            this.#deps.logger.warn({ err: error }, messageOf(error)),
          );
      }
    });
  }

  /** Checks the clip in the background. The preview shows the issues when the check is done. */
  #check(opened: Opened, robot: RobotFacts): void {
    const { quality, logger } = this.#deps;
    if (opened.kind !== 'clip') return;
    quality?.(opened, robot).then(
      (qa) => {
        if (JSON.stringify(qa) === JSON.stringify(opened.qa)) return;
        opened.qa = qa;
        if (this.#opened === opened) this.#publish('preview');
      },
      (error: unknown) => logger.warn({ err: error }, `checking ${opened.clip.name}: ${messageOf(error)}`),
    );
  }

  /** Shows the raw source of a clip as a ghost, unless the ghost is already visible. */
  async #giveGhost(opened: Opened): Promise<void> {
    if (opened.kind !== 'clip' || opened.ghost) return;
    const ghost = (await this.sourceOf(opened))?.rows;
    if (!ghost || this.#opened !== opened) return;
    await this.#deps.sim.call({ type: 'ghost', id: opened.id, ghost });
    opened.ghost = ghost;
  }

  async #transport(command: TransportCommand, reason: 'transport' | 'options'): Promise<Preview> {
    this.#requireOpen();
    await this.#command(command);
    this.#deps.owner.take('data');
    this.#publish(reason);
    return this.#state();
  }

  async #command(command: TransportCommand): Promise<void> {
    const opened = this.#opened;
    const transport = await this.#deps.sim.call({ type: 'transport', command });
    if (opened && transport) opened.transport = transport;
  }

  #paused(): void {
    const opened = this.#opened;
    if (!opened?.transport.playing) return;
    opened.transport = { ...opened.transport, playing: false };
    this.#publish('transport');
  }

  #publish(reason: EventPayloads['data']['reason']): void {
    this.#reason = reason;
    this.#stateEvent.trigger();
  }

  #payload(reason: EventPayloads['data']['reason']): EventPayloads['data'] {
    return { dataset: this.#opened?.dataset ?? null, reason, preview: this.#state() };
  }

  #state(): Preview {
    return previewOf(this.#opened, {
      options: this.#options,
      // During a reload, the clip stays visible and the preview is not reported as loading.
      loading: this.#opening !== null && this.#opening.kind !== 'reload',
      error: this.#error ?? this.#sourceError,
    });
  }
}

function isSameReading(a: ClipFile, b: ClipFile): boolean {
  return a.read === b.read || JSON.stringify(a.read) === JSON.stringify(b.read);
}

function sameFile(a: ClipFile, b: ClipFile): boolean {
  return a.path === b.path && a.bytes === b.bytes && a.mtimeMs === b.mtimeMs && isSameReading(a, b);
}

/** Returns null for an error that says that the clip does not have this file. @throws any other error */
function unavailable(error: unknown): null {
  if (error instanceof StudioError) return null;
  throw error;
}
