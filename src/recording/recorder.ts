import { closeSync, constants, fdatasyncSync, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { messageOf, StudioError } from '../core/errors.ts';
import { fileError } from '../core/files/atomic-file.ts';
import { makeFoldersSync } from '../core/files/make-folders.ts';
import {
  type FrameRing,
  framesKept,
  keepFrames,
  monotonicMs,
  nextSeq,
  readNext,
  sleepUntilWoken,
} from '../core/frame-ring.ts';
import { bytesText } from '../core/log/format-numbers.ts';
import type { PlayEvent } from '../play/plan.ts';
import { copyRows, keptRows, openRecordRing, type RecordRing, rowsWritten } from '../play/record/record-ring.ts';
import type { FrameHeader } from '../protocol/frame.ts';
import { blobOffset, type Overlay } from '../protocol/frame.ts';
import type { LogLine } from '../protocol/schemas/log.ts';
import { instantOf } from './instant.ts';
import type { McapFileOptions } from './mcap/mcap-file.ts';
import { McapRecording } from './mcap/mcap-recording.ts';
import {
  type Caption,
  type CaptionOverlay,
  type RecordedModel,
  type RecordedSession,
  type RecordingEnd,
  type RecordingHead,
  shortNumber,
} from './recorded.ts';
import {
  MAX_RECORDING_BYTES,
  MIN_FREE_BYTES,
  partPath,
  RESERVE_BYTES,
  type RecordingFormat,
  recordingPath,
  reservePath,
} from './recording-files.ts';

/** Time between two checks of the limits, ms. */
const CHECK_MS = 1000;
/** Time between two looks at the ring, ms: shortest, and for each frame that the ring keeps. At 120 frames a second,
 *  the ring is then at most 84 % full. */
const REST_MS = { least: 10, perFrame: 7 } as const;
/** Maximum data rate of a recording, bytes per second. A large session is recorded with fewer frames per second, but
 *  with its full content. */
const BYTES_PER_S = 50e6;
/** Approximate number of bytes in the file for each number of a frame: a transform has 7 numbers and about 110
 *  bytes. */
const BYTES_PER_FLOAT = 16;
/** Size of a pose in an npz file, bytes. */
const POSE_BYTES = 28;
/** Maximum number of rows of a session that are recorded in one step. */
const MOST_ROWS = 256;

export interface RecordingOrder {
  /** `<workspace>/recordings` */
  readonly folder: string;
  readonly name: string;
  readonly format: RecordingFormat;
  readonly maxS: number;
  readonly head: RecordingHead;
}

/** Records the scene from the frames in shared memory, like a client of the stream, together with the rows and events
 *  of a session. This class does not create threads. */
export class Recorder {
  readonly #order: RecordingOrder;
  readonly #file: string;
  readonly #fd: number;
  readonly #sink: McapRecording;
  readonly #startedMs: number;
  /** difference between the wall clock and the monotonic clock, ms */
  readonly #offsetMs: number;
  readonly #models = new Map<number, RecordedModel>();
  #ring: FrameRing;
  #seq = 0;
  #version = 0;
  #session: OpenSession | null = null;
  #frames = 0;
  /** largest number of robots and of ghosts in a frame */
  readonly #most = { robots: 0, ghosts: 0 };
  #skipUntilMs = 0;
  /** when the last frame was published, by the monotonic clock */
  #frameMs = 0;
  #checkedMs: number;
  #end: RecordingEnd | null = null;

  /** Creates the file of the recording. @throws bad_input for a taken name, disk_full */
  constructor(order: RecordingOrder, attachment: McapFileOptions['attachment'], ring: FrameRing) {
    this.#order = order;
    this.#ring = ring;
    this.#seq = Math.max(0, nextSeq(ring) - 2); // begins with the latest frame
    const { folder, name, format, head } = order;
    this.#file = format === 'mcap' ? recordingPath(folder, name, format) : partPath(folder, name);
    makeFoldersSync(folder, 1); // the folder may have been deleted while the service runs
    if (freeBytes(folder) < MIN_FREE_BYTES + RESERVE_BYTES)
      throw new StudioError(
        'disk_full',
        `less than ${bytesText(MIN_FREE_BYTES + RESERVE_BYTES)} are free on the disk of the workspace`,
      );
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    this.#fd = openSync(this.#file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    const nowMs = monotonicMs();
    this.#offsetMs = Date.now() - nowMs;
    this.#startedMs = nowMs;
    this.#checkedMs = nowMs;
    try {
      writeFileSync(reservePath(folder, name), Buffer.alloc(RESERVE_BYTES));
      this.#sink = new McapRecording(this.#fd, head, attachment, instantOf(nowMs + this.#offsetMs));
    } catch (error) {
      closeSync(this.#fd);
      rmSync(this.#file, { force: true });
      this.#freeReserve();
      throw fileError(error);
    }
    keepFrames(ring, true);
  }

  /** Path of the file that is being written. */
  get file(): string {
    return this.#file;
  }

  get bytes(): number {
    return this.#sink.bytes;
  }

  /** Duration in wall time, s. */
  get duration(): number {
    return this.#end?.duration ?? (monotonicMs() - this.#startedMs) / 1e3;
  }

  /** How the recording ended; null while it is running. */
  get end(): RecordingEnd | null {
    return this.#end;
  }

  /** Reads frames from another ring buffer from now on. Frame numbers continue. */
  takeRing(ring: FrameRing): void {
    this.#guard(() => this.#takeFrames());
    keepFrames(this.#ring, false);
    keepFrames(ring, this.#end === null);
    this.#ring = ring;
  }

  takeModel(model: RecordedModel): void {
    this.#models.set(model.model.version, model);
  }

  /** Records the rows of another environment from now on; null: none. */
  takeSession(session: RecordedSession | null): void {
    const ring = session && openRecordRing(session.buffer, session.width, session.kept);
    this.#session = session &&
      ring && {
        session,
        ring,
        generation: keptRows(ring, null).generation,
        next: rowsWritten(ring),
        rows: new Float32Array(MOST_ROWS * session.width),
      };
  }

  /** @param json of a whole event  @param atMs since 1970 */
  event(json: string, atMs: number): void {
    this.#guard(() => this.#sink.event(json, instantOf(atMs)));
  }

  log(line: LogLine): void {
    this.#guard(() => this.#sink.log(line, instantOf(Date.parse(line.time))));
  }

  playEvents(events: readonly PlayEvent[], atMs: number): void {
    this.#guard(() => {
      for (const event of events) this.#sink.playEvent(event, instantOf(atMs));
    });
  }

  /** Sleeps until several frames have come, or until somebody wakes the recording. */
  wait(): void {
    sleepUntilWoken(this.#ring, Math.max(REST_MS.least, REST_MS.perFrame * framesKept(this.#ring)));
  }

  /** Records the frames and rows that have come since the last call. Ends the recording when a limit is reached. */
  poll(): void {
    const nowMs = monotonicMs();
    this.#guard(() => {
      const had = this.#takeFrames();
      this.#takeRows(had ? this.#frameMs : nowMs);
      this.#sink.flushIfDue();
    });
    if (this.#end || nowMs - this.#checkedMs < CHECK_MS) return;
    this.#checkedMs = nowMs;
    this.#checkLimits();
  }

  /** Ends the recording and completes the file. @param reason null: a normal stop; otherwise why the recording ended
   *  early */
  stop(reason: string | null): RecordingEnd {
    if (this.#end) return this.#end;
    const state = reason === null ? 'done' : 'cut';
    this.#end = { state, reason, duration: this.duration, frames: this.#frames };
    keepFrames(this.#ring, false);
    this.#freeReserve();
    try {
      this.#sink.end(this.#end);
      fdatasyncSync(this.#fd);
    } catch (error) {
      // The file has no summary, but is readable up to its last complete chunk.
      this.#end = { ...this.#end, state: 'cut', reason: reason ?? problemOf(error) };
    } finally {
      closeSync(this.#fd);
    }
    return this.#end;
  }

  /** Runs `write`. If the disk is full, frees the reserved space, writes the pending messages and ends the
   *  recording. */
  #guard(write: () => void): void {
    if (this.#end) return;
    try {
      write();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      this.stop(problemOf(error));
    }
  }

  #checkLimits(): void {
    const { maxS, folder } = this.#order;
    if (this.duration >= maxS) this.stop(null);
    else if (this.#sink.bytes >= MAX_RECORDING_BYTES)
      this.stop(`it reached ${bytesText(MAX_RECORDING_BYTES)}, the largest size of a recording`);
    else if (freeBytes(folder) < MIN_FREE_BYTES)
      this.stop(`less than ${bytesText(MIN_FREE_BYTES)} are free on the disk of the workspace`);
  }

  /** @returns whether there were new frames */
  #takeFrames(): boolean {
    const before = this.#seq;
    // Read at most as many frames as the ring has: a fast writer must not keep the thread from its messages.
    for (let k = 0; k < this.#ring.slots.length && this.#end === null; k += 1) {
      const seq = readNext(this.#ring, this.#seq, this.#frame);
      if (seq === this.#seq) break;
      this.#seq = seq;
    }
    return this.#seq !== before;
  }

  readonly #frame = (bytes: Uint8Array, _seq: number, publishedMs: number): void => {
    this.#frameMs = publishedMs;
    if (publishedMs < this.#skipUntilMs) return;
    // The bytes are shared memory, valid during this call. The writer does not overwrite them meanwhile.
    const jsonBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const header = JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset + 4, jsonBytes).toString('utf8'),
    ) as FrameHeader;
    const start = bytes.byteOffset + blobOffset(jsonBytes);
    const blob = new Float32Array(bytes.buffer, start, (bytes.byteOffset + bytes.byteLength - start) >> 2);
    if (header.model_version !== this.#version && !this.#show(header.model_version)) return;
    if (this.#order.format === 'npz' && !this.#fitsNpz(header)) return;
    this.#sink.frame({ header, blob, caption: captionOf(header, blob) }, instantOf(publishedMs + this.#offsetMs));
    this.#frames += 1;
    this.#skipUntilMs = publishedMs + (1e3 * BYTES_PER_FLOAT * blob.length) / BYTES_PER_S;
  };

  /** Announces the model of the frame if it has changed. @returns whether frames of this model can be recorded now */
  #show(version: number): boolean {
    const model = this.#models.get(version);
    if (!model) return false; // the model will be announced shortly
    if (this.#order.format === 'npz' && this.#version !== 0) {
      this.stop('an npz recording contains a single robot, but another robot was shown');
      return false;
    }
    this.#version = version;
    this.#sink.show(model);
    return true;
  }

  /** Ends the recording if its npz file would become too large with this frame: every frame of the file has as many
   *  robots as the largest frame. */
  #fitsNpz({ n, nbody, ghost }: FrameHeader): boolean {
    const most = this.#most;
    const robots = Math.max(most.robots, n);
    const ghosts = Math.max(most.ghosts, ghost?.n ?? 0);
    if ((this.#frames + 1) * (robots + ghosts) * nbody * POSE_BYTES > MAX_RECORDING_BYTES) {
      this.stop(
        `its npz file would be larger than ${bytesText(MAX_RECORDING_BYTES)}: every frame takes the space of ${robots + ghosts} robots. Record as mcap`,
      );
      return false;
    }
    most.robots = robots;
    most.ghosts = ghosts;
    return true;
  }

  /** Records the rows that a session has written since the last call. @param newestMs when the newest one was
   *  written */
  #takeRows(newestMs: number): void {
    const open = this.#session;
    if (!open) return;
    const { ring, session } = open;
    let range = keptRows(ring, open.next);
    if (range.generation !== open.generation) {
      open.generation = range.generation;
      range = keptRows(ring, 0);
    }
    if (range.end === range.start) return;
    const start = Math.max(range.start, range.end - MOST_ROWS);
    open.next = range.end;
    if (!copyRows(ring, { ...range, start }, 0, session.width, open.rows)) return;
    for (let row = start; row < range.end; row += 1) {
      const at = newestMs + this.#offsetMs - 1e3 * session.stepS * (range.end - 1 - row);
      const from = (row - start) * session.width;
      this.#sink.row(session, open.rows.subarray(from, from + session.width), instantOf(at));
    }
  }

  #freeReserve(): void {
    const { folder, name } = this.#order;
    rmSync(reservePath(folder, name), { force: true });
  }
}

interface OpenSession {
  readonly session: RecordedSession;
  readonly ring: RecordRing;
  generation: number;
  /** first row that is not recorded yet */
  next: number;
  readonly rows: Float32Array;
}

function captionOf({ time, owner, n, focus, ghost, hud, overlays }: FrameHeader, blob: Float32Array): string {
  const caption: Caption = {
    time,
    owner,
    n,
    focus,
    ghosts: ghost?.n ?? 0,
    hud,
    overlays: overlays.map((overlay) => captionOverlay(overlay, blob)),
  };
  return JSON.stringify(caption);
}

function captionOverlay({ name, kind, colour, offset, count }: Overlay, blob: Float32Array): CaptionOverlay {
  const values = Array.from(blob.subarray(offset, offset + count), (value) => shortNumber(value) ?? 0);
  return { name, kind, ...(colour ? { colour } : {}), values };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function problemOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk of the workspace is full';
  return `the file could not be written: ${messageOf(error)}`;
}
