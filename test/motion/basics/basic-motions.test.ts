import { describe, expect, test } from 'vitest';
import { CheckedClip } from '../../../src/checks/clip/checked-clip.ts';
import { clipScore } from '../../../src/checks/score/clip-score.ts';
import { BASIC_MOTIONS, generateBasic } from '../../../src/motion/basics/basic-motions.ts';
import { trackFeet } from '../../../src/motion/edit/foot-frame.ts';
import { hasKit } from '../../support/kit.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';

const ROBOTS = [
  ['the built-in humanoid', humanoidClipRobot],
  ...(hasKit ? [['the G1 of the kit', g1ClipRobot] as const] : []),
] as const;

describe.each(ROBOTS)('%s', (_, open) => {
  test.each(BASIC_MOTIONS)('%s is smooth, balanced and within the limits, with the feet on the floor', async (name) => {
    const robot = await open();
    const clip = generateBasic(robot, name);
    const { nq, facts } = robot;
    const { lowest } = trackFeet(robot, clip);
    for (const height of lowest) expect(Math.abs(height)).toBeLessThan(0.01);
    let fastest = 0;
    for (let frame = 0; frame < clip.frames; frame += 1)
      for (const [k, { lower, upper }] of facts.joints.entries()) {
        const angle = clip.rows[frame * nq + 7 + k]!;
        expect(angle).toBeGreaterThanOrEqual(lower ?? -Infinity);
        expect(angle).toBeLessThanOrEqual(upper ?? Infinity);
        if (frame > 0) fastest = Math.max(fastest, clip.fps * Math.abs(angle - clip.rows[(frame - 1) * nq + 7 + k]!));
      }
    expect(fastest).toBeLessThan(6);
    const score = clipScore(new CheckedClip(robot, clip, {}))!;
    expect(score.feasibility).toBeGreaterThan(0.95);
    expect(score.complexity).toBeLessThan(0.35);
  });

  test('a turn ends with another heading, and the feet were lifted during it', async () => {
    const robot = await open();
    const { rows, frames } = generateBasic(robot, 'turn');
    const last = rows.subarray((frames - 1) * robot.nq, frames * robot.nq);
    expect(2 * Math.atan2(last[6]!, last[3]!)).toBeGreaterThan(1);
    const step = generateBasic(robot, 'step');
    const { places } = trackFeet(robot, step);
    for (const place of places) {
      const heights = place.filter((__, k) => k % 3 === 2);
      expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(0.03);
    }
  });
});
