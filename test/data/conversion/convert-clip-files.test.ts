import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { convertClipFiles } from '../../../src/data/conversion/convert-clip-files.ts';
import { formatClipCsv } from '../../../src/formats/csv.ts';
import { readMotionNpz } from '../../../src/formats/motion-npz.ts';
import { generateClip } from '../../../src/motion/procedural/generate-clip.ts';
import { clipSource, preparedHumanoid } from '../../support/robots.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'convert-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('clips converted together give the same results as alone, and a refused clip does not stop the others', async () => {
  const robot = clipSource(await preparedHumanoid());
  const options = { inputFps: null, outputFps: 50, debiasZ: false, fixes: null, defaultFps: 30, read: {} };
  const { frames, width } = generateClip('squat');
  const order = (k: number) => {
    const file = path.join(folder, `c${k}.csv`);
    writeFileSync(file, k === 2 ? 'no numbers\n' : formatClipCsv(frames.slice(0, (20 + 10 * k) * width), width));
    const output = { path: path.join(folder, `c${k}.npz`), mirrored: false, refresh: false };
    const source = { path: file, format: 'csv' as const, raw: true, bytes: 1 };
    return { clip: `c${k}`, source, outputs: [output], notes: [], robot, options };
  };
  const ends = await convertClipFiles([0, 1, 2, 3, 4].map(order), 2);
  expect(ends.map((end) => (end.ok ? end.report.inputFrames : end.code))).toEqual([20, 30, 'bad_input', 50, 60]);
  const made = readdirSync(folder).filter((name) => name.endsWith('.npz'));
  expect(made.sort()).toEqual(['c0.npz', 'c1.npz', 'c3.npz', 'c4.npz']);
  for (const [k, end] of ends.entries()) {
    if (!end.ok) continue;
    const { frames: written, jointPos } = await readMotionNpz(path.join(folder, `c${k}.npz`));
    expect(written).toBe(end.report.frames);
    // Row 0 is the first row of the source: the memory of one clip was not reused before it was written.
    expect(jointPos[0]).toBeCloseTo(frames[7]!, 5);
  }
});
