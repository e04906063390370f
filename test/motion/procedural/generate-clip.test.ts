import { beforeAll, describe, expect, test } from 'vitest';
import { yawOf } from '../../../src/core/math/quaternion.ts';
import { type GeneratedClip, generateClip, PROCEDURAL_CLIPS } from '../../../src/motion/procedural/generate-clip.ts';
import { humanoidSpec } from '../../../src/robots/humanoid/humanoid.ts';
import { type Bench, type Measures, openBench } from './clip-measures.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});

const rows = ({ frames, width }: GeneratedClip) =>
  Array.from({ length: frames.length / width }, (_, k) => frames.subarray(k * width, (k + 1) * width));
const headingOf = ([, , , x, y, z, w]: Float64Array) => yawOf([w!, x!, y!, z!]);

test('there are six built-in clips', () => {
  expect(PROCEDURAL_CLIPS).toEqual(['idle_sway', 'squat', 'step_in_place', 'walk_forward', 'arm_wave', 'turn']);
});

describe.each(PROCEDURAL_CLIPS)('%s', (name) => {
  const clip = generateClip(name);
  let found: Measures;
  beforeAll(() => {
    found = bench.measure(clip);
  });

  test('a built-in clip lasts at least 5 s at 30 frames per second, with one column per joint', () => {
    expect(clip.fps).toBe(30);
    expect(clip.width).toBe(7 + bench.built.facts.joints.length);
    expect((rows(clip).length - 1) / clip.fps).toBeGreaterThanOrEqual(5);
  });

  test('a built-in clip is finite, with unit quaternions', () => {
    expect(found.finite).toBe(true);
    expect(found.quaternionError).toBeLessThan(1e-6);
  });

  test('a built-in clip stays within 90 % of every joint range', () => {
    expect(found.beyondLimit).toBeLessThanOrEqual(0);
    expect(found.beyondSoftLimit).toBeLessThanOrEqual(0);
  });

  test('a built-in clip is smooth: no joint beyond its top speed or 1000 rad/s², no jump of the root', () => {
    const slowest = Math.min(...bench.built.facts.joints.map((joint) => joint.velocityLimit!));
    expect(found.speed).toBeLessThan(slowest / 2);
    expect(found.acceleration).toBeLessThan(200);
    expect(found.rootMove).toBeLessThan(0.05); // a third of the warning threshold of the check
    expect(found.rootTurn).toBeLessThan(0.1);
  });

  test('a built-in clip has a sole on the floor in every frame and none below it', () => {
    expect(found.deepest).toBeGreaterThan(-0.001);
    expect(found.floating).toBeLessThan(0.001);
  });

  test('a built-in clip does not slide: a sole on the floor keeps its place', () => {
    expect(found.slidingFrames).toBe(0);
    expect(found.flatSoleSpeed).toBeLessThan(0.02);
  });

  test('the robot never touches itself in a built-in clip', () => {
    expect(found.selfContacts).toEqual([]);
  });

  test('a built-in clip begins and ends at rest in the default pose', () => {
    const all = rows(clip);
    const { joints } = bench.built.facts;
    for (const row of [all[0]!, all[1]!, all.at(-2)!, all.at(-1)!]) {
      expect(row[2]).toBeCloseTo(humanoidSpec().root_height, 3);
      for (const [j, joint] of joints.entries()) expect(Math.abs(row[7 + j]! - joint.default)).toBeLessThan(2e-3);
    }
  });

  test('a built-in clip is generated identically every time', () => {
    expect(generateClip(name).frames).toEqual(clip.frames);
  });
});

test('walk_forward goes straight ahead for more than 2 m at a walking pace', () => {
  const all = rows(generateClip('walk_forward'));
  expect(all.at(-1)![0]! - all[0]![0]!).toBeGreaterThan(2);
  expect(Math.abs(all.at(-1)![1]!)).toBeLessThan(1e-3);
  // In the middle of the clip, a step of 0.3 m takes 0.56 s.
  const middle = Math.floor(all.length / 2);
  const speed = ((all[middle + 17]![0]! - all[middle]![0]!) * 30) / 17;
  expect(speed).toBeGreaterThan(0.5);
  expect(speed).toBeLessThan(0.57);
});

test('turn ends half a turn to the left, where it began', () => {
  const all = rows(generateClip('turn'));
  expect(Math.abs(headingOf(all.at(-1)!))).toBeGreaterThan(Math.PI - 1e-6);
  expect(headingOf(all[Math.floor(all.length / 2)]!)).toBeGreaterThan(0.5);
  expect(Math.hypot(all.at(-1)![0]!, all.at(-1)![1]!)).toBeLessThan(0.02);
});

test('squat lowers the pelvis by 0.21 m three times', () => {
  const heights = rows(generateClip('squat')).map((row) => row[2]!);
  const low = humanoidSpec().root_height - 0.2;
  const dips = heights.filter((z, k) => k > 0 && z < low && heights[k - 1]! >= low);
  expect(dips).toHaveLength(3);
});
