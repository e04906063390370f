import { describe, expect, test } from 'vitest';
import { CheckedClip } from '../../../src/checks/clip/checked-clip.ts';
import { clipScore } from '../../../src/checks/score/clip-score.ts';
import { BASIC_MOTIONS, generateBasic } from '../../../src/motion/basics/basic-motions.ts';
import { trackFeet } from '../../../src/motion/edit/foot-frame.ts';
import { inspected } from '../../support/inspected.ts';
import { hasKit } from '../../support/kit.ts';
import { dogMjcf, WALKER_MJCF } from '../../support/models.ts';
import { g1ClipRobot, humanoidClipRobot, walkerClipRobot } from '../../support/robots.ts';

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

test('legs that are straight in the default pose, with knees that bend both ways, bend', async () => {
  const robot = await walkerClipRobot(straightWalker());
  const { rows, frames } = generateBasic(robot, 'squat');
  const knee = 7 + robot.facts.joints.findIndex(({ name }) => name === 'left_knee_joint');
  const angles = Array.from({ length: frames }, (__, frame) => Math.abs(rows[frame * robot.nq + knee]!));
  expect(Math.max(...angles)).toBeGreaterThan(0.5);
  // A crouch by 2 % of the length of two links of 0.2 m.
  expect(angles[0]!).toBeGreaterThan(0.1);
});

test('feet that are the ends of lower legs, as those of many quadrupeds, stand and step on their soles', async () => {
  const { spec } = inspected(dogMjcf());
  const robot = await walkerClipRobot(dogMjcf(), { ...spec, version: 1, id: 'walker', model: 'walker.xml' });
  expect(robot.facts.wiring.feet).toEqual(['fl_calf', 'fr_calf', 'rl_calf', 'rr_calf']);
  for (const name of BASIC_MOTIONS) {
    const { lowest, soles } = trackFeet(robot, generateBasic(robot, name));
    for (const height of lowest) expect(Math.abs(height)).toBeLessThan(0.01);
    const highest = soles.map((sole) => Math.max(...sole.filter((_, k) => k % 3 === 2)));
    for (const height of highest)
      if (name === 'step' || name === 'turn') expect(height).toBeGreaterThan(0.02);
      else expect(height).toBeLessThan(0.015);
  }
});

/** Returns the walker with a link between knee and foot. */
function straightWalker(): string {
  return WALKER_MJCF.replaceAll('0 0 -0.35', '0 0 -0.15').replaceAll(
    /<body name="(\w+)_foot" pos="0 0 -0.4">\s*<joint (.*) range="0 2"\/>\s*(<geom .*\/>)/g,
    `<body name="$1_shank" pos="0 0 -0.2"><joint $2 range="-2 2"/><geom type="capsule" fromto="0 0 0 0 0 -0.15" size="0.03" mass="1"/>
      <body name="$1_foot" pos="0 0 -0.2">$3</body>`,
  );
}
