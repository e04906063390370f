import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { clipFileTypeOf } from '../../../src/formats/clip-registry.ts';
import { floats, joblibFile, NumpyArray, objectNpy, type Pickled, PythonCall, pickle } from '../../support/pickles.ts';
import { PYTHONS, runPython } from '../../support/python.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pickled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const JOINTS = 3;
/** Sine and cosine for a quarter turn about x. In xyzw, w is last. */
const HALF = Math.SQRT1_2;

function written(name: string, content: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const read = (file: string) => clipFileTypeOf(file)!.read(file);
const facts = (file: string) => clipFileTypeOf(file)!.facts(file);

async function rowsOf(file: string): Promise<number[][]> {
  const { rows, frames, columns } = await read(file);
  return Array.from({ length: frames }, (_, frame) => [...rows.subarray(frame * columns, (frame + 1) * columns)]);
}

/** Returns a clip of a motion library. Its numbers show from which column and frame they come. */
function entry(frames: number, changes: { readonly [key: string]: Pickled } = {}): { [key: string]: Pickled } {
  return {
    root_trans_offset: floats([frames, 3], (index) => index),
    pose_aa: floats([frames, JOINTS + 1, 3], () => 9),
    dof: floats([frames, JOINTS], (index) => 100 + index),
    root_rot: floats([frames, 4], (index) => [HALF, 0, 0, HALF][index % 4]!),
    smpl_joints: floats([frames, 24, 3], () => 0),
    fps: 50,
    ...changes,
  };
}

const ROWS = [
  [0, 1, 2, Math.fround(HALF), 0, 0, Math.fround(HALF), 100, 101, 102],
  [3, 4, 5, Math.fround(HALF), 0, 0, Math.fround(HALF), 103, 104, 105],
];
const XYZW = [
  { what: 'fps', value: 50, from: 'file' },
  { what: 'quaternion', value: 'xyzw', from: 'format' },
  { what: 'units', value: 'm', from: 'format' },
];

describe('a motion library of SONIC', () => {
  const one = { walk: entry(2) };
  const spellings: readonly (readonly [string, Uint8Array])[] = [
    ['compressed by joblib', joblibFile(one)],
    ['plain of joblib 1.2', pickle(one, { arrays: 'joblib 1.2' })],
    ['gzip of joblib 1.1, protocol 3', gzipSync(pickle(one, { arrays: 'joblib 1.1', protocol: 3 }))],
    ['plain of pickle', pickle(one)],
    ['zlib of pickle', deflateSync(pickle(one))],
    ['without a name', joblibFile(entry(2))],
    ['with joints of one more axis', joblibFile({ walk: entry(2, { dof: floats([2, JOINTS, 1], (k) => 100 + k) }) })],
  ];

  test.each(spellings)(
    'a SONIC motion library %s: root_rot is xyzw, and each array is found',
    async (name, content) => {
      const file = written(`${name}.pkl`, content);
      expect(await rowsOf(file)).toEqual(ROWS);
      expect(await facts(file)).toMatchObject({ frames: 2, columns: 10, fps: 50, assumed: XYZW });
      expect((await facts(file)).segments ?? 0).toBe(0);
    },
  );

  test('a SONIC motion library is reordered if the user states that root_rot is wxyz', async () => {
    const file = written('wxyz.pkl', joblibFile({ walk: entry(2, { root_rot: floats([2, 4], (k) => k) }) }));
    const { rows } = await clipFileTypeOf(file)!.read(file, { quaternion: 'wxyz' });
    expect([...rows.subarray(3, 7)]).toEqual([1, 2, 3, 0]);
  });

  test('a SONIC motion library in Fortran order has the same rows', async () => {
    const dof = new NumpyArray([2, JOINTS], Float32Array.of(100, 103, 101, 104, 102, 105), true);
    const file = written('fortran.pkl', joblibFile({ walk: entry(2, { dof }) }));
    expect(await rowsOf(file)).toEqual(ROWS);
  });

  test('a SONIC motion library without fps has no frame rate', async () => {
    const file = written('no rate.pkl', joblibFile({ walk: entry(2, { fps: null }) }));
    expect(await facts(file)).toMatchObject({ fps: null, assumed: XYZW.slice(1) });
  });

  test('a SONIC motion library with several clips is a bundle, read clip by clip', async () => {
    const file = written('bundle.pkl', joblibFile({ walk: entry(2), 'run fast': entry(5, { fps: 120 }) }));
    expect(await facts(file)).toMatchObject({ frames: 7, columns: 10, segments: 2 });
    await expect(read(file)).rejects.toThrow(
      'bundle.pkl: the file contains 2 clips. Upload or import it to split it into clips.',
    );
    const parts = [...(await clipFileTypeOf(file)!.parts!(file))];
    expect(parts.map(({ name, clip }) => [name, clip.frames, clip.fps])).toEqual([
      ['walk', 2, 50],
      ['run fast', 5, 120],
    ]);
  });

  test.each<readonly [string, { [key: string]: Pickled }, string]>([
    [
      'frames that differ',
      { b: entry(2, { dof: floats([3, JOINTS], () => 0) }) },
      '"dof" has 3 frames, but "root_trans',
    ],
    ['no frames', { b: entry(0) }, 'the clip has no frames'],
    [
      'a second clip without joints',
      { a: entry(2), b: { fps: 3 } },
      'the clip "b": not a clip: the key "root_trans_of',
    ],
    ['a rotation of nine numbers', { b: entry(2, { root_rot: floats([2, 9], () => 0) }) }, '"root_rot" has the shape'],
  ])('a SONIC motion library with %s is refused', async (name, library, message) => {
    const file = written(`${name}.pkl`, joblibFile(library));
    await expect(facts(file)).rejects.toThrow(message);
  });
});

describe('a compressed pickle', () => {
  test('a compressed pickle that would expand to gigabytes is refused early', async () => {
    const bomb = deflateSync(Buffer.alloc(140 << 20), { level: 9 });
    const before = process.memoryUsage().rss;
    await expect(facts(written('bomb.pkl', bomb))).rejects.toThrow('expands to more than 128 MiB');
    expect(process.memoryUsage().rss - before).toBeLessThan(300 << 20);
  });

  test('a compressed pickle is refused if truncated', async () => {
    const whole = joblibFile({ walk: entry(20) });
    await expect(facts(written('cut.pkl', whole.subarray(0, whole.length - 9)))).rejects.toThrow(
      'truncated or damaged',
    );
  });

  test.each([
    ['bz2', 'BZh91AY'],
    ['xz', '\xfd7zXZ\0'],
    ['lz4', '\x04\x22\x4d\x18\x60'],
    ['lzma', '\x5d\0\0\x80'],
  ])('a compressed pickle of %s is refused with the remedy', async (name, start) => {
    const file = written(`${name}.pkl`, Buffer.from(`${start}${'\0'.repeat(50)}`, 'latin1'));
    await expect(facts(file)).rejects.toThrow(
      `compressed with ${name}, which is not supported. Save it with compress="zlib"`,
    );
  });

  test('a compressed pickle of joblib is refused if it declares more bytes than it has', async () => {
    const lying = pickle(
      { walk: entry(2, { dof: new NumpyArray([2, 1_000_000], new Float32Array(6)) }) },
      { arrays: 'joblib 1.2' },
    );
    for (const content of [lying, deflateSync(lying)])
      await expect(facts(written('lying.pkl', content))).rejects.toThrow('ends early');
  });

  test('a compressed pickle cannot create objects of other classes', async () => {
    const popen = Buffer.from('\x80\x02cjoblib.numpy_pickle\nNumpyArrayWrapper\nK\x01\x85\x81.', 'latin1');
    await expect(facts(written('args.pkl', popen))).rejects.toThrow(
      'creates an object of a class, which is not allowed',
    );
    const state = Buffer.from('\x80\x02cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81K\x01b.', 'latin1');
    await expect(facts(written('state.pkl', state))).rejects.toThrow('an array of joblib without shape');
    const sparse = pickle({ a: new PythonCall('scipy.sparse', 'csr_matrix', 1) });
    await expect(facts(written('call.pkl', sparse))).rejects.toThrow('scipy.sparse.csr_matrix, which is not allowed');
  });
});

describe('a clip of MimicKit', () => {
  const clip = (frames: Pickled, changes = {}) => pickle({ loop_mode: 1, fps: 30, frames, ...changes });

  test('a MimicKit clip stores the rotation of its root as a rotation vector', async () => {
    const turns = [
      [0, 0, 0],
      [Math.PI / 2, 0, 0],
      [0, 0, -Math.PI],
      [2 / 3, 2 / 3, 1 / 3],
    ];
    const file = written('mimickit.pkl', clip(turns.map((turn, frame) => [frame, 0, 0.8, ...turn, 0.1, 0.2, 0.3])));
    const rows = await rowsOf(file);
    const expected = [
      [0, 0, 0, 1],
      [Math.sin(Math.PI / 4), 0, 0, Math.cos(Math.PI / 4)],
      [0, 0, -1, 0],
      [(2 / 3) * Math.sin(0.5), (2 / 3) * Math.sin(0.5), (1 / 3) * Math.sin(0.5), Math.cos(0.5)],
    ];
    for (const [frame, row] of rows.entries()) {
      expect([row.slice(0, 3), row.slice(7)]).toEqual([
        [frame, 0, 0.8],
        [0.1, 0.2, 0.3],
      ]);
      for (const [k, value] of expected[frame]!.entries()) expect(row[3 + k]).toBeCloseTo(value, 14);
    }
    expect(await facts(file)).toMatchObject({
      frames: 4,
      columns: 10,
      fps: 30,
      assumed: [
        { what: 'fps', value: 30, from: 'file' },
        { what: 'quaternion', value: 'exponential_map', from: 'format' },
        { what: 'units', value: 'm', from: 'format' },
      ],
    });
  });

  test('a MimicKit clip may store its frames as an array', async () => {
    const file = written('array.pkl', clip(floats([2, 9], (index) => (index % 9 < 3 || index % 9 > 5 ? index : 0))));
    expect(await rowsOf(file)).toEqual([
      [0, 1, 2, 0, 0, 0, 1, 6, 7, 8],
      [9, 10, 11, 0, 0, 0, 1, 15, 16, 17],
    ]);
  });

  test.each<readonly [string, Pickled, string]>([
    ['no joints', [[0, 0, 0, 0, 0, 0]], '"frames" has the shape (1, 6), expected (frames, 6 + joints)'],
    ['no frames', [], '"frames" has the shape (0)'],
    ['rows of different length', [[0, 0, 0, 0, 0, 0, 1], [0]], '"frames" has rows of different length'],
  ])('a MimicKit clip with %s is refused', async (name, frames, message) => {
    await expect(read(written(`mimickit ${name}.pkl`, clip(frames)))).rejects.toThrow(message);
  });
});

describe('a clip of PHUMA', () => {
  const clip = {
    root_trans: floats([2, 3], (index) => index),
    root_ori: floats([2, 4], (index) => [HALF, 0, 0, HALF][index % 4]!),
    dof_pos: floats([2, JOINTS], (index) => 100 + index),
    fps: 50,
  };

  test('a skeleton motion of poselib is not a PHUMA clip, and is refused with the remedy', async () => {
    const skeleton = { rotation: floats([1, 2, 4], () => 0.5), root_translation: floats([1, 3], () => 1) };
    const file = written('amp.npy', objectNpy({ ...skeleton, skeleton_tree: {}, is_local: true, fps: 30 }));
    await expect(rowsOf(file)).rejects.toThrow(
      'the file is the motion of a skeleton with ball joints (poselib); retarget it to the robot first',
    );
  });

  test('a PHUMA clip is a dict in an object array, with root_ori in xyzw', async () => {
    const file = written('phuma.npy', objectNpy(clip));
    expect(await rowsOf(file)).toEqual(ROWS);
    expect(await facts(file)).toMatchObject({ frames: 2, columns: 10, fps: 50, assumed: XYZW });
  });

  test('a PHUMA clip may be a plain pickle; numpy.save also works for the other layouts', async () => {
    expect(await rowsOf(written('phuma.pkl', pickle(clip)))).toEqual(ROWS);
    expect(await rowsOf(written('library.npy', objectNpy({ walk: entry(2) })))).toEqual(ROWS);
  });

  test.each([
    [
      '(3, 36)',
      'expected a dict of arrays saved by numpy.save. Save rows of position, quaternion and joint angles as CSV.',
    ],
    ['(4, 9, 3)', 'such as the positions of 9 points of a human; retarget it to the robot first'],
  ])('a PHUMA clip is refused with advice if it is a plain array of shape %s', async (shape, advice) => {
    const header = `{'descr': '<f8', 'fortran_order': False, 'shape': ${shape}, }`;
    const numbers = Buffer.from(`${`\x93NUMPY\x01\x00\x76\x00${header}`.padEnd(127)}\n`, 'latin1');
    await expect(facts(written('numbers.npy', Buffer.concat([numbers, Buffer.alloc(864)])))).rejects.toThrow(
      `numbers.npy: the file contains an array of numbers of shape ${shape}, ${advice}`,
    );
  });
});

describe.each(PYTHONS)('files of numpy $version', (python) => {
  test('PHUMA and MimicKit files written by numpy are read', async () => {
    runPython(
      python,
      `import pickle, sys
import numpy as np
n = np.arange(6.).reshape(2, 3).astype('f4'); q = np.tile(np.array([.5 ** .5, 0, 0, .5 ** .5], 'f4'), (2, 1))
np.save(sys.argv[1] + '/numpy.npy', {'root_trans': n, 'root_ori': q, 'dof_pos': 100 + n, 'fps': 50})
pickle.dump({'loop_mode': 0, 'fps': np.int64(50), 'frames': np.concatenate([n, np.tile([np.pi / 2, 0, 0], (2, 1)), 100 + n], 1).tolist()},
  open(sys.argv[1] + '/mimickit by numpy.pkl', 'wb'))`,
      folder,
    );
    expect(await rowsOf(path.join(folder, 'numpy.npy'))).toEqual(ROWS);
    for (const [frame, row] of (await rowsOf(path.join(folder, 'mimickit by numpy.pkl'))).entries())
      for (const [k, value] of row.entries()) expect(value).toBeCloseTo(ROWS[frame]![k]!, 6);
  });
});
