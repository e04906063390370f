import { badInput } from '../../core/errors.ts';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import { readElements, toDoubles } from '../array/array-elements.ts';
import type { ClipFileFacts, ReadClip } from '../clip-format.ts';
import { checkNpySize, type NpyArray, parseNpy } from '../npy.ts';
import { inArray, type NpzHead, readNpz } from '../npz.ts';
import type { NpzClip, NpzClipFormat } from '../npz-clip.ts';
import { type LeftOutColumns, MIN_COLUMNS, ROOT_COLUMNS } from '../raw-clip.ts';
import { checkFps } from './frame-rate.ts';
import { columnJoints } from './joint-names.ts';

/** Number of values in the pose of a free body: position and quaternion. */
const POSE = 7;
/** Maximum deviation of a quaternion's length from 1. Numbers in files have at least three decimals. */
const UNIT = 0.01;
/** Arrays that describe the positions. LocoMuJoCo names the rate `frequency`, and stores the ends of several clips in
 *  `split_points`. */
const SETTINGS = ['fps', 'frequency', 'joint_names', 'split_points'] as const;
const OBJECT: LeftOutColumns = { columns: POSE, as: 'the pose of an object' };
/** Possible indices of the quaternion in a pose: after the position, or before it. */
const QUATERNION_AT = [3, 0] as const;

/** NPZ with MuJoCo's `qpos` (frames, 7 + joints): x y z m, quaternion wxyz, joints. Motion players and retargeting
 *  tools write it, among them LocoMuJoCo. Some tools write the quaternion first, and some append the pose of an object.
 *  `fps` or `frequency` is a rate in Hz; a value below 1 is a period in s. */
export const QPOS_NPZ: NpzClipFormat = {
  id: 'qpos-npz',
  title: 'NPZ of MuJoCo positions',
  arrays: ['qpos', ...SETTINGS, 'joint_pos'],
  sniff: ({ heads }) => heads.has('qpos') && !heads.has('joint_pos'),
  facts: (npz) => qposFacts('qpos', npz),
  read: (npz) => readQpos('qpos', npz),
};

/** NPZ of holosoma. The arrays are named like those of a converted clip, but `joint_pos` is MuJoCo's whole `qpos`
 *  (frames, 7 + joints), `joint_vel` is the whole `qvel` (frames, 6 + joints), and body 0 is the world. */
export const HOLOSOMA_NPZ: NpzClipFormat = {
  id: 'holosoma-npz',
  title: 'holosoma NPZ',
  arrays: ['joint_pos', 'joint_vel', ...SETTINGS],
  sniff({ heads }) {
    const [positions, speeds] = ['joint_pos', 'joint_vel'].map((name) => heads.get(name)?.shape);
    return positions?.length === 2 && speeds?.length === 2 && positions[1]! > POSE && speeds[1] === positions[1]! - 1;
  },
  facts: (npz) => qposFacts('joint_pos', npz),
  read: (npz) => readQpos('joint_pos', npz),
};

/** The arrangement of the numbers in a frame. */
interface QposLayout {
  readonly frames: number;
  /** numbers per frame in the file */
  readonly width: number;
  /** 7 + number of joints */
  readonly columns: number;
  /** index of the root's quaternion */
  readonly quaternionAt: 3 | 0;
  /** names of the joint columns; null if the file does not state them */
  readonly jointNames: readonly string[] | null;
  /** the pose of an object at the end of each frame, if the file does not name its joints: a guess */
  readonly leftOut: LeftOutColumns | null;
}

/** Reads the facts for a listing from the heads of the arrays. Reads an array as a whole if its head does not suffice.
 *  @throws bad_input */
async function qposFacts(key: string, { path, heads }: NpzClip): Promise<ClipFileFacts> {
  const head = heads.get(key)!;
  inArray(key, () => checkNpySize(head, head.size));
  const named = heads.get('joint_names');
  const whole = new Set<string>();
  if (head.fortran) whole.add(key);
  if (named && (named.kind === 'O' || named.size > named.bytes.length)) whole.add('joint_names');
  const { arrays } = whole.size > 0 ? await readNpz(path, whole) : { arrays: new Map<string, NpyArray>() };
  const names = whole.has('joint_names') ? arrays.get('joint_names') : named && parseNpy(named.bytes);
  const qpos = arrays.get(key);
  const fps = heads.get('fps') ?? heads.get('frequency');
  const rate = readFps(fps && parseNpy(fps.bytes));
  const layout = layoutOf(key, head, jointsIn(names), qpos ? numbersIn(key, qpos) : null);
  refuseSeveral(heads.get('split_points'));
  const { frames, columns, jointNames } = layout;
  return { frames, columns, fps: rate.fps, jointNames, assumed: assumedWith(rate, layout), ...leftOutOf(layout) };
}

function leftOutOf({ leftOut }: QposLayout): { leftOut?: LeftOutColumns } {
  return leftOut ? { leftOut } : {};
}

/** Reads a clip. @throws bad_input naming the array and its problem */
async function readQpos(key: string, { path, heads }: NpzClip): Promise<ReadClip> {
  const { arrays } = await readNpz(path, new Set([key, 'fps', 'frequency', 'joint_names']));
  const from = numbersIn(key, arrays.get(key)!);
  const layout = layoutOf(key, heads.get(key)!, jointsIn(arrays.get('joint_names')), from);
  refuseSeveral(heads.get('split_points'));
  const { frames, width, columns, quaternionAt, jointNames } = layout;
  const positionAt = quaternionAt === 3 ? 0 : 4;
  const rows = new Float64Array(frames * columns);
  for (let frame = 0; frame < frames; frame += 1) {
    const [at, to] = [frame * width, frame * columns];
    for (let k = 0; k < 3; k += 1) rows[to + k] = from[at + positionAt + k]!;
    for (let k = 0; k < 4; k += 1) rows[to + 3 + k] = from[at + quaternionAt + ((k + 1) % 4)]!;
    for (let k = POSE; k < columns; k += 1) rows[to + k] = from[at + k]!;
  }
  const rate = readFps(arrays.get('fps') ?? arrays.get('frequency'));
  const assumed = assumedWith(rate, layout);
  return { rows, frames, columns, fps: rate.fps, jointNames, assumed, ...leftOutOf(layout) };
}

