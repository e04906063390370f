import { badInput } from '../core/errors.ts';
import { toSingles } from './array/array-elements.ts';
import { checkFps } from './clips/frame-rate.ts';
import { columnJoints } from './clips/joint-names.ts';
import { checkNpySize, type NpyArray, parseNpy } from './npy.ts';
import { inArray, type NpzHead, readNpz, readNpzHeads } from './npz.ts';
import type { NpzClipFormat } from './npz-clip.ts';
import { type RawClip, ROOT_COLUMNS } from './raw-clip.ts';

const VECTOR = 3;
const QUATERNION = 4;

/** A converted clip for training: float32 at `fps` frames per second, in the world frame. Velocities are those of
 *  the body origins. */
export interface MotionNpz {
  readonly fps: number;
  readonly frames: number;
  readonly joints: number;
  /** number of bodies without the world; body 0 is the root */
  readonly bodies: number;
  /** (frames, joints) rad or m */
  readonly jointPos: Float32Array;
  /** (frames, joints) rad/s or m/s */
  readonly jointVel: Float32Array;
  /** (frames, bodies, 3) m */
  readonly bodyPosW: Float32Array;
  /** (frames, bodies, 4) wxyz */
  readonly bodyQuatW: Float32Array;
  /** (frames, bodies, 3) m/s */
  readonly bodyLinVelW: Float32Array;
  /** (frames, bodies, 3) rad/s */
  readonly bodyAngVelW: Float32Array;
  /** names in the order of the file's joints; null if the file does not contain names */
  readonly jointNames: readonly string[] | null;
  readonly robot: string | null;
  /** one sentence per skipped array, with the reason */
  readonly warnings: readonly string[];
}

const POSE_KEYS = ['fps', 'joint_pos', 'body_pos_w', 'body_quat_w'] as const;
const TEXT_KEYS = ['joint_names', 'robot'] as const;
const VELOCITY_KEYS = ['joint_vel', 'body_lin_vel_w', 'body_ang_vel_w'] as const;

/** Name of the array that stores the length of each clip of a bundle. */
const SEGMENTS_KEY = 'segment_length';

/** Reads a converted clip. It contains `fps joint_pos joint_vel body_pos_w body_quat_w body_lin_vel_w
 *  body_ang_vel_w`, and `joint_names` and `robot` as text, pickled or not. Numbers of any type are converted to
 *  float32 and need not be finite.
 *  @throws bad_input naming the array that is missing or has a wrong shape */
export async function readMotionNpz(source: string | Uint8Array): Promise<MotionNpz> {
  const npz = await readNpz(source, new Set([...POSE_KEYS, ...VELOCITY_KEYS, ...TEXT_KEYS]));
  const pose = readPose(npz.arrays);
  const { frames, joints, bodies } = pose;
  return {
    ...pose,
    jointVel: floats(npz.arrays, 'joint_vel', [frames, joints]),
    bodyLinVelW: floats(npz.arrays, 'body_lin_vel_w', [frames, bodies, VECTOR]),
    bodyAngVelW: floats(npz.arrays, 'body_ang_vel_w', [frames, bodies, VECTOR]),
    robot: texts(npz.arrays.get('robot'))?.[0] ?? null,
    warnings: npz.warnings,
  };
}

/** Format of a converted clip that is used as a source: only the pose of body 0 and the joints are read. */
export const MOTION_NPZ: NpzClipFormat = {
  id: 'motion-npz',
  title: 'NPZ of a converted clip',
  arrays: [...POSE_KEYS, ...VELOCITY_KEYS, SEGMENTS_KEY],
  sniff: ({ heads }) => POSE_KEYS.every((key) => heads.has(key)),
  facts({ heads }) {
    const { frames, joints, fps, segments } = factsOf(heads);
    return {
      frames,
      columns: ROOT_COLUMNS + joints,
      fps,
      segments,
      assumed: [{ what: 'fps', value: fps, from: 'file' }],
    };
  },
  async read({ path }) {
    const { arrays } = await readNpz(path, new Set([...POSE_KEYS, 'joint_names']));
    const clip = toRawClip(readPose(arrays));
    return { ...clip, assumed: [{ what: 'fps', value: clip.fps!, from: 'file' }] };
  },
};

type Pose = Pick<
  MotionNpz,
  'fps' | 'frames' | 'joints' | 'bodies' | 'jointPos' | 'bodyPosW' | 'bodyQuatW' | 'jointNames'
>;

/** Converts a clip to the layout of source files: pose of body 0 with quaternion xyzw, then the joints. */
export function toRawClip(motion: Pose): RawClip {
  const { frames, joints, bodies, jointPos, bodyPosW, bodyQuatW } = motion;
  const columns = ROOT_COLUMNS + joints;
  const rows = new Float64Array(frames * columns);
  for (let frame = 0; frame < frames; frame += 1) {
    const row = frame * columns;
    const position = frame * bodies * VECTOR;
    const quaternion = frame * bodies * QUATERNION;
    for (let k = 0; k < VECTOR; k += 1) rows[row + k] = bodyPosW[position + k]!;
    for (let k = 0; k < QUATERNION; k += 1) rows[row + 3 + k] = bodyQuatW[quaternion + ((k + 1) % QUATERNION)]!;
    for (let k = 0; k < joints; k += 1) rows[row + ROOT_COLUMNS + k] = jointPos[frame * joints + k]!;
  }
  return { rows, frames, columns, fps: motion.fps, jointNames: motion.jointNames };
}

