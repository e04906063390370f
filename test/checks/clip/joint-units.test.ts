import { expect, test } from 'vitest';
import { CheckedClip } from '../../../src/checks/clip/checked-clip.ts';
import { JOINT_CHECKS } from '../../../src/checks/clip/joint-checks.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';

test('the value and the limit of a shaking slide are both in m/s²', () => {
  const joints = [{ name: 'lift', type: 'slide', lower: -1, upper: 1, velocityLimit: null, body: 0 }];
  const facts = { joints, bodies: [{ name: 'mast', parent: -1 }], wiring: { feet: [] } };
  const robot = { facts } as unknown as ClipRobot;
  // Steps of ± 2 cm at 100 Hz: second differences of 0.04 m · 100² / s² = 400 m/s², above 0.32 of the limit and below
  // it.
  const rows = Float64Array.from({ length: 12 * 8 }, (_, k) =>
    k % 8 === 7 ? ((k >> 3) % 2) * 0.02 : k % 8 === 3 ? 1 : 0,
  );
  const clip = new CheckedClip(robot, { fps: 100, frames: 12, rows }, {});
  const check = JOINT_CHECKS.find(({ kind }) => kind === 'joint_acceleration')!;
  expect(check.run(clip, { limit: 1000 }).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^lift .* shakes with 400 m\/s² to and fro .* \(tolerated: 320 m\/s²\)\.$/),
  ]);
});
