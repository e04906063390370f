import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { StudioError } from '../../src/core/errors.ts';
import { parseClipCsv } from '../../src/formats/csv.ts';
import { MOTION_NPZ, motionFacts, readMotionNpz, toRawClip } from '../../src/formats/motion-npz.ts';
import type { NpyArray } from '../../src/formats/npy.ts';
import { readNpz, readNpzHeads, writeNpz } from '../../src/formats/npz.ts';
import { g1Spec, hasKit, KIT } from '../support/kit.ts';
import { PYTHONS, runPython } from '../support/python.ts';

/** Reads the clip as a raw source. Drops the assumptions of the reader. */
async function readNpzClip(path: Uint8Array) {
  const { assumed, ...clip } = await MOTION_NPZ.read({ path, heads: new Map() });
  expect(assumed).toEqual([{ what: 'fps', value: clip.fps, from: 'file' }]);
  return clip;
}

const folder = mkdtempSync(path.join(tmpdir(), 'npz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const f4 = (shape: readonly number[], data: readonly number[]): NpyArray => ({
  dtype: 'f4',
  shape,
  data: Float32Array.from(data),
});
const count = (...sizes: number[]) => Array.from({ length: sizes.reduce((a, b) => a * b, 1) }, (_, index) => index);

/** Returns two frames of a robot with three joints and two bodies. All numbers differ. */
function motion(changes: Record<string, NpyArray | null> = {}): Uint8Array {
  const arrays: Record<string, NpyArray | null> = {
    fps: f4([1], [50]),
    joint_names: { dtype: 'U', shape: [3], data: ['hip', 'knee', 'ankle'] },
    robot: { dtype: 'U', shape: [], data: ['biped'] },
    joint_pos: f4([2, 3], count(2, 3)),
    joint_vel: f4([2, 3], count(2, 3)),
    body_pos_w: f4([2, 2, 3], count(2, 2, 3)),
    body_quat_w: f4([2, 2, 4], count(2, 2, 4)),
    body_lin_vel_w: f4([2, 2, 3], count(2, 2, 3)),
    body_ang_vel_w: f4([2, 2, 3], count(2, 2, 3)),
    ...changes,
  };
  return writeNpz(Object.entries(arrays).filter((entry): entry is [string, NpyArray] => entry[1] !== null));
}

test('a converted clip is read with its names; its source view has body 0 first and w last', async () => {
  const clip = await readMotionNpz(motion());
  expect(clip).toMatchObject({ fps: 50, frames: 2, joints: 3, bodies: 2, robot: 'biped', warnings: [] });
  expect(clip.jointNames).toEqual(['hip', 'knee', 'ankle']);
  const raw = toRawClip(clip);
  expect(raw).toMatchObject({ frames: 2, columns: 10, fps: 50, jointNames: ['hip', 'knee', 'ankle'] });
  // body_quat_w of frame 0 is wxyz = 0 1 2 3, of frame 1 (after two bodies) 8 9 10 11
  expect([...raw.rows]).toEqual([0, 1, 2, 1, 2, 3, 0, 0, 1, 2, 6, 7, 8, 9, 10, 11, 8, 3, 4, 5]);
  expect(await readNpzClip(motion())).toEqual(raw);
});

test('float64, a scalar fps and missing names are accepted; a preview needs no velocities', async () => {
  const bytes = motion({
    fps: { dtype: 'f8', shape: [], data: Float64Array.of(30) },
    joint_pos: { dtype: 'f8', shape: [2, 3], data: Float64Array.from(count(2, 3)) },
    joint_names: null,
    robot: null,
    joint_vel: null,
  });
  expect(await readNpzClip(bytes)).toMatchObject({ fps: 30, jointNames: null });
  await expect(readMotionNpz(bytes)).rejects.toThrow('not a converted clip: the array "joint_vel" is missing');
});

test('integers of any size become float32', async () => {
  const small = Int8Array.of(-1, 2, 3, 4, 5, -128);
  for (const joint_pos of [
    { dtype: 'i1' as const, shape: [2, 3], data: small },
    { dtype: 'i2' as const, shape: [2, 3], data: Int16Array.from(small) },
    { dtype: 'i8' as const, shape: [2, 3], data: BigInt64Array.from(small, BigInt) },
  ])
    expect((await readMotionNpz(motion({ joint_pos }))).jointPos).toEqual(Float32Array.from(small));
  const flags = { dtype: 'b1' as const, shape: [2, 3], data: Uint8Array.of(0, 1, 0, 1, 0, 1) };
  expect((await readMotionNpz(motion({ joint_pos: flags }))).jointPos).toEqual(Float32Array.of(0, 1, 0, 1, 0, 1));
});

test('joint names have no prefix and omit the floating base', async () => {
  const joint_names: NpyArray = {
    dtype: 'U',
    shape: [4],
    data: ['freejoint', 'robot/hip', 'robot/knee', 'robot/ankle'],
  };
  expect((await readMotionNpz(motion({ joint_names }))).jointNames).toEqual(['hip', 'knee', 'ankle']);
});

