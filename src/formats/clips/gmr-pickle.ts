import { badInput } from '../../core/errors.ts';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import { toDoubles } from '../array/array-elements.ts';
import type { ClipFormat } from '../clip-format.ts';
import type { PickleFile } from '../pickle/pickle-input.ts';
import { kindOf, type PickleDict, type PickleList, type PickleValue } from '../pickle/pickle-values.ts';
import { PickledArray } from '../pickle/pickled-array.ts';
import { readPickle } from '../pickle/read-pickle.ts';
import { type RawClip, ROOT_COLUMNS } from '../raw-clip.ts';
import { checkFps } from './frame-rate.ts';
import { columnJoints, textsOf } from './joint-names.ts';

const KEYS = ['fps', 'root_pos', 'root_rot', 'dof_pos'] as const;
/** Keys of the joint names. The first key that is present and not None is used. */
const NAME_KEYS = ['dof_joint_names', 'joint_names', 'joint_order'] as const;
/** Maximum count of numbers read from lists, 256 MiB. A pickle can refer to one row many times, so a small file can
 *  claim more. */
const MAX_NUMBERS = 1 << 25;
const SHOWN_KEYS = 8;

const ASSUMED: readonly Assumption[] = [
  { what: 'quaternion', value: 'xyzw', from: 'format' },
  { what: 'units', value: 'm', from: 'format' },
];

export const GMR_PICKLE: ClipFormat<PickleValue> = {
  id: 'gmr-pickle',
  title: 'GMR pickle',
  sniff: (pickle) => pickle instanceof Map && KEYS.every((key) => pickle.has(key)),
  facts(pickle) {
    const facts = factsOf(pickle);
    return { ...facts, assumed: assumedWith(facts.fps!) };
  },
  read(pickle) {
    const clip = clipOf(pickle);
    return { ...clip, assumed: assumedWith(clip.fps!) };
  },
};

function assumedWith(fps: number): readonly Assumption[] {
  return [{ what: 'fps', value: fps, from: 'file' }, ...ASSUMED];
}

/** Reads a clip pickled by GMR: a dict of `fps`, `root_pos` (frames, 3) m, `root_rot` (frames, 4) xyzw and `dof_pos`
 *  (frames, joints) rad, as lists or as arrays of any numeric type. A list of joint names is optional; other keys are
 *  ignored. No code of the pickle is run.
 *  @throws bad_input naming the key and its problem */
export function parseGmrPickle(bytes: Uint8Array): RawClip {
  return clipOf(readPickle(bytes));
}

function clipOf(pickle: PickleValue): RawClip {
  const dict = clipDict(pickle);
  const { frames, columns, fps, jointNames } = clipFacts(dict);
  const rows = new Float64Array(frames * columns);
  copyColumns(rows, columns, 0, numbers(dict, 'root_pos'));
  copyColumns(rows, columns, 3, numbers(dict, 'root_rot'));
  copyColumns(rows, columns, ROOT_COLUMNS, numbers(dict, 'dof_pos'));
  return { rows, frames, columns, fps, jointNames };
}

/** Reads the facts that a listing shows, without decoding the clip's numbers. @throws bad_input */
export function gmrPickleFacts(source: Uint8Array | PickleFile): Omit<RawClip, 'rows'> {
  return factsOf(readPickle(source));
}

function factsOf(pickle: PickleValue): Omit<RawClip, 'rows'> {
  const dict = clipDict(pickle);
  const facts = clipFacts(dict);
  for (const key of ['root_pos', 'root_rot', 'dof_pos']) {
    const value = dict.get(key);
    if (value instanceof PickledArray) value.checkSize();
  }
  return facts;
}

function clipFacts(dict: PickleDict): Omit<RawClip, 'rows'> {
  const [frames] = shapeOf(dict, 'root_pos', 3);
  const [turned] = shapeOf(dict, 'root_rot', 4);
  const [moved, joints] = shapeOf(dict, 'dof_pos', null);
  if (turned !== frames) throw badInput(`"root_rot" has ${turned} frames, "root_pos" has ${frames}`);
  if (moved !== frames) throw badInput(`"dof_pos" has ${moved} frames, "root_pos" has ${frames}`);
  if (frames === 0) throw badInput('the clip has no frames');
  if (joints === 0) throw badInput('"dof_pos" holds no joints');
  const fps = readFps(dict.get('fps') ?? null);
  return { frames, columns: ROOT_COLUMNS + joints, fps, jointNames: readNames(dict, joints) };
}

function copyColumns(rows: Float64Array, columns: number, first: number, { shape, data }: Numbers): void {
  const [frames, width] = shape;
  for (let frame = 0; frame < frames; frame += 1)
    rows.set(data.subarray(frame * width, (frame + 1) * width), frame * columns + first);
}

