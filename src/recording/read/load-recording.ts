import { badInput } from '../../core/errors.ts';
import { OVERLAY_STRIDE } from '../../protocol/frame.ts';
import type { PictureCaption, RecordedScene } from '../../scene/recorded-scene.ts';
import type { Caption, CaptionOverlay } from '../recorded.ts';
import type { RecordingFormat } from '../recording-files.ts';
import { McapReader } from './mcap-reader.ts';
import { visitNpzFrames } from './npz-frames.ts';
import { readNpzFacts } from './npz-reader.ts';
import { type FrameVisit, visitFrames } from './recorded-frames.ts';

const POSE = 7;
/** Maximum number of pictures (stored poses), of float32 values of their poses (512 MiB), and of bytes of their
 *  captions. From a longer recording, only every k-th frame is shown. */
const MOST = { pictures: 1_000_000, values: 2 ** 27, captionBytes: 256 << 20 };
/** Limits: number of frames of the timeline, values of the overlays of a picture, number of its overlays. */
const MOST_FRAMES = 4_000_000;
const MOST_OVERLAY_VALUES = 100_000;
const MOST_OVERLAYS = 16;
/** Range of the timeline's rate, frames per second. */
const FPS = { least: 1, most: 120 } as const;
/** Limit of a coordinate, m. A larger value comes from a simulation that diverged; the robot is then shown at its
 *  previous pose. */
const FARTHEST = 1e4;

/** Describes a recording to load. Plain data, sent to the thread that reads the recording. */
export interface RecordingToLoad {
  readonly file: string;
  readonly format: RecordingFormat;
  readonly name: string;
  /** bodies of the robot that shows the recording, in the order of poses */
  readonly bodies: readonly string[];
}

/** Reads a recording for the scene. An interrupted recording is read up to its last complete chunk. @throws bad_input
 *  for a file that the studio has not recorded, that has no frames, or that belongs to another robot */
export async function loadRecording(
  { file, format, name, bodies }: RecordingToLoad,
  most = MOST,
): Promise<RecordedScene> {
  if (format === 'npz') {
    const facts = await readNpzFacts(file);
    const collector = new PictureCollector(orderOf(bodies, facts.bodies), most);
    await visitNpzFrames(file, facts.bodies.length, (frame) => collector.take(frame));
    return collector.done(name);
  }
  const reader = new McapReader(file);
  try {
    const recorded = bodiesOf(reader.metadata.get('bodies'));
    const collector = new PictureCollector(orderOf(bodies, recorded), most);
    visitFrames(reader, recorded.length, (frame) => collector.take(frame));
    return collector.done(name);
  } finally {
    reader.close();
  }
}

function bodiesOf(text = ''): string[] {
  try {
    const value = JSON.parse(text) as unknown;
    if (Array.isArray(value) && value.every((body) => typeof body === 'string')) return value;
  } catch {} // The error is thrown below.
  throw badInput('the recording does not name the bodies of its robot: it is damaged');
}

/** Returns the index in the recording for each body of the robot. @throws bad_input naming a body that is missing */
function orderOf(bodies: readonly string[], recorded: readonly string[]): number[] {
  return bodies.map((body) => {
    const index = recorded.indexOf(body);
    if (index < 0)
      throw badInput(
        `the recording has no body ${body}: it belongs to another robot, or to another version of this robot`,
      );
    return index;
  });
}

/** Collects pictures in growing shared memory. */
class PictureCollector {
  readonly #order: readonly number[];
  readonly #most: typeof MOST;
  readonly #times: number[] = [];
  readonly #robots: number[] = [];
  readonly #ghosts: number[] = [];
  readonly #starts: number[] = [];
  readonly #captions: Buffer[] = [];
  #captionBytes = 0;
  #blocks: Float32Array[] = [];
  #values = 0;
  #mostFloats = 0;
  /** only every `stride`-th frame is kept */
  #stride = 1;
  #seen = 0;
  #last: Float32Array = new Float32Array(0);

  /** @param order index in the recording of each body of the robot */
  constructor(order: readonly number[], most: typeof MOST) {
    this.#order = order;
    this.#most = most;
  }

