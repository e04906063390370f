import { badInput } from '../../core/errors.ts';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import { toDoubles } from '../array/array-elements.ts';
import { checkNpySize, type NpyArray, parseNpy } from '../npy.ts';
import { inArray, type NpzHead, readNpz } from '../npz.ts';
import type { NpzClipFormat } from '../npz-clip.ts';
import { MIN_COLUMNS, type RawClip, ROOT_COLUMNS } from '../raw-clip.ts';
import { checkFps } from './frame-rate.ts';
import { columnJoints } from './joint-names.ts';

/** NPZ with MuJoCo's `qpos`, as motion players write it. */
export const QPOS_NPZ: NpzClipFormat = {
  id: 'qpos-npz',
  title: 'NPZ of MuJoCo positions',
  arrays: ['qpos', 'fps', 'joint_names', 'joint_pos'],
  sniff: ({ heads }) => heads.has('qpos') && !heads.has('joint_pos'),
  facts({ heads }) {
    const facts = qposFacts(heads);
    return { ...facts, assumed: assumedWith(facts.fps) };
  },
  async read({ path }) {
    const { arrays } = await readNpz(path, new Set(QPOS_KEYS));
    const clip = qposClip(arrays);
    return { ...clip, assumed: assumedWith(clip.fps) };
  },
};

function assumedWith(fps: number | null): readonly Assumption[] {
  return [
    { what: 'quaternion', value: 'wxyz', from: 'format' },
    { what: 'units', value: 'm', from: 'format' },
    ...(fps === null ? [] : [{ what: 'fps', value: fps, from: 'file' } as const]),
  ];
}

/** Arrays that are read from such a file. */
const QPOS_KEYS = ['qpos', 'fps', 'joint_names'] as const;

type QposFacts = Pick<RawClip, 'frames' | 'columns' | 'fps'>;

/** Reads the facts that a listing shows from the headers of the arrays. @throws bad_input */
function qposFacts(heads: ReadonlyMap<string, NpzHead>): QposFacts {
  const qpos = heads.get('qpos')!;
  inArray('qpos', () => checkNpySize(qpos, qpos.size));
  const fps = heads.get('fps');
  return { ...checkShape(qpos.shape), fps: readFps(fps && parseNpy(fps.bytes)) };
}

/** Reads `qpos` (frames, 7 + joints): x y z m, quaternion wxyz, joints. `fps` and `joint_names` are optional.
 *  @throws bad_input naming the array and its problem */
function qposClip(arrays: ReadonlyMap<string, NpyArray>): RawClip {
  const qpos = arrays.get('qpos')!;
  if (qpos.dtype === 'U') throw badInput('"qpos" holds texts instead of numbers');
  const { frames, columns } = checkShape(qpos.shape);
  const rows = Float64Array.from(toDoubles(qpos));
  for (let at = 3; at < rows.length; at += columns) {
    const w = rows[at]!;
    rows.copyWithin(at, at + 1, at + 4);
    rows[at + 3] = w;
  }
  return { rows, frames, columns, fps: readFps(arrays.get('fps')), jointNames: readNames(arrays, columns) };
}

function checkShape(shape: readonly number[]): { frames: number; columns: number } {
  const [frames, columns] = shape;
  if (shape.length !== 2 || frames === undefined || columns === undefined || columns < MIN_COLUMNS)
    throw badInput(`"qpos" has the shape (${shape.join(', ')}), expected (frames, 7 + joints)`);
  if (frames === 0) throw badInput('the clip has no frames');
  return { frames, columns };
}

function readFps(array: NpyArray | undefined): number | null {
  return array ? checkFps(array.data.length === 1 ? Number(array.data[0]) : Number.NaN) : null;
}

function readNames(arrays: ReadonlyMap<string, NpyArray>, columns: number): readonly string[] | null {
  const names = arrays.get('joint_names');
  if (names?.dtype !== 'U') return null;
  const joints = columnJoints(names.data);
  if (joints.length !== columns - ROOT_COLUMNS)
    throw badInput(`"joint_names" names ${joints.length} joints, "qpos" has ${columns - ROOT_COLUMNS}`);
  return joints;
}
