import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ClipFormat } from '../../src/formats/clip-format.ts';
import { clipFileType, clipFileTypeOf, csvFiles } from '../../src/formats/clip-registry.ts';
import { JOINTS_CSV } from '../../src/formats/clips/joints-csv.ts';
import type { WholeFile } from '../../src/formats/whole-file.ts';
import { writeZip } from '../../src/formats/zip-write.ts';
import type { Assumption, ReadOptions } from '../../src/protocol/schemas/reading.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'registry-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

test('the format follows from the file ending, in upper or lower case', () => {
  expect(clipFileTypeOf('walk.CSV')?.id).toBe('csv');
  expect(clipFileTypeOf('a.b.pkl')?.id).toBe('pkl');
  expect(clipFileTypeOf('walk.npz')).toMatchObject({ id: 'npz', raw: false });
  expect(clipFileTypeOf('walk.csv.part')).toBeNull();
  expect(clipFileTypeOf('csv')).toBeNull();
  expect(() => clipFileType('avi')).toThrow('"avi" is not a clip format. Known formats: csv, pkl, npy, motion, npz');
});

test('messages begin with the name of the file', async () => {
  const bad = file('bad.csv', '1,2,3\n');
  await expect(clipFileType('csv').read(bad)).rejects.toThrow('bad.csv: line 1, column 3:');
  await expect(clipFileType('csv').facts(bad)).rejects.toThrow('bad.csv: line 1, column 3:');
  await expect(clipFileType('npz').facts(bad)).rejects.toThrow('bad.csv: not a readable zip file');
  await expect(clipFileType('pkl').facts(bad)).rejects.toThrow('bad.csv: not a pickle, or a damaged one');
});

test('a pointer of git-lfs is named as such, whatever its ending', async () => {
  const text = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n';
  for (const ending of ['csv', 'npz', 'pkl', 'npy', 'motion']) {
    const pointer = file(`walk.${ending}`, text);
    await expect(clipFileType(ending).facts(pointer)).rejects.toThrow(
      `walk.${ending}: the file is a pointer of git-lfs, not the motion itself: fetch it with "git lfs pull"`,
    );
  }
});

test('a missing file and a folder have their own error messages', async () => {
  mkdirSync(path.join(folder, 'sub.csv'));
  for (const id of ['csv', 'npz']) {
    await expect(clipFileType(id).facts(path.join(folder, 'no'))).rejects.toThrow('no: the file no longer exists');
    await expect(clipFileType(id).read(path.join(folder, 'sub.csv'))).rejects.toThrow('is a folder, not a file');
  }
});

test('a pipe in place of a clip is refused and blocks no thread', async () => {
  const pipe = path.join(folder, 'pipe.csv');
  execFileSync('mkfifo', [pipe]);
  for (const id of ['csv', 'npz', 'pkl']) {
    await expect(clipFileType(id).facts(pipe)).rejects.toThrow('pipe.csv: ');
    await expect(clipFileType(id).read(pipe)).rejects.toThrow('pipe.csv: is a pipe or device, not a file');
  }
});

test('an incomplete file is detected by its end', () => {
  const csv = clipFileType('csv');
  expect(csv.mayBeWhole(Buffer.from('0.1,0.2\n'))).toBe(true);
  expect(csv.mayBeWhole(Buffer.from('0.1,0.'))).toBe(false);
  expect(csv.mayBeWhole(new Uint8Array(0))).toBe(false);
  const zip = writeZip(new Map([['a', new Uint8Array(3)]]));
  expect(clipFileType('npz').mayBeWhole(zip.subarray(-22))).toBe(true);
  expect(clipFileType('npz').mayBeWhole(zip.subarray(-40, -18))).toBe(false);
});

const ASSUMED: readonly Assumption[] = [
  { what: 'fps', value: 120, from: 'format' },
  { what: 'units', value: 'cm', from: 'format' },
  { what: 'quaternion', value: 'wxyz', from: 'format' },
];

/** The example format of CONTRIBUTING. It is identified by its header line; positions are in cm, quaternions are
 *  wxyz. */
const EXAMPLE: ClipFormat<WholeFile> = {
  id: 'example-csv',
  title: 'Example',
  sniff: (content) => new TextDecoder().decode(content.head()).startsWith('example\n'),
  facts: () => ({ frames: 1, columns: 8, fps: 120, assumed: ASSUMED }),
  read(content) {
    const [, line] = new TextDecoder().decode(content.bytes()).split('\n');
    const [x, y, z, w, qx, qy, qz, joint] = line!.split(',').map(Number) as [number, ...number[]];
    const rows = Float64Array.of(x / 100, y! / 100, z! / 100, qx!, qy!, qz!, w!, joint!);
    return {
      ...{ rows, frames: 1, columns: 8, fps: 120, jointNames: null },
      assumed: ASSUMED,
    };
  },
};

test('a format added to the list of its file ending is found by content and states its assumptions', async () => {
  const files = csvFiles([EXAMPLE, JOINTS_CSV]);
  const example = file('example.csv', 'example\n100,200,300,0.9,0.1,0.2,0.3,1\n');
  expect(await files.facts(example)).toEqual({ frames: 1, columns: 8, fps: 120, assumed: ASSUMED });
  const clip = await files.read(example);
  expect([...clip.rows]).toEqual([1, 2, 3, 0.1, 0.2, 0.3, 0.9, 1]);
  expect(clip.assumed.map(({ what, value }) => [what, value])).toEqual([
    ['fps', 120],
    ['units', 'cm'],
    ['quaternion', 'wxyz'],
  ]);
  const plain = file('plain.csv', '1,2,3,0,0,0,1,0.5\n');
  expect(await files.read(plain)).toMatchObject({ fps: null, frames: 1, columns: 8 });
});

test('an option overrides an assumption and removes it from the list', async () => {
  const plain = file('options.csv', '1,2,3,0.9,0.1,0.2,0.3,0.5\n');
  const read = { fps: 60, quaternion: 'wxyz', units: 'cm', joint_order: ['knee'] } satisfies ReadOptions;
  const clip = await clipFileType('csv').read(plain, read);
  expect([...clip.rows]).toEqual([0.01, 0.02, 0.03, 0.1, 0.2, 0.3, 0.9, 0.5]);
  expect(clip).toMatchObject({ fps: 60, jointNames: ['knee'], assumed: [] });
  const back = await csvFiles([EXAMPLE]).read(file('back.csv', 'example\n1,2,3,0.9,0.1,0.2,0.3,1\n'), {
    quaternion: 'xyzw',
    units: 'm',
  });
  expect([...back.rows]).toEqual([1, 2, 3, 0.9, 0.1, 0.2, 0.3, 1]);
  await expect(clipFileType('csv').read(plain, { joint_order: ['hip', 'knee'] })).rejects.toThrow(
    'options.csv: joint_order: has 2 names, but the clip has 1',
  );
});
