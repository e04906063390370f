import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadClip } from '../../../src/data/clip/load-clip.ts';
import { type ConversionOrder, convertClipFile } from '../../../src/data/conversion/convert-clip-file.ts';
import { conversionOf } from '../../../src/data/conversion/load-source.ts';
import { formatClipCsv } from '../../../src/formats/csv.ts';
import { readMotionNpz } from '../../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../../src/formats/motion-npz-write.ts';
import { joinParts } from '../../../src/formats/zip-write.ts';
import { formatConversion } from '../../../src/motion/conversion-options.ts';
import { convertClip } from '../../../src/motion/convert/convert-clip.ts';
import { mirrorMap, mirrorRows } from '../../../src/motion/convert/mirror.ts';
import { generateClip } from '../../../src/motion/procedural/generate-clip.ts';
import { clipSource, humanoidClipRobot, preparedHumanoid } from '../../support/robots.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'convert-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const CLIPS = ['walk_forward', 'squat', 'turn', 'squat'] as const;

test('clips converted in sequence, with mirror images, equal clips that are converted alone', async () => {
  const prepared = await preparedHumanoid();
  const robot = await humanoidClipRobot();
  const joints = robot.facts.joints.map(({ name }) => name);
  for (const [index, name] of CLIPS.entries()) {
    const { frames, width } = generateClip(name);
    const file = path.join(folder, `${name}.csv`);
    writeFileSync(file, formatClipCsv(frames.slice(0, (40 + 37 * index) * width), width));
    const outputs = [false, true].map((mirrored) => ({
      path: path.join(folder, `${name}${mirrored}.npz`),
      mirrored,
      refresh: false,
    }));
    const options = { inputFps: null, outputFps: 50, debiasZ: index % 2 === 1, fixes: null, defaultFps: 30, read: {} };
    const source = { path: file, format: 'csv' as const, raw: true, bytes: 1 };
    const order: ConversionOrder = { clip: name, source, outputs, notes: [], robot: clipSource(prepared), options };
    const report = await convertClipFile(order);

    const clip = await loadClip(file, 'csv', { columns: robot.nq, jointNames: joints, fps: 30 });
    const content = readFileSync(file);
    const identity = `${content.length} ${crc32(content).toString(16)}`;
    let bytes = 0;
    for (const { path: npz, mirrored } of outputs) {
      const shown = mirrored ? mirrorRows(clip, mirrorMap(robot)) : clip;
      const { motion } = convertClip(robot, shown, { outputFps: 50, debiasZ: options.debiasZ });
      const record = {
        inputFps: 30,
        outputFps: 50,
        debiasZ: options.debiasZ,
        mirrored,
        fixes: [],
        source: identity,
        read: {},
      };
      const expected = joinParts(formatMotionNpz(motion, formatConversion(record)));
      expect([name, mirrored, readFileSync(npz).equals(expected)]).toEqual([name, mirrored, true]);
      bytes += expected.length;
      expect((await conversionOf(npz))?.source).toBe(identity);
    }
    const { frames: converted } = await readMotionNpz(outputs[0]!.path);
    expect(report).toMatchObject({ inputFrames: 40 + 37 * index, frames: converted, bytes });
  }
});

test('a clip whose mirror image cannot be computed writes no file', async () => {
  const prepared = await preparedHumanoid();
  const source = clipSource(prepared);
  const facts = {
    ...source.facts,
    joints: source.facts.joints.map((joint) =>
      joint.name.startsWith('right_')
        ? { ...joint, name: joint.name.replace('right_', 'other_'), type: 'slide' as const }
        : joint,
    ),
  };
  const { frames, width } = generateClip('squat');
  const file = path.join(folder, 'onesided.csv');
  writeFileSync(file, formatClipCsv(frames, width));
  const outputs = [false, true].map((mirrored) => ({
    path: path.join(folder, `onesided${mirrored}.npz`),
    mirrored,
    refresh: false,
  }));
  const options = { inputFps: null, outputFps: 50, debiasZ: false, fixes: null, defaultFps: 30, read: {} };
  // Use a different path, because a thread caches robots by path.
  const physicsPath = path.join(folder, 'other.mjb');
  writeFileSync(physicsPath, readFileSync(source.physicsPath));
  const order: ConversionOrder = {
    ...{ clip: 'onesided', source: { path: file, format: 'csv', raw: true, bytes: 1 }, outputs, notes: [], options },
    robot: { physicsPath, facts },
  };
  await expect(convertClipFile(order)).rejects.toThrow(/mirror: joint left_\w+ has no partner/);
  for (const { path: npz } of outputs) expect(() => readFileSync(npz)).toThrow('ENOENT');
});
