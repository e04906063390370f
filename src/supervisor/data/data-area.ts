import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { EventPayloads, StudioEvent } from '../../protocol/events.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../protocol/route.ts';
import type { clips, loadClip } from '../../protocol/routes/data.ts';
import type { DataOptions, DatasetCounts, Preview } from '../../protocol/schemas/data.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { LoadedClip, Transport } from '../../scene/clip-preview.ts';
import type { TransportCommand } from '../../scene/stage.ts';
import type { SimClient } from '../../workers/sim-client.ts';
import type { BusyTasks } from '../busy-tasks.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';
import type { OwnerStack } from '../scene-owner.ts';
import type { DataArea as DataAreaContract } from '../studio.ts';

/** ms; of the preview and of counts each, so that together they come at most ten times a second. */
const STATE_EVENT_MS = 200;

const DEFAULT_OPTIONS: DataOptions = {
  speed: 1,
  loop: true,
  ghost: false,
  keybodies: false,
  contacts: false,
  trail: false,
};

/** A clip's file, found and ready to be read. */
export interface ClipFile {
  readonly path: string;
  readonly format: string;
  readonly source: 'npz' | 'raw';
  /** frames a second where the file itself says none */
  readonly fps: number;
}

/** The datasets of one robot. */
export interface ClipLibrary {
  datasets(): Promise<DatasetCounts[]>;
  clips(query: QueryOf<typeof clips>): Promise<ReplyOf<typeof clips>>;
  /** @throws StudioError bad_input for an unknown dataset or clip, or a source that it does not have */
  resolve(dataset: string, clip: string, source: 'auto' | 'npz' | 'raw'): Promise<ClipFile>;
}

export interface DataDeps {
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  readonly sim: SimClient;
  readonly owner: OwnerStack;
  readonly logger: Logger;
  robot(): RobotFacts;
  library(robot: RobotFacts): ClipLibrary;
  readClip(file: ClipFile, robot: RobotFacts): Promise<ClipRows>;
}

/** The open clip. */
interface Opened {
  readonly dataset: string;
  readonly source: 'npz' | 'raw';
  readonly loaded: LoadedClip;
  transport: Transport;
}

const CLOSED: Transport = { frame: 0, time: 0, playing: false };

/** Data: datasets and clips of the selected robot, and the preview of one clip. */
export class DataArea implements DataAreaContract {
  readonly #deps: DataDeps;
  readonly #stateEvent: RateLimit;
  readonly #countsEvent: RateLimit;
  /** datasets whose counts changed since the last event */
  readonly #recounted = new Set<string | null>();
  /** counts loads and closes: what began before the last of them has nothing to say any more */
  #turn = 0;
  #closedAt = 0;
  #reason: EventPayloads['data']['reason'] = 'preview';
  #opened: Opened | null = null;
  #options = DEFAULT_OPTIONS;
  #loading = 0;
  #error: string | null = null;

