import { expect, test } from 'vitest';
import { QPOS_NPZ } from '../../../src/formats/clips/qpos-npz.ts';
import type { NpyArray } from '../../../src/formats/npy.ts';
import { writeNpz } from '../../../src/formats/npz.ts';
import { openNpzClip } from '../../../src/formats/npz-clip.ts';

const open = (bytes: Uint8Array) => openNpzClip(bytes, [QPOS_NPZ]);
const factsOf = async (bytes: Uint8Array) => QPOS_NPZ.facts(await open(bytes));
const clipOf = async (bytes: Uint8Array) => QPOS_NPZ.read(await open(bytes));

const qpos: NpyArray = {
  dtype: 'f8',
  shape: [2, 9],
  // position xyz, quaternion wxyz, two joints
  data: Float64Array.of(1, 2, 3, 0.9, 0.1, 0.2, 0.3, 10, 11, 4, 5, 6, 0.8, 0.4, 0.5, 0.6, 12, 13),
};
const fps: NpyArray = { dtype: 'i8', shape: [], data: BigInt64Array.of(60n) };
const names: NpyArray = { dtype: 'U', shape: [3], data: ['root_joint', 'hip', 'knee'] };
const file = (arrays: Record<string, NpyArray>) => writeNpz(Object.entries(arrays));

test('a file of qpos is a clip with its quaternion turned to xyzw', async () => {
  const bytes = file({ qpos, fps, joint_names: names });
  expect(await clipOf(bytes)).toEqual({
    rows: Float64Array.of(1, 2, 3, 0.1, 0.2, 0.3, 0.9, 10, 11, 4, 5, 6, 0.4, 0.5, 0.6, 0.8, 12, 13),
    frames: 2,
    columns: 9,
    fps: 60,
    jointNames: ['hip', 'knee'],
    assumed: [
      { what: 'quaternion', value: 'wxyz', from: 'format' },
      { what: 'units', value: 'm', from: 'format' },
      { what: 'fps', value: 60, from: 'file' },
    ],
  });
  expect(await factsOf(bytes)).toMatchObject({ frames: 2, columns: 9, fps: 60 });
  expect((qpos.data as Float64Array)[3]).toBe(0.9);
});

test('without frame rate and names it says none', async () => {
  expect(await clipOf(file({ qpos }))).toMatchObject({ frames: 2, fps: null, jointNames: null });
  expect(await factsOf(file({ qpos }))).toMatchObject({ fps: null });
});

test.each<[string, Record<string, NpyArray>, string]>([
  [
    'no joints',
    { qpos: { dtype: 'f4', shape: [1, 7], data: new Float32Array(7) } },
    '"qpos" has the shape (1, 7), expected (frames, 7 + joints)',
  ],
  ['one row', { qpos: { dtype: 'f4', shape: [9], data: new Float32Array(9) } }, '"qpos" has the shape (9), expected'],
  ['no frames', { qpos: { dtype: 'f4', shape: [0, 9], data: new Float32Array(0) } }, 'the clip has no frames'],
  ['a frame rate of zero', { qpos, fps: { dtype: 'f4', shape: [], data: Float32Array.of(0) } }, '"fps" must hold one'],
])('%s is refused by its facts too', async (_, arrays, message) => {
  await expect(clipOf(file(arrays))).rejects.toThrow(message);
  await expect(factsOf(file(arrays))).rejects.toThrow(message);
});

test('names of other joints are refused', async () => {
  const bytes = file({ qpos, joint_names: { dtype: 'U', shape: [1], data: ['hip'] } });
  await expect(clipOf(bytes)).rejects.toThrow('"joint_names" names 1 joints, "qpos" has 2');
});
