import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clipFileType, isNpzSource } from '../../../src/formats/clip-registry.ts';
import { HOLOSOMA_NPZ, QPOS_NPZ } from '../../../src/formats/clips/qpos-npz.ts';
import { formatNpy, type NpyArray } from '../../../src/formats/npy.ts';
import { writeNpz } from '../../../src/formats/npz.ts';
import { openNpzClip } from '../../../src/formats/npz-clip.ts';
import { writeZip } from '../../../src/formats/zip-write.ts';

const open = (bytes: Uint8Array) => openNpzClip(bytes, [QPOS_NPZ, HOLOSOMA_NPZ]);
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

test('a qpos file is a clip, with its quaternion reordered to xyzw', async () => {
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

test('a qpos file without frame rate and names has neither', async () => {
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
  [
    'a frame rate of zero',
    { qpos, fps: { dtype: 'f4', shape: [], data: Float32Array.of(0) } },
    '"fps" must be a single',
  ],
])('%s is refused even if only its properties are read', async (_, arrays, message) => {
  await expect(clipOf(file(arrays))).rejects.toThrow(message);
  await expect(factsOf(file(arrays))).rejects.toThrow(message);
});

test('a listing states the joint names of a long list, too', async () => {
  const many = Array.from({ length: 200 }, (_, k) => `joint_number_${k}`);
  const wide: NpyArray = { dtype: 'f8', shape: [1, 207], data: new Float64Array(207) };
  const bytes = file({ qpos: wide, joint_names: { dtype: 'U', shape: [200], data: many } });
  expect((await clipOf(bytes)).jointNames).toEqual(many);
  expect((await factsOf(bytes)).jointNames).toEqual(many);
});

test('a qpos file with other joint names is refused', async () => {
  const bytes = file({ qpos, joint_names: { dtype: 'U', shape: [1], data: ['hip'] } });
  await expect(clipOf(bytes)).rejects.toThrow('"joint_names" has 1 names, but "qpos" has 2');
});

test('a file of LocoMuJoCo is read: all joints are named, and the rate is a frequency', async () => {
  const all: NpyArray = { dtype: 'U', shape: [3], data: ['root', 'hip', 'knee'] };
  const arrays = { qpos, joint_names: all, frequency: fps };
  const several: NpyArray = { dtype: 'i8', shape: [3], data: BigInt64Array.of(0n, 1n, 2n) };
  const single: NpyArray = { dtype: 'i8', shape: [2], data: BigInt64Array.of(0n, 2n) };
  for (const read of [clipOf, factsOf]) {
    expect(await read(file({ ...arrays, split_points: single }))).toMatchObject({
      columns: 9,
      fps: 60,
      jointNames: ['hip', 'knee'],
    });
    await expect(read(file({ ...arrays, split_points: several }))).rejects.toThrow(
      'the file contains 2 clips ("split_points"). Write one file per clip.',
    );
  }
});

/** Returns `frames` frames in which position and quaternion change. Joint values differ clearly from a unit
 *  quaternion. */
function motion(frames: number, order: readonly ('p' | 'q' | 'j' | 'object p' | 'object q')[]): NpyArray {
  const rows = Array.from({ length: frames }, (_, k) =>
    order.flatMap((part) => {
      const half = 0.3 * Math.sin(k / 5);
      if (part.endsWith('q')) return [Math.cos(half), 0, 0, Math.sin(half)];
      if (part.endsWith('p')) return [k / 100, 2, 0.8];
      return [0.1 * k, 0.2, -0.4, 0.05, 0.6];
    }),
  );
  return { dtype: 'f8', shape: [frames, rows[0]!.length], data: Float64Array.from(rows.flat()) };
}

/** Returns an NPZ whose `qpos` is stored column by column. */
function inFortranOrder({ shape, data }: NpyArray): Uint8Array {
  const [frames, width] = shape as [number, number];
  const columns = Float64Array.from(data as Float64Array, (_, k) =>
    Number(data[(k % frames) * width + Math.floor(k / frames)]),
  );
  const npy = formatNpy({ dtype: 'f8', shape, data: columns });
  npy.set(new TextEncoder().encode('True '), Buffer.from(npy).indexOf('False'));
  return writeZip(new Map([['qpos.npy', npy]]));
}

const root = (k: number) => [k / 100, 2, 0.8, 0, 0, Math.sin(0.3 * Math.sin(k / 5)), Math.cos(0.3 * Math.sin(k / 5))];

describe('a retargeted clip', () => {
  test.each([
    ['as MuJoCo has it', ['p', 'q', 'j'], 'format'],
    ['with the pose of an object at the end, which is left out', ['p', 'q', 'j', 'object p', 'object q'], 'format'],
    ['with the quaternion first', ['q', 'p', 'j'], 'guess'],
    ['with the quaternion first, of an object too', ['q', 'p', 'j', 'object q', 'object p'], 'guess'],
  ] as const)('a retargeted clip %s is read the same', async (_, order, from) => {
    const bytes = file({ qpos: motion(20, order), fps });
    const clip = await clipOf(bytes);
    expect(clip).toMatchObject({ frames: 20, columns: 12, fps: 60 });
    for (const k of [0, 7]) {
      const expected = [...root(k), 0.1 * k, 0.2, -0.4, 0.05, 0.6];
      expect([...clip.rows.subarray(12 * k, 12 * k + 12)]).toEqual(expected);
    }
    expect(clip.assumed[0]).toEqual({ what: 'quaternion', value: 'wxyz', from });
    expect(await factsOf(bytes)).toMatchObject({ frames: 20, columns: 12, assumed: clip.assumed });
  });

  test.each([['q', 'p', 'j'] as const, ['p', 'q', 'j', 'object p', 'object q'] as const])(
    'a retargeted clip in Fortran order, as numpy stores a transposed array, is read the same: %s %s %s',
    async (...order) => {
      const bytes = inFortranOrder(motion(200, order));
      const clip = await clipOf(bytes);
      expect([...clip.rows.subarray(12 * 7, 12 * 8)]).toEqual([...root(7), 0.1 * 7, 0.2, -0.4, 0.05, 0.6]);
      const { rows: _rows, ...facts } = clip;
      expect(await factsOf(bytes)).toEqual(facts);
    },
  );

  test.each([
    [30, 30, 'file'],
    [0.02, 50, 'guess'],
    [Math.fround(1 / 30), 30, 'guess'],
    [0.4, 2.5, 'guess'],
  ] as const)('a retargeted clip whose "fps" is %d has %d frames per second', async (value, rate, from) => {
    const bytes = file({ qpos, fps: { dtype: 'f8', shape: [1], data: Float64Array.of(value) } });
    const clip = await clipOf(bytes);
    expect(clip.fps).toBe(rate);
    expect(clip.assumed.at(-1)).toEqual({ what: 'fps', value: rate, from });
    expect((await factsOf(bytes)).assumed).toEqual(clip.assumed);
  });

  test('the number of columns shows whether a retargeted clip with joint names has an object in qpos', async () => {
    const joint_names: NpyArray = { dtype: 'U', shape: [5], data: ['a', 'b', 'c', 'd', 'e'] };
    const bytes = file({ qpos: motion(3, ['p', 'q', 'j', 'object p', 'object p']), joint_names });
    await expect(clipOf(bytes)).rejects.toThrow('"joint_names" has 5 names, but "qpos" has 11');
    const clip = await clipOf(file({ qpos: motion(3, ['p', 'q', 'j', 'object p', 'object q']), joint_names }));
    expect(clip).toMatchObject({ columns: 12, jointNames: ['a', 'b', 'c', 'd', 'e'] });
    expect(clip.leftOut).toBeUndefined();
  });

  test('a retargeted clip without joint names states that an object was left out', async () => {
    const bytes = file({ qpos: motion(20, ['p', 'q', 'j', 'object p', 'object q']), fps });
    const clip = await clipOf(bytes);
    expect(clip.leftOut).toEqual({ columns: 7, as: 'the pose of an object' });
    expect(clip.assumed[2]).toEqual({
      ...{ what: 'joint_order', from: 'guess' },
      value: 'robot, last 7 of 19 columns left out as the pose of an object',
    });
    expect(await factsOf(bytes)).toMatchObject({ leftOut: clip.leftOut, assumed: clip.assumed });
    expect((await clipOf(file({ qpos: motion(20, ['p', 'q', 'j']), fps }))).leftOut).toBeUndefined();
  });
});

describe('a holosoma clip', () => {
  const zeros = (...shape: number[]): NpyArray => ({
    ...{ dtype: 'f8', shape },
    data: new Float64Array(shape.reduce((product, size) => product * size, 1)),
  });
  const holosoma = (velocities: number) =>
    file({
      fps: { dtype: 'i8', shape: [1], data: BigInt64Array.of(50n) },
      joint_pos: motion(20, ['p', 'q', 'j']),
      joint_vel: zeros(20, velocities),
      body_pos_w: zeros(20, 3, 3),
      body_quat_w: zeros(20, 3, 4),
      joint_names: { dtype: 'U', shape: [5], data: ['a', 'b', 'c', 'd', 'e'] },
    });

  test('a holosoma clip has its root in joint_pos; body 0 is the world', async () => {
    const npz = await open(holosoma(11));
    expect(HOLOSOMA_NPZ.sniff(npz)).toBe(true);
    const clip = await HOLOSOMA_NPZ.read(npz);
    expect(clip).toMatchObject({ frames: 20, columns: 12, fps: 50, jointNames: ['a', 'b', 'c', 'd', 'e'] });
    expect([...clip.rows.subarray(84, 91)]).toEqual(root(7));
    const { rows: _, ...facts } = clip;
    expect(await HOLOSOMA_NPZ.facts(npz)).toEqual(facts);
  });

  test('a holosoma clip is not mistaken for a converted clip, which has as many joint positions as velocities', async () => {
    expect(HOLOSOMA_NPZ.sniff(await open(holosoma(12)))).toBe(false);
  });

  test('a holosoma clip is a source, also on disk; a converted clip is not', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holosoma-'));
    try {
      const [own, converted, qposFile] = ['own', 'converted', 'qpos'].map((name) => path.join(folder, `${name}.npz`));
      writeFileSync(own!, holosoma(11));
      writeFileSync(converted!, holosoma(12));
      writeFileSync(qposFile!, file({ qpos }));
      expect(await Promise.all([own!, converted!, qposFile!].map(isNpzSource))).toEqual([true, false, true]);
      const contents: number[] = [];
      const clip = await clipFileType('npz-source').read(own!, { fps: 25 }, (bytes) => contents.push(bytes.length));
      expect([clip.fps, clip.columns, contents]).toEqual([25, 12, [holosoma(11).length]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