  constructor(deps: DataDeps) {
    this.#deps = deps;
    this.#stateEvent = new RateLimit(STATE_EVENT_MS, () => deps.hub.publish('data', this.#payload(this.#reason)));
    this.#countsEvent = new RateLimit(STATE_EVENT_MS, () => {
      const [dataset = null] = this.#recounted.size === 1 ? this.#recounted : [];
      this.#recounted.clear();
      deps.hub.publish('data', { dataset, reason: 'counts' });
    });
    deps.hub.subscribe((event) => {
      if (event.topic === 'owner' && event.payload.owner !== 'data') this.#paused();
    });
  }

  async datasets(): Promise<{ robot: string; datasets: DatasetCounts[] }> {
    const robot = this.#deps.robot();
    return { robot: robot.id, datasets: await this.#deps.library(robot).datasets() };
  }

  clips(query: QueryOf<typeof clips>): Promise<ReplyOf<typeof clips>> {
    return this.#deps.library(this.#deps.robot()).clips(query);
  }

  joints(): ReturnType<DataAreaContract['joints']> {
    const { joints } = this.#deps.robot();
    return { joints: joints.map(({ name, lower, upper }) => ({ name, lower, upper })) };
  }

  async preview(): Promise<Preview> {
    if (this.#opened) await this.#command({ kind: 'state' });
    return this.#state();
  }

  async load({ dataset, clip, source = 'auto' }: BodyOf<typeof loadClip>): Promise<string> {
    const { busy, sim, owner, readClip } = this.#deps;
    const robot = this.#deps.robot();
    const file = await this.#deps.library(robot).resolve(dataset, clip, source);
    this.#turn += 1;
    const turn = this.#turn;
    return busy.start('load', `Loading ${clip}`, 'data', async (progress) => {
      this.#setLoading(1);
      try {
        progress.report('reading the clip');
        const rows = await readClip(file, robot);
        if (progress.signal.aborted) return;
        if (this.#deps.robot() !== robot) throw new StudioError('conflict', 'another robot was selected meanwhile');
        const loaded: LoadedClip = { name: clip, ...rows };
        const transport = await sim.call({ type: 'open', clip: loaded, options: this.#options });
        if (turn !== this.#turn) {
          if (this.#closedAt === this.#turn) await sim.call({ type: 'close' });
          return;
        }
        this.#opened = { dataset, source: file.source, loaded, transport: transport ?? CLOSED };
        this.#error = null;
        owner.take('data');
      } catch (error) {
        if (!progress.signal.aborted) this.#error = messageOf(error);
        throw error;
      } finally {
        this.#setLoading(-1);
      }
    });
  }

  async close(): Promise<void> {
    this.#turn += 1;
    this.#closedAt = this.#turn;
    this.#deps.busy.supersede('data');
    const hadError = this.#error !== null;
    this.#error = null;
    if (!this.#opened) {
      if (hadError) this.#publish('preview');
      return;
    }
    this.#opened = null;
    await this.#deps.sim.call({ type: 'close' });
    this.#deps.owner.release('data');
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
    this.#requireOpen();
    const merged = { ...this.#options, ...options };
    const preview = await this.#transport({ kind: 'options', options: merged }, 'options');
    this.#options = merged;
    return { ...preview, options: merged };
  }

  /** Another robot is on stage: its clips are others. */
  robotSelected(): void {
    if (!this.#opened) return;
    this.#opened = null;
    this.#deps.owner.release('data');
    this.#publish('preview');
  }

  /** The sim worker says that a preview which does not loop has reached its end. */
  playedOut(transport: Transport): void {
    if (!this.#opened) return;
    this.#opened.transport = transport;
    this.#publish('transport');
  }

  /** Files of a dataset changed on disk; several at once are told as null. */
  countsChanged(dataset: string | null): void {
    this.#recounted.add(dataset);
    this.#countsEvent.trigger();
  }

  /** Gives a new sim worker the clip that the old one had open, paused where it was known last. */
  async rebuild(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return;
    const { sim, owner } = this.#deps;
    await sim.call({ type: 'open', clip: opened.loaded, options: this.#options });
    await this.#command({ kind: 'frame', frame: opened.transport.frame });
    await this.#command({ kind: 'playing', playing: false });
    if (owner.current !== 'data') await sim.call({ type: 'show', owner: 'robots' });
    this.#publish('transport');
  }

  /** Drops the preview, which a new sim worker does not have. */
  forget(): void {
    this.robotSelected();
  }

  snapshot(): StudioEvent {
    return { type: 'event', topic: 'data', payload: this.#payload('snapshot') };
  }

  #requireOpen(): Opened {
    if (!this.#opened) throw new StudioError('conflict', 'no clip is open: load one with POST /api/data/load');
    return this.#opened;
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

  #setLoading(change: number): void {
    this.#loading += change;
    this.#publish('preview');
  }

  #publish(reason: EventPayloads['data']['reason']): void {
    this.#reason = reason;
    this.#stateEvent.trigger();
  }

  #payload(reason: EventPayloads['data']['reason']): EventPayloads['data'] {
    return { dataset: this.#opened?.dataset ?? null, reason, preview: this.#state() };
  }

  #state(): Preview {
    const opened = this.#opened;
    const transport = opened?.transport ?? CLOSED;
    return {
      open: opened !== null,
      loading: this.#loading > 0,
      dataset: opened?.dataset ?? null,
      clip: opened?.loaded.name ?? null,
      source: opened?.source ?? null,
      frames: opened?.loaded.frames ?? 0,
      fps: opened?.loaded.fps ?? 0,
      frame: transport.frame,
      time: transport.time,
      playing: transport.playing,
      options: this.#options,
      grid: null,
      qa: null,
      error: this.#error,
    };
  }
}