function numbersIn(key: string, array: NpyArray): Float64Array {
  if (array.dtype === 'U') throw badInput(`"${key}" contains texts instead of numbers`);
  return toDoubles(array);
}

/** Determines the arrangement of the numbers.
 *  @param numbers (frames, width) of the whole array; null: judge by the numbers in its head
 *  @throws bad_input for an array of another shape, or a wrong number of joint names */
function layoutOf(
  key: string,
  head: NpzHead,
  names: readonly string[] | null,
  numbers: Float64Array | null,
): QposLayout {
  const [frames, width] = head.shape;
  if (head.shape.length !== 2 || frames === undefined || width === undefined || width < MIN_COLUMNS)
    throw badInput(`"${key}" has the shape (${head.shape.join(', ')}), expected (frames, 7 + joints)`);
  if (frames === 0) throw badInput('the clip has no frames');
  const isUnit = unitIn(head, width, numbers);
  const quaternionAt = QUATERNION_AT.find(isUnit) ?? 3;
  // A file that names all joints of the model begins with the free joint of the root, whatever its name is.
  const jointNames = names?.length === width - ROOT_COLUMNS + 1 ? names.slice(1) : names;
  const withObject = hasObject(width, jointNames, isUnit);
  const columns = width - (withObject ? POSE : 0);
  const joints = columns - ROOT_COLUMNS;
  if (jointNames && jointNames.length !== joints)
    throw badInput(
      `"joint_names" has ${jointNames.length} names, but "${key}" has ${joints} columns for joints. Write one name per column, or leave "joint_names" out if the columns are in the robot's order.`,
    );
  return { frames, width, columns, quaternionAt, jointNames, leftOut: withObject && !jointNames ? OBJECT : null };
}

/** @throws bad_input for a file of several clips */
function refuseSeveral(splits: NpzHead | undefined): void {
  const clips = (splits?.count ?? 0) - 1;
  if (clips > 1) throw badInput(`the file contains ${clips} clips ("split_points"). Write one file per clip.`);
}

/** Returns true if the last 7 numbers of a frame are the pose of an object. Decides by the number of joint names.
 *  Without names, decides by whether the 7 numbers contain a unit quaternion. */
function hasObject(width: number, jointNames: readonly string[] | null, isUnit: (at: number) => boolean): boolean {
  if (jointNames) return jointNames.length === width - 2 * POSE;
  return width - 2 * POSE > 0 && QUATERNION_AT.some((at) => isUnit(width - POSE + at));
}

/** Returns a function that tests the first frames of the array: true if the four numbers from column `at` on have
 *  length 1. The frames are those that the head of the array holds. */
function unitIn(head: NpzHead, width: number, numbers: Float64Array | null): (at: number) => boolean {
  const { dataStart, itemBytes, bytes, shape } = head;
  const frames = Math.min(shape[0]!, Math.floor((bytes.length - dataStart) / (width * itemBytes)));
  const rows = numbers?.subarray(0, frames * width) ?? headNumbers(head, frames * width);
  if (rows === null || rows.length === 0) return () => false;
  return (at) => {
    for (let k = at; k < rows.length; k += width)
      if (!(Math.abs(Math.hypot(rows[k]!, rows[k + 1]!, rows[k + 2]!, rows[k + 3]!) - 1) <= UNIT)) return false;
    return true;
  };
}

/** Returns the first numbers of an array in C order; null for texts. */
function headNumbers(head: NpzHead, count: number): Float64Array | null {
  const { dataStart, itemBytes, bytes } = head;
  const sample = readElements(
    { ...head, shape: [count], count },
    bytes.subarray(dataStart, dataStart + count * itemBytes),
  );
  return sample.dtype === 'U' ? null : toDoubles(sample);
}

interface Rate {
  readonly fps: number | null;
  /** true if the file stores the time between frames instead of the rate */
  readonly isPeriod: boolean;
}

function readFps(array: NpyArray | undefined): Rate {
  if (!array) return { fps: null, isPeriod: false };
  const value = array.data.length === 1 ? Number(array.data[0]) : Number.NaN;
  if (!(value > 0 && value < 1)) return { fps: checkFps(value), isPeriod: false };
  const rate = 1 / value;
  // Round: the period 1/30 in float32 gives 29.99999933.
  return { fps: checkFps(Math.abs(rate - Math.round(rate)) < 1e-3 ? Math.round(rate) : rate), isPeriod: true };
}

function jointsIn(names: NpyArray | undefined): readonly string[] | null {
  return names?.dtype === 'U' ? columnJoints(names.data) : null;
}

function assumedWith({ fps, isPeriod }: Rate, { quaternionAt, leftOut, width }: QposLayout): readonly Assumption[] {
  const order = `robot, last ${POSE} of ${width} columns left out as ${OBJECT.as}`;
  return [
    { what: 'quaternion', value: 'wxyz', from: quaternionAt === 3 ? 'format' : 'guess' },
    { what: 'units', value: 'm', from: 'format' },
    ...(leftOut ? [{ what: 'joint_order', value: order, from: 'guess' } as const] : []),
    ...(fps === null ? [] : [{ what: 'fps', value: fps, from: isPeriod ? 'guess' : 'file' } as const]),
  ];
}
