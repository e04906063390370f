import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isBundle } from '../../../src/formats/clip-registry.ts';
import { type BundledClip, listBundle, readBundle } from '../../../src/formats/clips/bundle.ts';
import { MOTION_NPZ, type MotionNpz } from '../../../src/formats/motion-npz.ts';
import type { NpyArray } from '../../../src/formats/npy.ts';
import { writeNpz } from '../../../src/formats/npz.ts';
import { openNpzClip } from '../../../src/formats/npz-clip.ts';
import { PYTHONS, runPython } from '../../support/python.ts';

const factsOf = async (bytes: Uint8Array) => MOTION_NPZ.facts(await openNpzClip(bytes, [MOTION_NPZ]));

const folder = mkdtempSync(path.join(tmpdir(), 'bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FRAMES = 7;
/** Returns an array in which every number is its index, so that a clip's values show where it was cut. */
const places = (...shape: number[]): NpyArray => {
  const count = shape.reduce((product, size) => product * size, 1);
  return { dtype: 'f4', shape, data: Float32Array.from({ length: count }, (_, index) => index) };
};
const whole = (...values: number[]): NpyArray => ({
  dtype: 'i8',
  shape: [values.length],
  data: BigInt64Array.from(values, BigInt),
});
const text = (...data: string[]): NpyArray => ({ dtype: 'U', shape: [data.length], data });
/** Returns a bundle with clips of 3, 1 and 2 frames, and one frame outside of the clips. It has two joints and one
 *  body. */
function bundle(changes: Record<string, NpyArray | null> = {}): Uint8Array {
  const arrays: Record<string, NpyArray | null> = {
    fps: { dtype: 'f4', shape: [1], data: Float32Array.of(50) },
    joint_names: text('hip', 'knee'),
    joint_pos: places(FRAMES, 2),
    joint_vel: places(FRAMES, 2),
    body_pos_w: places(FRAMES, 1, 3),
    body_quat_w: places(FRAMES, 1, 4),
    body_lin_vel_w: places(FRAMES, 1, 3),
    body_ang_vel_w: places(FRAMES, 1, 3),
    segment_start_idx: whole(4, 0, 3),
    segment_length: whole(2, 3, 1),
    segment_source: text('raw/c.csv', '/home/x/a.pkl', 'raw/b.csv'),
    segment_names: text('c', 'a', 'b'),
    ...changes,
  };
  return writeNpz(Object.entries(arrays).filter((entry): entry is [string, NpyArray] => entry[1] !== null));
}

async function clipsOf(source: string | Uint8Array): Promise<{ clip: BundledClip; motion: MotionNpz }[]> {
  const clips: { clip: BundledClip; motion: MotionNpz }[] = [];
  for await (const clip of readBundle(source)) clips.push(clip);
  return clips;
}
const refusal = (source: Uint8Array) =>
  clipsOf(source).then(
    () => null,
    (error: Error) => error.message,
  );

test('arrays in Fortran order are split like those in C order', async () => {
  const [plain, turned] = [path.join(folder, 'plain.npz'), path.join(folder, 'turned.npz')];
  writeFileSync(plain, bundle());
  if (PYTHONS.length === 0) return;
  runPython(
    PYTHONS[0]!,
    'import sys, numpy as np\nwith np.load(sys.argv[1]) as f: np.savez(sys.argv[2], **{k: np.asfortranarray(f[k]) for k in f})',
    plain,
    turned,
  );
  expect(await clipsOf(turned)).toEqual(await clipsOf(plain));
});

function expectWhole(clips: readonly { clip: BundledClip; motion: MotionNpz }[]): void {
  expect(clips.map(({ clip }) => clip)).toEqual([
    { name: 'a', source: '/home/x/a.pkl', start: 0, frames: 3 },
    { name: 'b', source: 'raw/b.csv', start: 3, frames: 1 },
    { name: 'c', source: 'raw/c.csv', start: 4, frames: 2 },
  ]);
  const [a, b, c] = clips.map(({ motion }) => motion);
  expect(a).toMatchObject({ fps: 50, frames: 3, joints: 2, bodies: 1, jointNames: ['hip', 'knee'], warnings: [] });
  expect([...a!.jointPos]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...b!.jointVel]).toEqual([6, 7]);
  expect([...c!.bodyPosW]).toEqual([12, 13, 14, 15, 16, 17]);
  expect([...c!.bodyQuatW]).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
  expect([...b!.bodyLinVelW, ...b!.bodyAngVelW]).toEqual([9, 10, 11, 9, 10, 11]);
}

test('a bundle is split into its clips, in the order of frames', async () => {
  expectWhole(await clipsOf(bundle()));
  expect((await listBundle(bundle())).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

const FILE_FPS = { what: 'fps', value: 50, from: 'file' };

test('a bundle is recognised by the headers of its arrays', async () => {
  const facts = await factsOf(bundle());
  expect(facts).toEqual({ frames: FRAMES, columns: 9, fps: 50, segments: 3, assumed: [FILE_FPS] });
  expect(isBundle(facts)).toBe(true);
  expect(isBundle(await factsOf(bundle({ segment_length: null })))).toBe(false);
  expect(isBundle({ frames: 1, columns: 8, fps: 30, assumed: [] })).toBe(false);
});

test('clips without names are named after their source, else after their number in the file', async () => {
  const names = async (changes: Record<string, NpyArray | null>) =>
    (await listBundle(bundle(changes))).map(({ name }) => name);
  expect(await names({ segment_names: null, segment_source: text('x/one.csv', 'two.a.npz', 'three') })).toEqual([
    'two.a',
    'three',
    'one',
  ]);
  expect(await names({ segment_names: null, segment_source: null })).toEqual(['2', '3', '1']);
});

describe('refused input', () => {
  test.each<[string, Record<string, NpyArray | null>, string]>([
    ['no ranges', { segment_start_idx: null }, 'the array "segment_start_idx" is missing'],
    ['a file of one clip', { segment_start_idx: null, segment_length: null }, 'not a bundle of clips'],
    ['ranges of different number', { segment_start_idx: whole(0) }, 'each clip needs one value in both'],
    [
      'a clip beyond the end',
      { segment_length: whole(4, 3, 1) },
      'the clip "c" of the bundle ends at frame 8, but the bundle has 7',
    ],
    ['clips that overlap', { segment_length: whole(2, 4, 1) }, 'the clip "b" of the bundle overlaps another one'],
    ['a clip of no frames', { segment_length: whole(2, 3, 0) }, 'the clip "b" of the bundle has no frames'],
    ['a start before the file', { segment_start_idx: whole(4, -1, 3) }, 'the clip "a" of the bundle has no frames'],
    [
      'names for other clips',
      { segment_names: text('a', 'b') },
      '"segment_names" has 2 elements, but there are 3 clips',
    ],
    ['no velocities', { joint_vel: null }, 'the array "joint_vel" is missing'],
    ['another shape', { joint_vel: places(FRAMES, 3) }, '"joint_vel" has the shape (7, 3), expected (7, 2)'],
    ['other joints', { joint_names: text('hip') }, '"joint_names" has 1 names, but "joint_pos" has 2'],
    [
      'texts',
      { joint_pos: { dtype: 'U', shape: [7, 2], data: [...'abcdefghijklmn'] } },
      '"joint_pos" does not contain numbers',
    ],
  ])('a bundle is refused: %s', async (_, changes, message) => {
    expect(await refusal(bundle(changes))).toContain(message);
  });
});

describe.each(PYTHONS)('bundles of numpy $version', (python) => {
  test('stored and deflated arrays of other types are split in the same way', async () => {
    writeFileSync(path.join(folder, 'b.npz'), bundle());
    runPython(
      python,
      `import sys, numpy as np
z = dict(np.load(sys.argv[1] + '/b.npz'))
for k in 'joint_names', 'segment_source', 'segment_names': z[k] = z[k].astype(object)
np.savez(sys.argv[1] + '/stored.npz', **z)
z['joint_pos'] = z['joint_pos'].astype('>f8'); z['body_quat_w'] = z['body_quat_w'].astype('f2')
np.savez_compressed(sys.argv[1] + '/deflated.npz', **z)`,
      folder,
    );
    for (const file of ['stored.npz', 'deflated.npz']) expectWhole(await clipsOf(path.join(folder, file)));
  });

  test('splitting a large file needs only the memory of a few clips, stored or deflated', async () => {
    runPython(
      python,
      `import sys, numpy as np
one = np.random.default_rng(0).standard_normal((500, 30, 4)).astype('f4')
def save(write, name, n):
  a = np.tile(one, (n, 1, 1))
  z = dict(fps=np.array([50.]), joint_pos=a[:, :, 0], joint_vel=a[:, :, 1], body_pos_w=a[:, :, :3], body_quat_w=a, body_lin_vel_w=a[:, :, 1:],
    body_ang_vel_w=a[:, :, :3], segment_start_idx=np.arange(n) * 500, segment_length=np.full(n, 500), segment_names=np.array([f'c{i}' for i in range(n)]))
  write(sys.argv[1] + '/' + name, **{k: np.ascontiguousarray(v) for k, v in z.items()})
save(np.savez, 'large.npz', 250); save(np.savez_compressed, 'packed.npz', 20)`,
      folder,
    );
    const steps: [string, number][] = [
      ['large.npz', 250],
      ['packed.npz', 20],
    ];
    for (const [file, count] of steps) {
      let clips = 0;
      let most = 0;
      const before = process.memoryUsage().rss;
      for await (const { clip, motion } of readBundle(path.join(folder, file))) {
        expect(clip.name).toBe(`c${clips}`);
        expect([motion.jointPos[0], motion.bodyAngVelW.at(-1)]).toEqual([motion.bodyQuatW[0], motion.bodyQuatW.at(-2)]);
        expect(motion.jointPos[0]).toBeCloseTo(0.12573, 5);
        clips += 1;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
      expect(clips).toBe(count);
      // A clip needs 0.9 MB, the large file 225 MB. Garbage that is not yet collected stays below half of the file.
      expect(most / 2 ** 20).toBeLessThan(110);
    }
  }, 60_000);
});
