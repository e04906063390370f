import { rm } from 'node:fs/promises';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { exists } from '../../core/files/exists.ts';
import { quoteName } from '../../core/files/names.ts';
import { bytesText, spanText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { PlayEvent } from '../../play/plan.ts';
import type { StudioEvent } from '../../protocol/events.ts';
import type { BodyOf, ReplyOf } from '../../protocol/route.ts';
import type { startRecording, stopRecording } from '../../protocol/routes/recordings.ts';
import type { Recording } from '../../protocol/schemas/recordings.ts';
import type { RecordedModel, RecordedSession, RecordingEnd } from '../../recording/recorded.ts';
import {
  checkRecordingName,
  partPath,
  RECORDING_FORMATS,
  recordingPath,
  timeName,
} from '../../recording/recording-files.ts';
import type { RobotSource } from '../../robots/robot-source.ts';
import { RecordingThread } from '../../workers/recording/recording-thread.ts';
import type { SimClient } from '../../workers/sim/sim-client.ts';
import type { EventHub } from '../event-hub.ts';
import type { OwnerStack } from '../scene-owner.ts';

const DEFAULT_MAX_S = 600;
/** Maximum time that the shutdown of the service waits for a running recording to end, ms. */
const CLOSE_MS = 2000;

export interface RecordingsDeps {
  /** `<workspace>/recordings` */
  readonly folder: string;
  readonly sim: SimClient;
  readonly hub: EventHub;
  readonly owner: OwnerStack;
  readonly logger: Logger;
  /** Returns the model that the scene shows, and the folder of the robot's files; the folder is null for a robot that
   *  is being imported. */
  shown(): { readonly model: RecordedModel; readonly source: RobotSource | null };
  /** Returns the buffer with the rows of the focused environment; null without a session. */
  session(): RecordedSession | null;
  /** Lists the files on another thread. */
  list(folder: string): Promise<Recording[]>;
  /** Completes unfinished npz recordings on another thread. @returns the names of the recordings */
  finish(folder: string): Promise<string[]>;
}

/** The recording that is running. */
interface Running {
  readonly name: string;
  readonly format: Recording['format'];
  readonly robot: string;
  readonly owner: NonNullable<Recording['owner']>;
  readonly created: string;
  /** when the request came; once the file exists, when it was created */
  startedMs: number;
  bytes: number;
  /** the thread that writes the file; null until it has created the file */
  thread: RecordingThread | null;
  /** settles when the file has been created, or when that has failed */
  starting: Promise<unknown>;
  version: number;
  sessionKey: string;
  readonly ended: Promise<Ended>;
  settle: (ended: Ended) => void;
}

interface Ended {
  readonly end: RecordingEnd;
  readonly bytes: number;
}

/** Starts and stops the recording of the scene; lists and deletes recordings. */
export class Recordings {
  readonly #deps: RecordingsDeps;
  /** completion of recordings that an earlier run of the service left unfinished */
  readonly #recovered: Promise<void>;
  #running: Running | null = null;

  constructor(deps: RecordingsDeps) {
    this.#deps = deps;
    deps.hub.subscribe((event) => this.#follow(event));
    this.#recovered = deps.finish(deps.folder).then(
      (names) => {
        for (const name of names) deps.logger.warn(`Recording ${name} was interrupted; its recorded part is kept`);
      },
      (error: unknown) => {
        // The service stops before this has ended: the next start completes them.
        if (error instanceof StudioError && error.code === 'unavailable') return;
        deps.logger.warn({ err: error }, `recordings: ${messageOf(error)}`);
      },
    );
  }

  /** Starts a recording.
   *  @param signal an abort ends the recording and deletes its file
   *  @throws bad_input for an invalid or taken name, also while a recording runs; conflict while a recording runs;
   *  disk_full */
  async start(body: BodyOf<typeof startRecording>, signal: AbortSignal): Promise<ReplyOf<typeof startRecording>> {
    const { folder, owner, sim } = this.#deps;
    const now = new Date();
    const format = body.format ?? 'mcap';
    const name = body.name === undefined ? await this.#freeName(now) : await this.#newName(body.name);
    this.#refuseSecond();
    const { model, source } = this.#deps.shown();
    const session = this.#deps.session();
    let settle: Running['settle'] = () => {};
    const running: Running = {
      name,
      format,
      robot: model.model.robot,
      owner: owner.current,
      created: now.toISOString(),
      startedMs: performance.now(),
      bytes: 0,
      thread: null,
      starting: Promise.resolve(),
      version: model.model.version,
      sessionKey: keyOf(session),
      ended: new Promise((resolve) => {
        settle = resolve;
      }),
      settle: (ended) => settle(ended),
    };
    this.#running = running;
    const head = {
      robot: running.robot,
      owner: running.owner,
      created: running.created,
      bodies: model.model.bodies.map((body) => body.name),
    };
    const order = { folder, name, format, maxS: body.max_s ?? DEFAULT_MAX_S, head };
    try {
      const starting = RecordingThread.start(
        sim,
        { order, model, session, source },
        {
          progress: (bytes) => this.#progress(running, bytes),
          ended: (end, bytes) => this.#ended(running, { end, bytes }),
          crashed: (error) => this.#crashed(running, error),
        },
      );
      running.starting = starting;
      running.thread = await starting;
      running.startedMs = performance.now();
    } catch (error) {
      if (this.#running === running) this.#running = null;
      throw error;
    }
    this.#deps.logger.info(`Recording ${name} started (${format})`);
    this.#announce();
    this.#follow(null);
    if (signal.aborted) {
      running.thread.send({ type: 'stop', reason: null });
      await running.ended;
      await this.#delete(recordingPath(folder, name, format), name);
      signal.throwIfAborted();
    }
    return { ok: true, recording: name };
  }

  /** Stops the recording, also one that is being started. Settles once its file is complete. @throws conflict if
   *  nothing is being recorded */
  async stop(): Promise<ReplyOf<typeof stopRecording>> {
    const running = this.#running;
    await running?.starting.catch(() => {}); // `start` reports the error
    if (!running?.thread)
      throw new StudioError('conflict', 'nothing is being recorded. Start a recording with POST /api/record/start.');
    running.thread.send({ type: 'stop', reason: null });
    const { end, bytes } = await running.ended;
    return { ok: true, recording: running.name, bytes, duration: end.duration };
  }

  async list(): Promise<Recording[]> {
    await this.#recovered;
    const files = await this.#deps.list(this.#deps.folder);
    const running = this.#running && this.#describe(this.#running);
    return running ? [running, ...files.filter(({ name }) => name !== running.name)] : files;
  }

  /** Returns the file of a recording. @throws bad_input for an unknown recording, conflict for the running one */
  async find(name: string): Promise<{ readonly path: string; readonly recording: Recording }> {
    checkRecordingName(name);
    this.#refuseRunning(name);
    const all = await this.list();
    const recording = all.find((other) => other.name === name);
    if (!recording) {
      const near = didYouMean(
        name,
        all.map((other) => other.name),
      );
      throw badInput(`name: unknown recording ${quoteName(name)}; ${near ?? 'GET /api/recordings lists all'}`);
    }
    return { path: recordingPath(this.#deps.folder, name, recording.format), recording };
  }

  /** Deletes a recording. @param signal if it aborts, nothing is deleted  @throws the same errors as `find` */
  async remove(name: string, signal: AbortSignal): Promise<void> {
    const { path } = await this.find(name);
    signal.throwIfAborted();
    await this.#delete(path, name);
  }

  async #delete(path: string, name: string): Promise<void> {
    await rm(path, { force: true });
    this.#deps.logger.info(`Recording ${name} deleted`);
    this.#announce();
  }

  /** Returns the event that a new client gets while a recording is running. */
  snapshot(): StudioEvent[] {
    const running = this.#running;
    if (!running?.thread) return [];
    return [{ type: 'event', topic: 'recordings', payload: { running: this.#describe(running) } }];
  }

  /** Ends the recording because the service stops. */
  async close(): Promise<void> {
    const running = this.#running;
    if (!running?.thread) return;
    running.thread.send({ type: 'stop', reason: 'the service was stopped' });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([running.ended, late]);
    clearTimeout(timer);
    await running.thread.terminate();
  }

  #refuseSecond(): void {
    if (this.#running)
      throw new StudioError('conflict', `${quoteName(this.#running.name)} is being recorded. Stop it first.`);
  }

  #refuseRunning(name: string): void {
    if (this.#running?.name === name) this.#refuseSecond();
  }

  /** Checks the name of a new recording. @throws bad_input for an invalid or taken name */
  async #newName(name: string): Promise<string> {
    checkRecordingName(name);
    // The file of the running recording may not exist yet.
    if (this.#running?.name === name || (await this.#isTaken(name)))
      throw badInput(`name: a recording ${quoteName(name)} already exists. Choose another name.`);
    return name;
  }

  async #isTaken(name: string): Promise<boolean> {
    const { folder } = this.#deps;
    const paths = [...RECORDING_FORMATS.map((format) => recordingPath(folder, name, format)), partPath(folder, name)];
    return (await Promise.all(paths.map((file) => exists(file)))).includes(true);
  }

  async #freeName(now: Date): Promise<string> {
    const stem = timeName(now);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (!(await this.#isTaken(name))) return name;
    }
  }

  /** Passes changes of the scene and of the session to the recording. */
  #follow(event: StudioEvent | null): void {
    const running = this.#running;
    const thread = running?.thread;
    if (!thread || event?.topic === 'recordings') return;
    if (event?.topic === 'log') thread.send({ type: 'log', line: event.payload });
    else if (event) thread.send({ type: 'event', json: JSON.stringify(event), atMs: Date.now() });
    if (event === null || event.topic === 'play' || event.topic === 'focus') this.#followSession(running, thread);
    if (event === null || event.topic === 'robot' || event.topic === 'owner') this.#followModel(running, thread);
  }

  /** Passes events of the session's episodes to the recording. */
  playEvents(events: readonly PlayEvent[]): void {
    this.#running?.thread?.send({ type: 'play-events', events, atMs: Date.now() });
  }

  #followSession(running: Running, thread: RecordingThread): void {
    const session = this.#deps.session();
    const key = keyOf(session);
    if (key === running.sessionKey) return;
    running.sessionKey = key;
    thread.send({ type: 'session', session });
  }

  #followModel(running: Running, thread: RecordingThread): void {
    const { model } = this.#deps.shown();
    if (model.model.version === running.version) return;
    running.version = model.model.version;
    thread.send({ type: 'model', model });
  }

  #progress(running: Running, bytes: number): void {
    running.bytes = bytes;
    this.#announce();
  }

  #ended(running: Running, ended: Ended): void {
    const { end, bytes } = ended;
    if (this.#running === running) this.#running = null;
    const size = `${spanText(end.duration)}, ${bytesText(bytes)}`;
    if (end.reason === null) this.#deps.logger.info(`Recording ${running.name} is done: ${size}`);
    else this.#deps.logger.warn(`Recording ${running.name} ended early after ${size}: ${end.reason}`);
    running.settle(ended);
    this.#announce();
  }

  #crashed(running: Running, error: Error): void {
    if (this.#running === running) this.#running = null;
    if (!running.thread) return; // `start` reports this error to the client
    this.#deps.logger.error({ err: error }, `Recording ${running.name} ended early: ${error.message}`);
    const duration = (performance.now() - running.startedMs) / 1e3;
    running.settle({
      end: { state: 'cut', reason: 'the recording thread crashed', duration, frames: 0 },
      bytes: running.bytes,
    });
    this.#announce();
  }

  #announce(): void {
    const running = this.#running;
    this.#deps.hub.publish('recordings', { running: running?.thread ? this.#describe(running) : null });
  }

  #describe({ name, format, robot, owner, created, startedMs, bytes }: Running): Recording {
    const duration = (performance.now() - startedMs) / 1e3;
    return { name, format, state: 'recording', bytes, duration, robot, owner, created, reason: null, error: null };
  }
}

function keyOf(session: RecordedSession | null): string {
  return session === null ? '' : `${session.session} ${session.env}`;
}
