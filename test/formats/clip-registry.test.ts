import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clipFormat, clipFormatOf } from '../../src/formats/clip-registry.ts';
import { writeZip } from '../../src/formats/zip-write.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'registry-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

test('a file is known by its ending, in upper or lower case', () => {
  expect(clipFormatOf('walk.CSV')?.id).toBe('csv');
  expect(clipFormatOf('a.b.pkl')?.id).toBe('pkl');
  expect(clipFormatOf('walk.npz')).toMatchObject({ id: 'npz', raw: false });
  expect(clipFormatOf('walk.csv.part')).toBeNull();
  expect(clipFormatOf('csv')).toBeNull();
  expect(() => clipFormat('bvh')).toThrow('"bvh" is no clip format; known are csv, pkl, npz');
});

test('messages begin with the name of the file', async () => {
  const bad = file('bad.csv', '1,2,3\n');
  await expect(clipFormat('csv').read(bad)).rejects.toThrow('bad.csv: line 1, column 3:');
  await expect(clipFormat('csv').facts(bad)).rejects.toThrow('bad.csv: line 1, column 3:');
  await expect(clipFormat('npz').facts(bad)).rejects.toThrow('bad.csv: not a readable zip file');
  await expect(clipFormat('pkl').facts(bad)).rejects.toThrow('bad.csv: not a pickle, or a damaged one');
});

test('a file that is gone, or is a folder, is said to be so', async () => {
  mkdirSync(path.join(folder, 'sub.csv'));
  for (const id of ['csv', 'npz']) {
    await expect(clipFormat(id).facts(path.join(folder, 'no'))).rejects.toThrow('no: the file is not there any more');
    await expect(clipFormat(id).read(path.join(folder, 'sub.csv'))).rejects.toThrow('is a folder, not a file');
  }
});

test('a pipe in the place of a clip is refused, and holds no thread', async () => {
  const pipe = path.join(folder, 'pipe.csv');
  execFileSync('mkfifo', [pipe]);
  for (const id of ['csv', 'npz', 'pkl']) {
    await expect(clipFormat(id).facts(pipe)).rejects.toThrow('pipe.csv: ');
    await expect(clipFormat(id).read(pipe)).rejects.toThrow('pipe.csv: is a pipe or device, not a file');
  }
});

test('a file that is still being written is told by its end', () => {
  const csv = clipFormat('csv');
  expect(csv.mayBeWhole(Buffer.from('0.1,0.2\n'))).toBe(true);
  expect(csv.mayBeWhole(Buffer.from('0.1,0.'))).toBe(false);
  expect(csv.mayBeWhole(new Uint8Array(0))).toBe(false);
  const zip = writeZip(new Map([['a', new Uint8Array(3)]]));
  expect(clipFormat('npz').mayBeWhole(zip.subarray(-22))).toBe(true);
  expect(clipFormat('npz').mayBeWhole(zip.subarray(-40, -18))).toBe(false);
});