  take({ atMs, caption, poses }: FrameVisit): void {
    const index = this.#seen++;
    if (index % this.#stride !== 0) return;
    const recordedBodies = poses.length / POSE / Math.max(1, caption.n + caption.ghosts);
    const robots = caption.n + caption.ghosts;
    const floats = robots * this.#order.length * POSE;
    const text = Buffer.from(JSON.stringify(pictureCaption(caption)));
    if (!this.#hasRoom(floats, text.length)) {
      this.#thin();
      if (index % this.#stride !== 0) return;
    }
    const block = new Float32Array(floats);
    for (let robot = 0, to = 0; robot < robots; robot += 1)
      for (const body of this.#order) {
        const from = POSE * (robot * recordedBodies + body);
        for (let k = 0; k < POSE; k += 1) block[to + k] = poses[from + k]!;
        if (!isPose(block, to)) keepLast(block, to, this.#last);
        to += POSE;
      }
    this.#captionBytes += text.length;
    this.#last = block;
    this.#blocks.push(block);
    this.#starts.push(this.#values);
    this.#values += floats;
    this.#times.push(atMs);
    this.#robots.push(caption.n);
    this.#ghosts.push(caption.ghosts);
    this.#captions.push(text);
    this.#mostFloats = Math.max(this.#mostFloats, floats + overlayFloats(caption.overlays));
  }

  done(name: string): RecordedScene {
    const count = this.#times.length;
    if (count === 0) throw badInput('the recording has no complete frame');
    const poses = new Float32Array(new SharedArrayBuffer(4 * this.#values));
    for (const [k, block] of this.#blocks.entries()) poses.set(block, this.#starts[k]);
    this.#blocks = [];
    const captions = new Uint8Array(new SharedArrayBuffer(this.#captionBytes));
    const captionStarts = new Float64Array(count + 1);
    for (const [k, text] of this.#captions.entries()) {
      captions.set(text, captionStarts[k]);
      captionStarts[k + 1] = captionStarts[k]! + text.length;
    }
    const { fps, pictures } = timelineOf(this.#times);
    return {
      name,
      fps,
      frames: pictures.length,
      nbody: this.#order.length,
      pictures,
      robots: Int32Array.from(this.#robots),
      ghosts: Int32Array.from(this.#ghosts),
      starts: Float64Array.from(this.#starts),
      poses,
      captions,
      captionStarts,
      mostFloats: this.#mostFloats,
    };
  }

  #hasRoom(floats: number, captionBytes: number): boolean {
    const most = this.#most;
    return (
      this.#values + floats <= most.values &&
      this.#captionBytes + captionBytes <= most.captionBytes &&
      this.#times.length < most.pictures
    );
  }

  /** Removes every second picture. */
  #thin(): void {
    this.#stride *= 2;
    for (const list of [this.#times, this.#robots, this.#ghosts]) halve(list);
    halve(this.#captions);
    halve(this.#blocks);
    this.#captionBytes = this.#captions.reduce((sum, text) => sum + text.length, 0);
    this.#values = 0;
    this.#starts.length = 0;
    for (const block of this.#blocks) {
      this.#starts.push(this.#values);
      this.#values += block.length;
    }
  }
}

function halve<T>(list: T[]): void {
  let kept = 0;
  for (let k = 0; k < list.length; k += 2) list[kept++] = list[k]!;
  list.length = kept;
}

function isPose(values: Float32Array, at: number): boolean {
  let isNear = true;
  for (let k = 0; k < POSE; k += 1) if (!(Math.abs(values[at + k]!) < FARTHEST)) isNear = false;
  return isNear;
}

/** Replaces the pose of a body by its pose in the previous picture. */
function keepLast(block: Float32Array, at: number, last: Float32Array): void {
  for (let k = 0; k < POSE; k += 1) block[at + k] = last[at + k] ?? (k === 3 ? 1 : 0);
}

/** Arranges pictures on a uniform timeline: a frame shows the newest picture at its time. @param times times of the
 *  pictures, ms; at least one */
function timelineOf(times: readonly number[]): { fps: number; pictures: Int32Array } {
  const gaps = times.slice(1).flatMap((time, k) => (time > times[k]! ? [time - times[k]!] : []));
  const middle = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 1000;
  const first = times[0]!;
  const seconds = Math.max(0, (times.at(-1)! - first) / 1e3);
  const fps = Math.min(
    FPS.most,
    Math.max(FPS.least, Math.round(1e3 / middle)),
    Math.max(1, MOST_FRAMES / (seconds + 1)),
  );
  const frames = Math.min(MOST_FRAMES, Math.floor(seconds * fps + 1e-6) + 1);
  const pictures = new Int32Array(new SharedArrayBuffer(4 * frames));
  let picture = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const ms = first + (1e3 * frame) / fps + 0.5;
    while (picture + 1 < times.length && times[picture + 1]! <= ms) picture += 1;
    pictures[frame] = frame === frames - 1 ? times.length - 1 : picture;
  }
  return { fps, pictures };
}

function pictureCaption({ focus, n, hud, overlays }: Caption): PictureCaption {
  return {
    focus: Math.min(focus, Math.max(0, n - 1)),
    text: hud.text.slice(0, 6).map((line) => line.slice(0, 160)),
    overlays: shownOverlays(overlays).map(({ name, kind, colour, values }) => ({
      name,
      kind,
      ...(colour ? { colour } : {}),
      values: values.slice(0, MOST_OVERLAY_VALUES - (MOST_OVERLAY_VALUES % OVERLAY_STRIDE[kind])),
    })),
  };
}

function shownOverlays(overlays: readonly CaptionOverlay[]): CaptionOverlay[] {
  return overlays.filter(isOverlay).slice(0, MOST_OVERLAYS);
}

const OVERLAYS = ['wiring', 'keybodies', 'targets', 'contacts', 'trail'];

function isOverlay(overlay: Partial<CaptionOverlay> | null): boolean {
  const { name = '', kind, colour, values } = overlay ?? {};
  return (
    kind !== undefined &&
    OVERLAYS.includes(name) &&
    Object.hasOwn(OVERLAY_STRIDE, kind) &&
    (colour === undefined || (Array.isArray(colour) && colour.length === 4 && colour.every(Number.isFinite))) &&
    Array.isArray(values) &&
    values.length % OVERLAY_STRIDE[kind] === 0 &&
    values.every(Number.isFinite)
  );
}

function overlayFloats(overlays: readonly CaptionOverlay[]): number {
  return shownOverlays(overlays).reduce((sum, { values }) => sum + Math.min(values.length, MOST_OVERLAY_VALUES), 0);
}
