import { badInput } from '../../core/errors.ts';
import { HUMAN_REMEDY } from '../../protocol/clip-endings.ts';
import { toDoubles } from '../array/array-elements.ts';
import type { ClipFormat } from '../clip-format.ts';
import { kindOf, PickleGlobal, type PickleValue } from '../pickle/pickle-values.ts';
import { PickledArray } from '../pickle/pickled-array.ts';
import { ROOT_COLUMNS } from '../raw-clip.ts';
import type { TorchFile, TorchKind } from '../torch/read-torch.ts';
import { TorchTensor } from '../torch/tensor.ts';
import { TORCH_DIALECT } from '../torch/torch-dialect.ts';
import { assumedWith, pickledFps } from './pickled-clip.ts';

const KEYS = ['dof_pos', 'rigid_body_pos', 'rigid_body_rot'] as const;
/** Key of the orientations of joints with three degrees of freedom, which occur only in human skeletons. */
const BALL_JOINTS = 'local_rigid_body_rot';

/** The class `StateConversion('common')`. It states whether joints and bodies are in the order of the robot's model or
 *  in the order of a simulator. */
const STATE_CONVERSION = new PickleGlobal('StateConversion', ([order]) => {
  if (typeof order !== 'string') throw badInput('"state_conversion" does not contain a text: the file is damaged');
  return order;
});

/** Describes files that ProtoMotions saves with `torch.save`. Besides values, their pickle may refer to the class
 *  `StateConversion` of ProtoMotions. */
export const MOTION_FILE: TorchKind = {
  what: 'a clip of ProtoMotions',
  dialect: {
    ...TORCH_DIALECT,
    find: (module, name) =>
      name === 'StateConversion' && module.startsWith('protomotions.')
        ? STATE_CONVERSION
        : TORCH_DIALECT.find(module, name),
  },
};

/** Format of ProtoMotions clips: `torch.save` of a dict of `fps`, `dof_pos` (frames, joints) rad, `rigid_body_pos`
 *  (frames, bodies, 3) m and `rigid_body_rot` (frames, bodies, 4) xyzw. Body 0 is the root. Joints are in MuJoCo's
 *  order. */
export const PROTO_MOTION: ClipFormat<TorchFile> = {
  id: 'proto-motion',
  title: 'ProtoMotions motion',
  sniff: ({ value }) => value instanceof Map && KEYS.every((key) => value.has(key)),
  facts(file) {
    const { frames, joints, fps } = motionOf(file);
    return { frames, columns: ROOT_COLUMNS + joints, fps, assumed: assumedWith(fps) };
  },
  read(file) {
    const { frames, joints, fps, dict } = motionOf(file);
    const columns = ROOT_COLUMNS + joints;
    const rows = new Float64Array(frames * columns);
    const put = (key: string, first: number, width: number) => {
      const { data, stride } = firstOf(file, dict.get(key)!, width);
      for (let frame = 0; frame < frames; frame += 1)
        for (let k = 0; k < width; k += 1) rows[frame * columns + first + k] = data[frame * stride + k]!;
    };
    put('rigid_body_pos', 0, 3);
    put('rigid_body_rot', 3, 4);
    put('dof_pos', ROOT_COLUMNS, joints);
    return { rows, frames, columns, fps, jointNames: null, assumed: assumedWith(fps) };
  },
};

/** Checks the dict of a clip and its shapes. @throws bad_input naming the key and its problem */
function motionOf(file: TorchFile) {
  const { value } = file;
  if (!(value instanceof Map))
    throw badInput(`the file contains ${kindOf(value)}, expected a dict of ${KEYS.join(', ')}`);
  const missing = KEYS.find((key) => !value.has(key));
  if (missing !== undefined) throw badInput(`not a clip of ProtoMotions: the key "${missing}" is missing`);
  if ((value.get(BALL_JOINTS) ?? null) !== null)
    throw badInput(`the file contains the motion of a human skeleton with ball joints; ${HUMAN_REMEDY}`);
  const order = value.get('state_conversion') ?? 'common';
  if (order !== 'common')
    throw badInput(
      'the clip is in the joint order of a simulator. Call RobotState.convert_to_common before saving it.',
    );
  const [frames, joints] = shapeOf(value, 'dof_pos', [null, null]);
  for (const [key, width] of [
    ['rigid_body_pos', 3],
    ['rigid_body_rot', 4],
  ] as const) {
    const [found, bodies] = shapeOf(value, key, [null, null, width]);
    if (found !== frames) throw badInput(`"${key}" has ${found} frames, but "dof_pos" has ${frames}`);
    if (bodies === 0) throw badInput(`"${key}" has no bodies`);
  }
  if (frames === 0) throw badInput('the clip has no frames');
  if (joints === 0) throw badInput('"dof_pos" has no joints');
  return { dict: value, frames, joints, fps: fpsOf(file, value.get('fps') ?? null) };
}

/** Reads the frame rate. @param fps a number, or a tensor or an array with one number */
function fpsOf(file: TorchFile, fps: PickleValue): number | null {
  if (fps === null) return null;
  return pickledFps(fps instanceof TorchTensor && fps.elements === 1 ? file.values(fps)[0]! : fps);
}

/** Checks the shape of an array or tensor.
 *  @param sizes expected sizes; null accepts any size  @returns the first two sizes */
function shapeOf(
  dict: ReadonlyMap<PickleValue, PickleValue>,
  key: string,
  sizes: readonly (number | null)[],
): readonly [frames: number, second: number] {
  const value = dict.get(key) ?? null;
  if (!(value instanceof TorchTensor || value instanceof PickledArray))
    throw badInput(`"${key}" is ${kindOf(value)}, expected a tensor`);
  const { shape } = value;
  if (shape.length !== sizes.length || sizes.some((size, axis) => size !== null && size !== shape[axis]))
    throw badInput(
      `"${key}" has the shape (${shape.join(', ')}), expected (frames, ${sizes.length === 2 ? 'joints' : `bodies, ${sizes[2]}`})`,
    );
  return [shape[0]!, shape[1]!];
}

/** Reads the first `width` numbers of each frame. From a tensor, only these numbers are read.
 *  @returns the numbers, and the stride: the number of values from one frame to the next */
function firstOf(file: TorchFile, value: PickleValue, width: number) {
  if (value instanceof PickledArray) {
    const elements = value.elements();
    if (elements.dtype === 'U') throw badInput('the file contains texts instead of numbers');
    const stride = value.shape.slice(1).reduce((product, size) => product * size, 1);
    return { data: toDoubles(elements), stride };
  }
  const { storage, offset, shape, strides } = value as TorchTensor;
  const view = new TorchTensor(storage, offset, [shape[0]!, width], [strides[0]!, strides.at(-1)!]);
  return { data: file.values(view), stride: width };
}
