import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { readElements, toDoubles, toSingles } from '../array/array-elements.ts';
import { type ByteSource, openBytes } from '../byte-source.ts';
import { checkShape, type MotionFacts, type MotionNpz, motionFacts } from '../motion-npz.ts';
import type { NpyArray } from '../npy.ts';
import { checkNpySize } from '../npy.ts';
import { inArray, type NpzHead, readNpz, readNpzHeads } from '../npz.ts';
import { findEntries } from '../zip.ts';
import { EntryCursor } from '../zip-cursor.ts';
import { columnJoints } from './joint-names.ts';

const MIB = 1 << 20;
const TEXT_KEYS = ['joint_names', 'robot', 'segment_source', 'segment_names'] as const;
const RANGE_KEYS = ['segment_start_idx', 'segment_length'] as const;
const ARRAY_KEYS = ['joint_pos', 'joint_vel', 'body_pos_w', 'body_quat_w', 'body_lin_vel_w', 'body_ang_vel_w'] as const;
type ArrayKey = (typeof ARRAY_KEYS)[number];
/** Maximum size of the arrays with clip names and ranges, bytes. They need about 100 bytes per clip. */
const MAX_TABLE_BYTES = 64 * MIB;
const MAX_CLIPS = 100_000;
/** Maximum size of one clip, bytes. Only one clip is in memory at a time. */
const MAX_CLIP_BYTES = 1024 * MIB;
/** Maximum size of arrays in Fortran order, bytes. They are read as a whole, and need twice their size while they
 *  are reordered to C order. */
const MAX_FORTRAN_BYTES = 256 * MIB;
/** A bundle is refused as a zip bomb if it expands beyond this size and to more than 100 times its compressed size. */
const FREE_BYTES = 64 * MIB;
const MAX_RATIO = 100;

export interface BundledClip {
  /** name of the clip: as stored in the file, otherwise the stem of its source file, otherwise its number from 1; may
   *  not be a valid clip name */
  readonly name: string;
  /** path of the file that the clip was converted from; null if the bundle does not state it */
  readonly source: string | null;
  /** index of the clip's first frame in the bundle */
  readonly start: number;
  readonly frames: number;
}

interface Bundle {
  readonly facts: MotionFacts;
  /** sorted by first frame */
  readonly clips: readonly BundledClip[];
  readonly heads: ReadonlyMap<string, NpzHead>;
  readonly jointNames: readonly string[] | null;
  readonly robot: string | null;
}

/** Lists the clips of a bundle without reading their frames.
 *  @throws bad_input if the file is not a bundle, or if clips overlap or exceed the bundle */
export async function listBundle(source: string | Uint8Array): Promise<readonly BundledClip[]> {
  return (await openBundle(source)).clips;
}

/** Reads a bundle clip by clip. Only one clip is in memory at a time, even for a large file.
 *  @throws bad_input */
export async function* readBundle(
  source: string | Uint8Array,
): AsyncGenerator<{ readonly clip: BundledClip; readonly motion: MotionNpz }> {
  const bundle = await openBundle(source);
  const bytes = await openBytes(source);
  const cursors = await openCursors(bytes);
  try {
    const turned = await readFortran(bundle, cursors);
    for (const clip of bundle.clips) yield { clip, motion: await readClip(bundle, clip, cursors, turned) };
  } finally {
    for (const cursor of cursors.values()) cursor.close();
    await bytes.close();
  }
}

async function openBundle(source: string | Uint8Array): Promise<Bundle> {
  const facts = await motionFacts(source);
  const heads = await readNpzHeads(source, new Set(ARRAY_KEYS));
  checkArrays(facts, heads);
  const limits = { maxBytes: MAX_TABLE_BYTES };
  const { arrays } = await readNpz(source, new Set([...TEXT_KEYS, ...RANGE_KEYS]), limits);
  const names = texts(arrays, 'joint_names');
  const jointNames = names && columnJoints(names);
  if (jointNames && jointNames.length !== facts.joints)
    throw badInput(`"joint_names" has ${jointNames.length} names, but "joint_pos" has ${facts.joints} joints`);
  return { facts, clips: readClips(arrays, facts), heads, jointNames, robot: texts(arrays, 'robot')?.[0] ?? null };
}

function checkArrays(facts: MotionFacts, heads: ReadonlyMap<string, NpzHead>): void {
  for (const key of ARRAY_KEYS) {
    const head = heads.get(key);
    if (!head) throw badInput(`not a bundle of converted clips: the array "${key}" is missing`);
    inArray(key, () => checkNpySize(head, head.size));
    checkShape(key, head.shape, [facts.frames, ...frameShape(facts, key)]);
    if (!['f', 'i', 'u', 'b'].includes(head.kind)) throw badInput(`"${key}" does not contain numbers`);
  }
}

/** Returns the shape of one frame of an array. */
function frameShape({ joints, bodies }: MotionFacts, key: ArrayKey): readonly number[] {
  if (key === 'joint_pos' || key === 'joint_vel') return [joints];
  return [bodies, key === 'body_quat_w' ? 4 : 3];
}

