import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadClip } from '../../../src/data/clip/load-clip.ts';
import { clipCsv } from '../../../src/data/edit/clip-csv.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import type { ReadOptions } from '../../../src/protocol/schemas/reading.ts';
import { randomFrom } from '../../support/random.ts';

const JOINTS = ['hip', 'knee', 'ankle_joint'];

function someClip(fps: number): ClipRows {
  const random = randomFrom(7);
  const rows = new Float64Array(10 * 40).map(() => random() - 0.5);
  for (let at = 3; at < rows.length; at += 10) {
    const norm = Math.hypot(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!);
    for (let k = at; k < at + 4; k += 1) rows[k] = rows[k]! / norm;
  }
  return { fps, frames: 40, rows };
}

async function readBack(clip: ClipRows, read: ReadOptions) {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'edit-')), 'clip.csv');
  writeFileSync(file, Buffer.concat(clipCsv(clip, { read, joints: JOINTS })));
  return loadClip(file, 'csv', { columns: 10, jointNames: JOINTS, fps: 30, read });
}

describe('an edited clip reads back as it was written', () => {
  const options: ReadOptions[] = [
    {},
    { quaternion: 'wxyz' },
    { units: 'cm' },
    { joint_order: ['ankle_joint', 'hip', 'knee'] },
    { joint_order: ['robot/ankle', 'hip', 'robot/knee'] },
    { fps: 120, quaternion: 'wxyz', units: 'mm', joint_order: ['knee', 'ankle_joint', 'hip'] },
  ];
  test.each(options)('an edited clip is read back as written in a dataset with read options %j', async (read) => {
    const clip = someClip(120);
    const back = await readBack(clip, read);
    expect([back.fps, back.frames]).toEqual([120, 40]);
    for (const [k, value] of clip.rows.entries()) expect(back.rows[k]).toBeCloseTo(value, 6);
  });
});

test('an edited clip of a robot that stays upside down is not turned upright when it is read', async () => {
  const { rows, frames } = someClip(30);
  for (let at = 3; at < rows.length; at += 10) rows.set([0, 1, 0, 0], at);
  for (const read of [{}, { quaternion: 'wxyz' }, { quaternion: 'xyzw' }] as const) {
    const back = await readBack({ fps: 30, frames, rows }, read);
    expect([back.fps, ...back.rows.subarray(3, 7)]).toEqual([30, 0, 1, 0, 0]);
  }
});

test('an edited clip is refused in a dataset that is read at another rate', () => {
  expect(() => clipCsv(someClip(30), { read: { fps: 50 }, joints: JOINTS })).toThrow(
    'into: dataset.yaml sets 50 frames per second for all clips of the dataset, but this clip has 30',
  );
});
