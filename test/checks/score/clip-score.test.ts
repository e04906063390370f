import { beforeAll, describe, expect, test } from 'vitest';
import { CheckedClip } from '../../../src/checks/clip/checked-clip.ts';
import { clipScore } from '../../../src/checks/score/clip-score.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { resample } from '../../../src/motion/convert/resample.ts';
import { PROCEDURAL_CLIPS } from '../../../src/motion/procedural/generate-clip.ts';
import { builtinClip } from '../../support/clips.ts';
import { humanoidClipRobot } from '../../support/robots.ts';

let robot: ClipRobot;
beforeAll(async () => {
  robot = await humanoidClipRobot();
}, 60_000);

const scoreOf = (clip: ClipRows) => clipScore(new CheckedClip(robot, clip, {}))!;

/** Returns the clip with changed rows. @param change changes one row (nq,) in place */
function changed({ fps, frames, rows }: ClipRows, change: (row: Float64Array, frame: number) => void): ClipRows {
  const out = Float64Array.from(rows);
  for (let frame = 0; frame < frames; frame++) change(out.subarray(frame * robot.nq, (frame + 1) * robot.nq), frame);
  return { fps, frames, rows: out };
}

describe('the built-in clips', () => {
  test('the built-in clips are feasible, on the floor and within the torque limits', () => {
    for (const name of PROCEDURAL_CLIPS) {
      const { feasibility, torque, collision, airborne, support } = scoreOf(builtinClip(name));
      expect([name, feasibility, collision, airborne]).toEqual([name, expect.closeTo(1, 1), 0, 0]);
      expect(torque).toBeLessThan(0.5);
      expect(support).toBeLessThan(0.01);
    }
  });

  test('the scores order the built-in clips by how demanding they are', () => {
    const complexity = (name: 'idle_sway' | 'arm_wave' | 'squat') => scoreOf(builtinClip(name)).complexity;
    expect(complexity('idle_sway')).toBeLessThan(complexity('arm_wave'));
    expect(complexity('arm_wave')).toBeLessThan(complexity('squat'));
  });

  test('the built-in clips score the same at another frame rate', () => {
    const slow = scoreOf(builtinClip('squat'));
    const fast = scoreOf(resample(builtinClip('squat'), 50));
    for (const key of ['feasibility', 'complexity', 'torque', 'support', 'airborne'] as const)
      expect(fast[key]).toBeCloseTo(slow[key], 1);
  });
});

test('a clip played four times as fast needs more torque, has more jerk, and is more complex', () => {
  const squat = builtinClip('squat');
  const slow = scoreOf(squat);
  const fast = scoreOf({ ...squat, fps: 4 * squat.fps });
  expect(fast.torque).toBeGreaterThan(1.5 * slow.torque);
  expect(fast.jerk).toBeGreaterThan(10 * slow.jerk);
  expect(fast.complexity).toBeGreaterThan(slow.complexity);
  expect(fast.feasibility).toBeLessThan(slow.feasibility);
});

test('a robot that hangs in the air is airborne and not feasible', () => {
  const { feasibility, airborne } = scoreOf(changed(builtinClip('squat'), (row) => (row[2] = row[2]! + 0.3)));
  expect({ feasibility, airborne }).toEqual({ feasibility: 0, airborne: 1 });
});

test('a robot that leans without moving is not supported', () => {
  const lean = 0.35; // rad about y, around the soles
  const { support, feasibility } = scoreOf(
    changed(builtinClip('idle_sway'), (row) => {
      const [x, z] = [row[0]!, row[2]!];
      row.set([x * Math.cos(lean) + z * Math.sin(lean), row[1]!, z * Math.cos(lean) - x * Math.sin(lean)]);
      row.set([Math.cos(lean / 2), 0, Math.sin(lean / 2), 0], 3);
    }),
  );
  expect(support).toBeGreaterThan(0.05);
  expect(feasibility).toBeLessThan(0.9);
});

test('legs that pass through each other are counted by time', () => {
  const left = robot.facts.joints.findIndex(({ name }) => name === 'left_hip_roll_joint');
  const right = robot.facts.joints.findIndex(({ name }) => name === 'right_hip_roll_joint');
  const { collision } = scoreOf(
    changed(builtinClip('idle_sway'), (row, frame) => {
      if (frame < 120) return;
      row[7 + left] = -0.6;
      row[7 + right] = 0.6;
    }),
  );
  expect(collision).toBeCloseTo(0.5, 1);
});