function readClips(arrays: ReadonlyMap<string, NpyArray>, facts: MotionFacts): readonly BundledClip[] {
  const starts = ranges(arrays, 'segment_start_idx');
  const lengths = ranges(arrays, 'segment_length');
  const count = lengths.length;
  if (starts.length !== count)
    throw badInput(
      `"segment_start_idx" has ${starts.length} values, "segment_length" has ${count}: each clip needs one value in both`,
    );
  if (count > MAX_CLIPS) throw badInput(`the bundle has ${count} clips, the limit is ${MAX_CLIPS}`);
  const sources = texts(arrays, 'segment_source');
  const names = texts(arrays, 'segment_names');
  for (const [key, list] of [
    ['segment_source', sources],
    ['segment_names', names],
  ] as const)
    if (list && list.length !== count)
      throw badInput(`"${key}" has ${list.length} elements, but there are ${count} clips`);
  const clips = Array.from(lengths, (frames, index): BundledClip => {
    const source = sources?.[index] ?? null;
    const name = names?.[index] ?? (source === null ? `${index + 1}` : path.posix.parse(source).name);
    return { name, source, start: starts[index]!, frames };
  }).sort((a, b) => a.start - b.start);
  let end = 0;
  for (const { name, start, frames } of clips) {
    const shown = JSON.stringify(name.slice(0, 80));
    if (!(Number.isInteger(start) && Number.isInteger(frames) && start >= 0 && frames >= 1))
      throw badInput(`the clip ${shown} of the bundle has no frames`);
    if (start < end) throw badInput(`the clip ${shown} of the bundle overlaps another one`);
    end = start + frames;
    if (end > facts.frames)
      throw badInput(`the clip ${shown} of the bundle ends at frame ${end}, but the bundle has ${facts.frames} frames`);
  }
  return clips;
}

function ranges(arrays: ReadonlyMap<string, NpyArray>, key: string): Float64Array {
  const array = arrays.get(key);
  if (!array || array.dtype === 'U' || array.shape.length !== 1)
    throw badInput(`not a bundle of clips: the array "${key}" is missing or is not a list of numbers`);
  return toDoubles(array);
}

function texts(arrays: ReadonlyMap<string, NpyArray>, key: string): readonly string[] | null {
  const array = arrays.get(key);
  return array?.dtype === 'U' ? array.data : null;
}

async function openCursors(bytes: ByteSource): Promise<ReadonlyMap<string, EntryCursor>> {
  const wanted: ReadonlySet<string> = new Set(ARRAY_KEYS.map((key) => `${key}.npy`));
  const places = await findEntries(bytes, (name) => wanted.has(name));
  const expanded = [...places.values()].reduce((sum, place) => sum + place.bytes, 0);
  if (expanded > Math.max(FREE_BYTES, bytes.size * MAX_RATIO))
    throw badInput(
      `the bundle expands to ${Math.ceil(expanded / MIB)} MiB, which is impossible for a file of its size: it is damaged. Copy it again.`,
    );
  return new Map([...places].map(([name, place]) => [name.slice(0, -'.npy'.length), new EntryCursor(bytes, place)]));
}

/** Reads arrays in Fortran order as a whole and converts them to C order: in Fortran order, the numbers of a frame
 *  are scattered over the file. */
async function readFortran(
  { heads }: Bundle,
  cursors: ReadonlyMap<string, EntryCursor>,
): Promise<ReadonlyMap<ArrayKey, Float32Array>> {
  const turned = ARRAY_KEYS.flatMap((key) => (heads.get(key)!.fortran ? [{ key, head: heads.get(key)! }] : []));
  const size = turned.reduce((sum, { head }) => sum + head.count * head.itemBytes, 0);
  if (size > MAX_FORTRAN_BYTES)
    throw badInput('the arrays are in Fortran order, which is supported up to 256 MiB. Save them in C order.');
  const arrays = new Map<ArrayKey, Float32Array>();
  for (const { key, head } of turned) {
    const content = await cursors.get(key)!.read(head.dataStart, head.count * head.itemBytes);
    const elements = readElements(head, content);
    if (elements.dtype !== 'U') arrays.set(key, toSingles(elements));
  }
  return arrays;
}

async function readClip(
  { facts, heads, jointNames, robot }: Bundle,
  { name, start, frames }: BundledClip,
  cursors: ReadonlyMap<string, EntryCursor>,
  turned: ReadonlyMap<ArrayKey, Float32Array>,
): Promise<MotionNpz> {
  const frameBytes = (key: ArrayKey) =>
    frameShape(facts, key).reduce((product, size) => product * size, heads.get(key)!.itemBytes);
  if (ARRAY_KEYS.reduce((sum, key) => sum + frames * frameBytes(key), 0) > MAX_CLIP_BYTES)
    throw badInput(`the clip ${JSON.stringify(name.slice(0, 80))} of the bundle is larger than 1 GiB`);
  const read = async (key: ArrayKey): Promise<Float32Array> => {
    const head = heads.get(key)!;
    const size = frameBytes(key);
    const width = size / head.itemBytes;
    const whole = turned.get(key);
    if (whole) return whole.slice(start * width, (start + frames) * width);
    const content = await cursors.get(key)!.read(head.dataStart + start * size, frames * size);
    const shape = [frames, ...frameShape(facts, key)];
    const elements = readElements({ ...head, shape, count: (frames * size) / head.itemBytes }, content);
    if (elements.dtype === 'U') throw badInput(`"${key}" contains texts instead of numbers`);
    return toSingles(elements);
  };
  return {
    fps: facts.fps,
    frames,
    joints: facts.joints,
    bodies: facts.bodies,
    jointPos: await read('joint_pos'),
    jointVel: await read('joint_vel'),
    bodyPosW: await read('body_pos_w'),
    bodyQuatW: await read('body_quat_w'),
    bodyLinVelW: await read('body_lin_vel_w'),
    bodyAngVelW: await read('body_ang_vel_w'),
    jointNames,
    robot,
    warnings: [],
  };
}
