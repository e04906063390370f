import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadClip } from '../../../src/data/clip/load-clip.ts';
import { readMotionNpz } from '../../../src/formats/motion-npz.ts';
import { convertClip } from '../../../src/motion/convert/convert-clip.ts';
import { hasKit, KIT } from '../../support/kit.ts';
import { g1ClipRobot } from '../../support/robots.ts';

/** First frame of this clip in the part that upstream published. */
const FIRST = 3468;

describe.skipIf(!hasKit)('a clip that upstream converted', () => {
  const converted = async () => {
    const robot = await g1ClipRobot();
    const clip = await loadClip(`${KIT}/clips/fallAndGetUp1_subject1.csv`, 'csv', {
      columns: 36,
      jointNames: robot.facts.joints.map(({ name }) => name),
      fps: 30,
    });
    const { motion } = convertClip(robot, clip, { outputFps: 50, debiasZ: false });
    return { ours: motion, theirs: await readMotionNpz(readFileSync(`${KIT}/parity/getup_01.npz`)) };
  };
  const differences = (ours: Float32Array, theirs: Float32Array, width: number, first = 0, last = 231) => {
    const out: number[] = [];
    for (let frame = first; frame < last; frame += 1)
      for (let k = 0; k < width; k += 1)
        out.push(Math.abs(ours[(FIRST + frame) * width + k]! - theirs[frame * width + k]!));
    return out;
  };

  test('a converted clip has the same frames, joints and body poses as from the upstream converter', async () => {
    const { ours, theirs } = await converted();
    expect(theirs.frames).toBe(231);
    expect(ours.frames).toBe(8410);
    expect(Math.max(...differences(ours.jointPos, theirs.jointPos, 29))).toBeLessThan(2e-4);
    const distances = differences(ours.bodyPosW, theirs.bodyPosW, 90).sort((a, b) => a - b);
    expect(distances[Math.floor(0.99 * distances.length)]).toBeLessThan(1e-3);
    expect(distances.at(-1)).toBeLessThan(2.5e-3);
    const angles: number[] = [];
    for (let at = 0; at < 231 * 30; at += 1) {
      let dot = 0;
      for (let k = 0; k < 4; k += 1) dot += ours.bodyQuatW[4 * (FIRST * 30 + at) + k]! * theirs.bodyQuatW[4 * at + k]!;
      angles.push(Math.sqrt(Math.max(0, 2 - 2 * Math.abs(dot))));
    }
    angles.sort((a, b) => a - b);
    expect(angles[Math.floor(0.99 * angles.length)]).toBeLessThan(1e-3);
    expect(angles.at(-1)).toBeLessThan(2.5e-3);
  });

  test.each([
    ['joint velocities', 'jointVel', 29],
    ['linear velocities of the bodies', 'bodyLinVelW', 90],
    ['angular velocities of the bodies', 'bodyAngVelW', 90],
  ] as const)('a converted clip has upstream’s %s within 2 % of their size', async (_name, key, width) => {
    const { ours, theirs } = await converted();
    // Upstream cut the clip before computing differences, so two frames at each end differ.
    const errors = differences(ours[key], theirs[key], width, 2, 229);
    const rms = (values: readonly number[]) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
    const size = rms([...theirs[key].subarray(2 * width, 229 * width)]);
    expect(rms(errors) / size).toBeLessThan(0.02);
  });
});