test('velocities of another length are reported as damage when only the properties are read', async () => {
  const bytes = motion({ joint_vel: f4([1, 3], count(3)) });
  await expect(motionFacts(bytes)).rejects.toThrow('"joint_vel" has the shape (1, 3), expected (2, 3)');
});

describe('refused by both full reading and facts', () => {
  test.each<[string, Record<string, NpyArray | null>, string]>([
    ['no joints array', { joint_pos: null }, 'the array "joint_pos" is missing'],
    ['no frame rate', { fps: null }, 'the array "fps" is missing'],
    ['a frame rate of zero', { fps: f4([1], [0]) }, '"fps" must be a single number from'],
    ['a frame rate that is not a number', { fps: f4([1], [Number.NaN]) }, '"fps" must be a single number from'],
    ['other frames', { body_pos_w: f4([1, 2, 3], count(6)) }, '"body_pos_w" has the shape (1, 2, 3), expected (2,'],
    ['other bodies', { body_quat_w: f4([2, 1, 4], count(8)) }, '"body_quat_w" has the shape (2, 1, 4), expected (2, 2'],
    ['joints in one row', { joint_pos: f4([6], count(6)) }, '"joint_pos" has the shape (6), expected (any, any)'],
    [
      'no frames',
      { joint_pos: f4([0, 3], []), body_pos_w: f4([0, 2, 3], []), body_quat_w: f4([0, 2, 4], []) },
      'the clip has no frames',
    ],
  ])('%s is refused by full reading and by reading the properties', async (_, changes, message) => {
    const bytes = motion(changes);
    for (const read of [readMotionNpz, readNpzClip, motionFacts])
      await expect(read(bytes)).rejects.toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
  });

  test('a number of names that differs from the number of joints is refused', async () => {
    const bytes = motion({ joint_names: { dtype: 'U', shape: [2], data: ['hip', 'knee'] } });
    await expect(readNpzClip(bytes)).rejects.toThrow('"joint_names" has 2 names, but "joint_pos" has 3');
  });

  test('text in place of numbers is refused', async () => {
    const bytes = motion({ joint_pos: { dtype: 'U', shape: [2, 3], data: [...'abcdef'] } });
    await expect(readNpzClip(bytes)).rejects.toThrow('"joint_pos" contains texts instead of numbers');
  });

  test('the error names the damaged array', async () => {
    const bytes = motion();
    const at = Buffer.from(bytes).indexOf('(2, 2, 4)');
    bytes[at + 1] = 0x39;
    const error = await readNpzHeads(bytes).then(
      () => null,
      (cause: unknown) => cause,
    );
    // The entry is so small that its head is the whole entry, so the checksum fails first.
    expect((error as StudioError).message).toContain('"body_quat_w.npy" in the zip file is damaged');
  });
});

test('damaged files are read or refused as bad input', async () => {
  const good = motion();
  const edit = fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(2 * good.length), async (edits, length) => {
      const bytes = good.slice(0, length);
      for (const { at, byte } of edits) if (at < bytes.length) bytes[at] = byte;
      for (const read of [readMotionNpz, readNpzClip, motionFacts]) {
        try {
          await read(bytes);
        } catch (error) {
          if (!(error instanceof StudioError)) throw error;
        }
      }
    }),
    { numRuns: 400 },
  );
});

test('properties equal those of the whole file', async () => {
  expect(await motionFacts(motion())).toEqual({ frames: 2, fps: 50, joints: 3, bodies: 2, segments: 0 });
});

test.skipIf(!hasKit)(
  'the source rows of a clip of the original converter are those of the CSV it was made from',
  async () => {
    const file = path.join(KIT, 'parity/getup_01.npz');
    const motion = await readMotionNpz(file);
    expect(motion).toMatchObject({ fps: 50, frames: 231, joints: 29, bodies: 30, robot: 'g1', warnings: [] });
    expect(motion.jointNames).toEqual(Object.keys(g1Spec().joints));
    expect(await motionFacts(file)).toEqual({ frames: 231, fps: 50, joints: 29, bodies: 30, segments: 0 });

    // Frame 3470 at 50 frames/s coincides with frame 2082 at 30 frames/s.
    const raw = toRawClip(motion);
    const source = parseClipCsv(readFileSync(path.join(KIT, 'clips/fallAndGetUp1_subject1.csv')));
    const ours = raw.rows.subarray(2 * 36, 3 * 36);
    const theirs = source.rows.subarray(2082 * 36, 2083 * 36);
    const sign = Math.sign(ours[6]! * theirs[6]!);
    for (let column = 0; column < 36; column += 1) {
      const factor = column >= 3 && column < 7 ? sign : 1;
      expect(Math.abs(factor * ours[column]! - theirs[column]!)).toBeLessThan(column >= 3 && column < 7 ? 1e-3 : 1e-4);
    }
  },
);