/** @throws bad_input unless the value is a dict with the keys of a clip */
function clipDict(value: PickleValue): PickleDict {
  if (!(value instanceof Map))
    throw badInput(`the pickle holds ${kindOf(value)}; a clip is a dict of ${KEYS.join(', ')}`);
  const missing = KEYS.find((key) => !value.has(key));
  if (missing === undefined) return value;
  const keys = [...value.keys()].filter((key) => typeof key === 'string').slice(0, SHOWN_KEYS);
  const found = keys.length === 0 ? 'no named keys' : keys.map((key) => `"${key.slice(0, 40)}"`).join(', ');
  throw badInput(`no clip: the key "${missing}" is missing; the dict holds ${found}`);
}

function readFps(value: PickleValue): number {
  const single =
    value instanceof PickledArray && value.shape.every((size) => size === 1) ? value.elements().data[0] : value;
  return checkFps(typeof single === 'number' || typeof single === 'bigint' ? Number(single) : Number.NaN);
}

interface Numbers {
  readonly shape: readonly [frames: number, width: number];
  /** (frames, width) */
  readonly data: Float64Array;
}

/** Returns the shape of the value at `key`. @param width expected width; null accepts any width */
function shapeOf(dict: PickleDict, key: string, width: number | null): readonly [frames: number, width: number] {
  const value = dict.get(key) ?? null;
  const shape = value instanceof PickledArray ? value.shape : listShape(value, key);
  const [frames, found] = shape;
  if (shape.length !== 2 || frames === undefined || found === undefined || (width !== null && found !== width))
    throw badInput(`"${key}" has the shape (${shape.join(', ')}), expected (frames, ${width ?? 'joints'})`);
  return [frames, found];
}

/** Returns the shape of a list, judged by its first row. */
function listShape(value: PickleValue, key: string): readonly number[] {
  if (!Array.isArray(value)) throw badInput(`"${key}" holds ${kindOf(value)}, an array is needed`);
  if (value.length === 0) return [0];
  const width = rowLength(value[0]!);
  return width === null ? [value.length] : [value.length, width];
}

/** Reads the numbers at a key whose shape was checked. */
function numbers(dict: PickleDict, key: string): Numbers {
  const value = dict.get(key) ?? null;
  const shape = shapeOf(dict, key, null);
  return {
    shape,
    data: value instanceof PickledArray ? arrayNumbers(value, key) : listNumbers(value as PickleList, key, shape),
  };
}

function arrayNumbers(array: PickledArray, key: string): Float64Array {
  if (array.objects()) throw badInput(`"${key}" holds Python objects instead of numbers; save it as an array of float`);
  const elements = array.elements();
  if (elements.dtype === 'U') throw badInput(`"${key}" holds texts instead of numbers`);
  return toDoubles(elements);
}

/** Reads a list of rows. Each row is a list, a tuple or an array. */
function listNumbers(rows: PickleList, key: string, [frames, width]: Numbers['shape']): Float64Array {
  if (frames * width > MAX_NUMBERS) throw badInput(`"${key}" holds more numbers than a clip can have`);
  const data = new Float64Array(frames * width);
  for (const [row, cells] of rows.entries()) {
    if (rowLength(cells) !== width)
      throw badInput(`"${key}" has rows of different length: row ${row + 1} is not of ${width}`);
    const values = cells instanceof PickledArray ? arrayNumbers(cells, key) : (cells as PickleList);
    for (let column = 0; column < width; column += 1) {
      const cell = values[column]!;
      if (typeof cell !== 'number')
        throw badInput(`"${key}", row ${row + 1}, column ${column + 1}: ${kindOf(cell)} is no number`);
      data[row * width + column] = cell;
    }
  }
  return data;
}

function rowLength(row: PickleValue): number | null {
  if (row instanceof PickledArray) return row.shape.length === 1 ? row.shape[0]! : null;
  return Array.isArray(row) ? row.length : null;
}

function readNames(dict: PickleDict, joints: number): readonly string[] | null {
  for (const key of NAME_KEYS) {
    const value = dict.get(key) ?? null;
    if (value === null) continue;
    const texts = nameTexts(value);
    if (!texts) throw badInput(`"${key}" holds something else than a list of names; remove it or set it to None`);
    const names = columnJoints(texts);
    if (names.length !== joints) throw badInput(`"${key}" names ${names.length} joints, "dof_pos" has ${joints}`);
    return names;
  }
  return null;
}

function nameTexts(value: PickleValue): readonly string[] | null {
  if (Array.isArray(value)) return textsOf(value);
  if (!(value instanceof PickledArray)) return null;
  const objects = value.objects();
  if (objects) return textsOf(objects);
  const elements = value.elements();
  return elements.dtype === 'U' ? elements.data : null;
}
