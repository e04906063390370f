import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../src/formats/motion-npz-write.ts';
import { tryTraining } from '../../src/train/dry-run/try-training.ts';
import { firstFrames } from '../support/first-frames.ts';
import { trainingOrder } from '../support/training-order.ts';

test('the check of clips warns of clips that are too short for a start', async () => {
  const { order, folder } = await trainingOrder();
  const { config, robot, clips, threads } = order;
  const whole = await readMotionNpz(clips[0]!.path);
  const frames = 75; // 1.5 s
  const file = path.join(folder, 'npz', 'short.npz');
  const short = firstFrames(whole, frames);
  writeFileSync(file, Buffer.concat(formatMotionNpz(short, '{}')));
  const both = [...clips, { name: 'short', path: file }];
  const { motion } = config.commands;
  const textOf = async (files: typeof both, rsi: Partial<typeof motion.rsi> = {}) => {
    const commands = { motion: { ...motion, rsi: { ...motion.rsi, ...rsi } } };
    const { checks } = await tryTraining({ config: { ...config, commands }, robot, clips: files, threads });
    return checks.find(({ name }) => name === 'clips')!.text;
  };
  expect(await textOf(both)).not.toContain('starts');
  expect(await textOf(both, { before_failures: false })).toMatch(
    /^2 clips, .*; 1 of them is shorter than 2 s, so no episode starts there\. .*commands\.motion\.rsi\.min_bin_span_ratio to 0$/,
  );
  // 0.7 · 3 is 2.0999999999999996
  expect(await textOf(both, { before_failures: false, bin_width_s: 3, min_bin_span_ratio: 0.7 })).toMatch(
    /shorter than 2\.1 s/,
  );
  expect(await textOf([both[1]!], { before_failures: false })).not.toContain('starts');
  rmSync(folder, { recursive: true });
});
