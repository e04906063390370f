import { closeSync, constants, fdatasyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { fileError } from '../core/files/atomic-file.ts';
import { npyParts } from '../formats/npy.ts';
import { formatNpyHeader } from '../formats/npy-header.ts';
import { ZipFile } from '../formats/zip-file.ts';
import { TOPICS } from './mcap/mcap-recording.ts';
import { McapReader } from './read/mcap-reader.ts';
import { FACTS_ENTRY, type NpzFacts } from './read/npz-reader.ts';
import { recordedEnd } from './read/recorded-end.ts';
import { type FrameVisit, visitFrames } from './read/recorded-frames.ts';
import type { RecordingEnd } from './recorded.ts';

const POSE = 7;
/** Topics with rows of a session. Each becomes an array `<topic>` and its names `<topic>_names`. */
const ROWS = ['joints', 'torques', 'actions', 'rewards'] as const;
type RowTopic = (typeof ROWS)[number];
/** Topics whose messages become lines of `events.jsonl`. */
const EVENTS: readonly string[] = [TOPICS.events, TOPICS.episodes];

/** Converts an MCAP recording to npz: `poses` (T, n, nbody, 7), `ghosts`, `wall`, `time`, `robots`, `focus`, `bodies`;
 *  of a session `joints`, `torques`, `actions`, `rewards` (R, …) with names, `row_wall`, `row_env`, `row_frame`,
 *  `row_step`; `scene.jsonl` and `events.jsonl` as text. Poses of robots that were not shown are NaN. Replaces `target`
 *  at the end. @param end how the recording ended; null: as its file says @throws disk_full */
export function convertToNpz(part: string, target: string, end: RecordingEnd | null): void {
  const reader = new McapReader(part);
  const temp = `${part}.studio-tmp`;
  try {
    const bodies = JSON.parse(reader.metadata.get('bodies') ?? '[]') as string[];
    const index = readIndex(reader, bodies.length);
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const fd = openSync(temp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    try {
      const zip = new ZipFile(fd);
      writeFacts(zip, reader, bodies, end);
      writeFrames(zip, reader, bodies, index);
      writeRows(zip, index);
      zip.add('events.jsonl', (put) => {
        reader.messages(({ topic, data }) => {
          if (EVENTS.includes(topic)) put(Buffer.concat([data, NEWLINE]));
        });
      });
      zip.end();
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, target);
  } catch (error) {
    rmSync(temp, { force: true });
    throw fileError(error);
  } finally {
    reader.close();
  }
}

const NEWLINE = Buffer.from('\n');

interface Rows {
  /** names of the values, from the first row */
  names: readonly string[];
  readonly values: FloatList;
}

/** A growing list of float32 values outside of the JS heap. */
class FloatList {
  #values = new Float32Array(4096);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float32Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  get values(): Float32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.length);
  }
}

/** The content of a recording, except its poses. */
interface Index {
  /** wall time of each frame, ms */
  readonly wallMs: number[];
  readonly time: number[];
  readonly robots: number[];
  readonly ghosts: number[];
  readonly focus: number[];
  readonly rows: Readonly<Record<RowTopic, Rows>>;
  readonly rowWallMs: number[];
  readonly rowEnv: number[];
  readonly rowFrame: number[];
  readonly rowStep: number[];
}

function readIndex(reader: McapReader, bodies: number): Index {
  const empty = (): Rows => ({ names: [], values: new FloatList() });
  const index: Index = {
    ...{ wallMs: [], time: [], robots: [], ghosts: [], focus: [] },
    rows: { joints: empty(), torques: empty(), actions: empty(), rewards: empty() },
    ...{ rowWallMs: [], rowEnv: [], rowFrame: [], rowStep: [] },
  };
  visitFrames(reader, bodies, ({ atMs, caption }) => {
    index.wallMs.push(atMs);
    index.time.push(caption.time);
    index.robots.push(caption.n);
    index.ghosts.push(caption.ghosts);
    index.focus.push(caption.focus);
  });
  reader.messages(({ topic, atMs, data }) => {
    const name = ROWS.find((row) => TOPICS[row] === topic);
    if (name !== undefined) takeRow(index, name, atMs, data);
  });
  return index;
}

/** Adds a row. The first row decides the names: of rows with other names, the missing values are NaN and the others are
 *  skipped. */
function takeRow(index: Index, topic: RowTopic, atMs: number, data: Buffer): void {
  const { env, frame, step, values } = JSON.parse(data.toString('utf8')) as {
    env: number;
    frame: number;
    step: number;
    values: Record<string, number | null>;
  };
  const rows = index.rows[topic];
  const names = Object.keys(values);
  if (rows.values.length === 0) rows.names = names;
  for (const name of rows.names) rows.values.push(values[name] ?? Number.NaN);
  if (topic !== ROWS[0]) return;
  index.rowWallMs.push(atMs);
  index.rowEnv.push(env);
  index.rowFrame.push(frame);
  index.rowStep.push(step);
}

function writeFacts(zip: ZipFile, reader: McapReader, bodies: string[], end: RecordingEnd | null): void {
  const { metadata } = reader;
  const { state, reason, duration } = end ?? recordedEnd(reader);
  const facts: NpzFacts & { version: 1 } = {
    version: 1,
    robot: metadata.get('robot') ?? '',
    owner: (metadata.get('owner') ?? 'robots') as NpzFacts['owner'],
    created: metadata.get('created') ?? '',
    ...{ duration, state, reason },
    bodies,
  };
  zip.add(FACTS_ENTRY, (put) => put(Buffer.from(JSON.stringify(facts))));
  zip.add('bodies.npy', (put) => npyParts({ dtype: 'U', data: bodies, shape: [bodies.length] }).forEach(put));
}

function writeFrames(zip: ZipFile, reader: McapReader, { length: bodies }: readonly string[], index: Index): void {
  const { wallMs, time, robots, ghosts, focus } = index;
  const frames = wallMs.length;
  putFloats(
    zip,
    'wall',
    wallMs.map((ms) => (ms - wallMs[0]!) / 1e3),
  );
  putFloats(zip, 'time', time);
  putInts(zip, 'robots', robots);
  putInts(zip, 'ghost_counts', ghosts);
  putInts(zip, 'focus', focus);
  zip.add('scene.jsonl', (put) => {
    visitFrames(reader, bodies, ({ caption }) => put(Buffer.from(`${JSON.stringify(caption)}\n`)));
  });
  const most = (counts: readonly number[]) => counts.reduce((a, b) => Math.max(a, b), 0);
  putPoses(zip, 'poses', [frames, most(robots), bodies, POSE], (take) =>
    visitFrames(reader, bodies, ({ caption, poses }) => take(poses, 0, caption.n)),
  );
  if (most(ghosts) === 0) return;
  putPoses(zip, 'ghosts', [frames, most(ghosts), bodies, POSE], (take) =>
    visitFrames(reader, bodies, ({ caption, poses }) => take(poses, caption.n, caption.ghosts)),
  );
}

/** Writes the poses of a fixed number of robots; missing robots are NaN. @param visit passes the poses, the first robot
 *  and the number of robots */
function putPoses(
  zip: ZipFile,
  name: string,
  shape: readonly [frames: number, robots: number, bodies: number, pose: number],
  visit: (take: (poses: FrameVisit['poses'], first: number, count: number) => void) => void,
): void {
  const robotFloats = shape[2] * POSE;
  const row = new Float32Array(shape[1] * robotFloats);
  zip.add(`${name}.npy`, (put) => {
    put(formatNpyHeader('<f4', shape));
    visit((poses, first, count) => {
      row.fill(Number.NaN);
      row.set(poses.subarray(first * robotFloats, (first + count) * robotFloats));
      put(new Uint8Array(row.buffer));
    });
  });
}

function writeRows(zip: ZipFile, index: Index): void {
  const { rows, rowWallMs, rowEnv, rowFrame, rowStep, wallMs } = index;
  if (rowWallMs.length === 0) return;
  putFloats(
    zip,
    'row_wall',
    rowWallMs.map((ms) => (ms - wallMs[0]!) / 1e3),
  );
  putInts(zip, 'row_env', rowEnv);
  putInts(zip, 'row_frame', rowFrame);
  putInts(zip, 'row_step', rowStep);
  for (const topic of ROWS) {
    const { names, values } = rows[topic];
    const data = values.values;
    const shape = [names.length === 0 ? 0 : values.length / names.length, names.length];
    zip.add(`${topic}.npy`, (put) => npyParts({ dtype: 'f4', data, shape }).forEach(put));
    zip.add(`${topic}_names.npy`, (put) => npyParts({ dtype: 'U', data: names, shape: [names.length] }).forEach(put));
  }
}

function putFloats(zip: ZipFile, name: string, values: readonly number[]): void {
  const data = Float64Array.from(values);
  zip.add(`${name}.npy`, (put) => npyParts({ dtype: 'f8', data, shape: [data.length] }).forEach(put));
}

function putInts(zip: ZipFile, name: string, values: readonly number[]): void {
  const data = Int32Array.from(values);
  zip.add(`${name}.npy`, (put) => npyParts({ dtype: 'i4', data, shape: [data.length] }).forEach(put));
}