/** Facts of a converted clip for listings. */
export interface MotionFacts {
  readonly frames: number;
  readonly fps: number;
  readonly joints: number;
  readonly bodies: number;
  /** number of clips in a bundle; 0 in a file with one clip */
  readonly segments: number;
}

/** Reads only the array headers of a converted clip.
 *  @throws bad_input naming an array that is missing or has the wrong shape */
export async function motionFacts(source: string | Uint8Array): Promise<MotionFacts> {
  return factsOf(await readNpzHeads(source, new Set([...POSE_KEYS, ...VELOCITY_KEYS, SEGMENTS_KEY])));
}

function factsOf(heads: ReadonlyMap<string, NpzHead>): MotionFacts {
  const head = (name: string, shape: readonly (number | null)[]): NpzHead => {
    const found = heads.get(name);
    if (!found) throw missing(name);
    inArray(name, () => checkNpySize(found, found.size));
    checkShape(name, found.shape, shape);
    return found;
  };
  const [frames, joints] = head('joint_pos', [null, null]).shape as [number, number];
  const [, bodies] = head('body_pos_w', [frames, null, VECTOR]).shape as [number, number];
  head('body_quat_w', [frames, bodies, QUATERNION]);
  checkCounts(frames, joints, bodies);
  // Velocities may be missing, because the preview does not need them. If velocities have a wrong shape, the file is
  // damaged.
  if (heads.has('joint_vel')) head('joint_vel', [frames, joints]);
  for (const name of ['body_lin_vel_w', 'body_ang_vel_w']) if (heads.has(name)) head(name, [frames, bodies, VECTOR]);
  const fps = heads.get('fps');
  const segments = heads.get(SEGMENTS_KEY)?.count ?? 0;
  return { frames, joints, bodies, fps: readFps(fps && parseNpy(fps.bytes)), segments };
}

function readPose(arrays: ReadonlyMap<string, NpyArray>): Pose {
  const [frames, joints] = shapeOf(arrays, 'joint_pos', 2) as [number, number];
  const [, bodies] = shapeOf(arrays, 'body_pos_w', 3) as [number, number];
  checkCounts(frames, joints, bodies);
  const names = texts(arrays.get('joint_names'));
  const jointNames = names && columnJoints(names);
  if (jointNames && jointNames.length !== joints)
    throw badInput(`"joint_names" has ${jointNames.length} names, but "joint_pos" has ${joints} joints`);
  return {
    fps: readFps(arrays.get('fps')),
    frames,
    joints,
    bodies,
    jointPos: floats(arrays, 'joint_pos', [frames, joints]),
    bodyPosW: floats(arrays, 'body_pos_w', [frames, bodies, VECTOR]),
    bodyQuatW: floats(arrays, 'body_quat_w', [frames, bodies, QUATERNION]),
    jointNames,
  };
}

function checkCounts(frames: number, joints: number, bodies: number): void {
  if (frames === 0) throw badInput('the clip has no frames');
  if (joints === 0 || bodies === 0) throw badInput('the clip has no joints or no bodies');
}

function readFps(array: NpyArray | undefined): number {
  if (!array) throw missing('fps');
  return checkFps(array.data.length === 1 ? Number(array.data[0]) : Number.NaN);
}

function shapeOf(arrays: ReadonlyMap<string, NpyArray>, name: string, dimensions: number): readonly number[] {
  const array = arrays.get(name);
  if (!array) throw missing(name);
  checkShape(name, array.shape, new Array<null>(dimensions).fill(null));
  return array.shape;
}

function floats(arrays: ReadonlyMap<string, NpyArray>, name: string, shape: readonly number[]): Float32Array {
  const array = arrays.get(name);
  if (!array) throw missing(name);
  checkShape(name, array.shape, shape);
  if (array.dtype === 'U') throw badInput(`"${name}" contains texts instead of numbers`);
  return toSingles(array);
}

/** Checks the shape of an array; null in `expected` matches any size. @throws bad_input if the shape differs */
export function checkShape(name: string, shape: readonly number[], expected: readonly (number | null)[]): void {
  if (shape.length === expected.length && expected.every((size, axis) => size === null || size === shape[axis])) return;
  throw badInput(
    `"${name}" has the shape (${shape.join(', ')}), expected (${expected.map((size) => size ?? 'any').join(', ')})`,
  );
}

function texts(array: NpyArray | undefined): readonly string[] | null {
  return array?.dtype === 'U' ? array.data : null;
}

function missing(name: string): Error {
  if (name === 'fps')
    return badInput(
      'not a converted clip: the array "fps" is missing. Add the frames per second to the file: np.savez(…, fps=[50]).',
    );
  return badInput(
    `not a converted clip: the array "${name}" is missing; upload a raw clip, or an npz with "qpos" or with joint_pos, body_pos_w and body_quat_w`,
  );
}