describe.each(PYTHONS)('exchange with numpy $version', (python) => {
  test('numpy reads our npz files without pickles', () => {
    writeFileSync(
      path.join(folder, 'ours.npz'),
      writeNpz([
        ['f4', f4([2, 3], count(6))],
        ['f8', { dtype: 'f8', shape: [], data: Float64Array.of(0.1) }],
        ['i8', { dtype: 'i8', shape: [1], data: BigInt64Array.of(-(2n ** 62n)) }],
        ['b1', { dtype: 'b1', shape: [2], data: Uint8Array.of(1, 0) }],
        ['names', { dtype: 'U', shape: [2], data: ['hip', 'größe😀'] }],
        ['none', { dtype: 'U', shape: [0], data: [] }],
      ]),
    );
    const seen = runPython(
      python,
      `import json, sys, numpy as np
z = np.load(sys.argv[1] + '/ours.npz', allow_pickle=False)
print(json.dumps({k: [z[k].tolist(), list(z[k].shape)] for k in z.files}))`,
      folder,
    );
    expect(JSON.parse(seen.replace(`${-(2n ** 62n)}`, '"-2^62"'))).toEqual({
      f4: [
        count(6)
          .map((_, index) => (index < 3 ? [0, 1, 2] : [3, 4, 5]))
          .filter((_, index) => index % 3 === 0),
        [2, 3],
      ],
      f8: [0.1, []],
      i8: [['-2^62'], [1]],
      b1: [[true, false], [2]],
      names: [['hip', 'größe😀'], [2]],
      none: [[], [0]],
    });
  });

  test('npz files of numpy are read: compressed, Fortran order, big-endian, text, and objects that are text', async () => {
    runPython(
      python,
      `import sys, numpy as np
a = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
np.savez_compressed(sys.argv[1] + '/theirs.npz', c=a, fortran=np.asfortranarray(a), big=a.astype('>f8'),
  names=np.array(['hip', 'größe']), n=np.int64(7), flag=np.array(True), objects=np.array(['a', None], dtype=object),
  half=a.astype('f2'), i2=a.astype('>i2'), u1=a.astype('u1'), short=np.array([b'hip', b'knee']),
  pickled=np.array(['hip', 'größe'], dtype=object), robot=np.array('g1', dtype=object), none=np.array([], dtype=object))`,
      folder,
    );
    const { arrays, warnings } = await readNpz(path.join(folder, 'theirs.npz'));
    const c = { shape: [2, 3, 4], data: Float32Array.from(count(24)) };
    expect(arrays.get('c')).toEqual({ dtype: 'f4', ...c });
    expect(arrays.get('fortran')).toEqual({ dtype: 'f4', ...c });
    expect(arrays.get('big')).toEqual({ dtype: 'f8', shape: c.shape, data: Float64Array.from(c.data) });
    expect(arrays.get('names')?.data).toEqual(['hip', 'größe']);
    expect(arrays.get('n')).toEqual({ dtype: 'i8', shape: [], data: BigInt64Array.of(7n) });
    expect(arrays.get('flag')?.data).toEqual(Uint8Array.of(1));
    expect(arrays.get('half')).toEqual({ dtype: 'f4', ...c });
    expect(arrays.get('i2')).toEqual({ dtype: 'i2', shape: c.shape, data: Int16Array.from(c.data) });
    expect(arrays.get('u1')).toEqual({ dtype: 'u1', shape: c.shape, data: Uint8Array.from(c.data) });
    expect(arrays.get('short')).toEqual({ dtype: 'U', shape: [2], data: ['hip', 'knee'] });
    expect(arrays.get('pickled')).toEqual({ dtype: 'U', shape: [2], data: ['hip', 'größe'] });
    expect(arrays.get('robot')).toEqual({ dtype: 'U', shape: [], data: ['g1'] });
    expect(arrays.get('none')).toEqual({ dtype: 'U', shape: [0], data: [] });
    expect(arrays.has('objects')).toBe(false);
    expect(warnings).toEqual([
      '"objects" contains pickled Python objects and was skipped: it must contain only strings. Save it as plain text or numbers.',
    ]);
  });

  test('a pickle in an array is not executed', async () => {
    runPython(
      python,
      `import os, sys, numpy as np
class Call:
  def __reduce__(self): return os.system, ('touch ' + sys.argv[1] + '/PWNED',)
np.savez(sys.argv[1] + '/evil.npz', joint_names=np.array([Call()], dtype=object))`,
      folder,
    );
    const { arrays, warnings } = await readNpz(path.join(folder, 'evil.npz'));
    expect(arrays.size).toBe(0);
    expect(warnings[0]).toContain(
      '"joint_names" contains pickled Python objects and was skipped: the pickle refers to posix',
    );
    expect(existsSync(path.join(folder, 'PWNED'))).toBe(false);
  });
});
