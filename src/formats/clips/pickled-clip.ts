import { badInput } from '../../core/errors.ts';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import type { ClipFileFacts, ReadClip } from '../clip-format.ts';
import { kindOf, type PickleDict, type PickleValue } from '../pickle/pickle-values.ts';
import { PickledArray } from '../pickle/pickled-array.ts';
import { type RawClip, ROOT_COLUMNS } from '../raw-clip.ts';
import { checkFps } from './frame-rate.ts';
import { columnJoints, textsOf } from './joint-names.ts';
import { checkPickledSizes, pickledNumbers, pickledShape, placeColumns } from './pickled-numbers.ts';

/** The names of the arrays in a pickled clip. */
export interface PickledLayout {
  /** root position, (frames, 3), m */
  readonly position: string;
  /** root orientation, (frames, 4), xyzw */
  readonly rotation: string;
  /** joint positions, (frames, joints), rad or m */
  readonly joints: string;
}

/** Keys under which joint names are stored. The first key that is present and not None is used. */
const NAME_KEYS = ['dof_joint_names', 'joint_names', 'joint_order', 'dof_names'] as const;
const SHOWN_KEYS = 8;
const SHOWN_CHARACTERS = 40;

/** Returns true if a value is a dict with the arrays of a layout. */
export function hasLayout(value: PickleValue, layout: PickledLayout): value is PickleDict {
  return value instanceof Map && arraysOf(layout).every((key) => value.has(key));
}

/** Reads the properties for a listing without decoding the numbers. Ignores all other keys. @throws bad_input naming
 *  the key and its problem */
export function pickledFacts(value: PickleValue, layout: PickledLayout): ClipFileFacts {
  const dict = clipDict(value, layout);
  const facts = clipFacts(dict, layout);
  checkPickledSizes(dict, arraysOf(layout));
  return { ...facts, assumed: assumedWith(facts.fps) };
}

/** Reads a clip from a dict. Its values are lists or arrays of any numeric type.
 *  @throws bad_input naming the key and its problem */
export function pickledClip(value: PickleValue, layout: PickledLayout): ReadClip {
  const dict = clipDict(value, layout);
  const facts = clipFacts(dict, layout);
  const { frames, columns } = facts;
  const rows = new Float64Array(frames * columns);
  placeColumns(rows, columns, 0, pickledNumbers(dict, layout.position));
  placeColumns(rows, columns, 3, pickledNumbers(dict, layout.rotation));
  placeColumns(rows, columns, ROOT_COLUMNS, pickledNumbers(dict, layout.joints));
  return { rows, ...facts, assumed: assumedWith(facts.fps) };
}

/** Returns the assumptions of formats with quaternions in xyzw order. @param fps null if the file does not state it */
export function assumedWith(fps: number | null): readonly Assumption[] {
  return [
    ...(fps === null ? [] : [{ what: 'fps', value: fps, from: 'file' } as const]),
    { what: 'quaternion', value: 'xyzw', from: 'format' },
    { what: 'units', value: 'm', from: 'format' },
  ];
}

/** Reads a frame rate: a number, or an array of one number. @throws bad_input for other values */
export function pickledFps(value: PickleValue): number {
  const single =
    value instanceof PickledArray && value.shape.every((size) => size === 1) ? value.elements().data[0] : value;
  return checkFps(typeof single === 'number' || typeof single === 'bigint' ? Number(single) : Number.NaN);
}

/** Lists some keys of a dict, for messages. */
function keysText(dict: PickleDict): string {
  const keys = [...dict.keys()].filter((key) => typeof key === 'string').slice(0, SHOWN_KEYS);
  return keys.length === 0
    ? 'no named keys'
    : keys.map((key) => JSON.stringify(key.slice(0, SHOWN_CHARACTERS))).join(', ');
}

function arraysOf({ position, rotation, joints }: PickledLayout): readonly string[] {
  return [position, rotation, joints];
}

/** Returns the value as a dict. @throws bad_input unless the value is a dict with the keys of the layout */
function clipDict(value: PickleValue, layout: PickledLayout): PickleDict {
  const keys = arraysOf(layout);
  if (!(value instanceof Map))
    throw badInput(`the pickle contains ${kindOf(value)}, expected a dict of fps, ${keys.join(', ')}`);
  const missing = keys.find((key) => !value.has(key));
  if (missing === undefined) return value;
  throw badInput(
    `not a clip: the key "${missing}" is missing; the dict has ${keysText(value)}. A clip is a dict of fps, ${keys.join(', ')}: write the motion so`,
  );
}

function clipFacts(dict: PickleDict, layout: PickledLayout): Omit<RawClip, 'rows'> {
  const { position, rotation } = layout;
  const [frames] = pickledShape(dict, position, 3);
  const [turned] = pickledShape(dict, rotation, 4);
  const [moved, joints] = pickledShape(dict, layout.joints, null);
  if (turned !== frames) throw badInput(`"${rotation}" has ${turned} frames, but "${position}" has ${frames}`);
  if (moved !== frames) throw badInput(`"${layout.joints}" has ${moved} frames, but "${position}" has ${frames}`);
  if (frames === 0) throw badInput('the clip has no frames');
  if (joints === 0) throw badInput(`"${layout.joints}" has no joints`);
  const stated = dict.get('fps') ?? null;
  const fps = stated === null ? null : pickledFps(stated);
  return { frames, columns: ROOT_COLUMNS + joints, fps, jointNames: jointNames(dict, layout.joints, joints) };
}

function jointNames(dict: PickleDict, key: string, joints: number): readonly string[] | null {
  for (const nameKey of NAME_KEYS) {
    const value = dict.get(nameKey) ?? null;
    if (value === null) continue;
    const texts = nameTexts(value);
    if (!texts) throw badInput(`"${nameKey}" is not a list of names. Remove it or set it to None.`);
    const names = columnJoints(texts);
    if (names.length !== joints)
      throw badInput(`"${nameKey}" has ${names.length} names, but "${key}" has ${joints} joints`);
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
