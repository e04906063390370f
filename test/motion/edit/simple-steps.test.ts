import { beforeAll, describe, expect, test } from 'vitest';
import { angleBetween, yawOf } from '../../../src/core/math/quaternion.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { type BodyMotion, bodyMotion } from '../../../src/motion/convert/body-motion.ts';
import { clipVelocities } from '../../../src/motion/convert/velocities.ts';
import { applySteps } from '../../../src/motion/edit/apply-steps.ts';
import { trackFeet } from '../../../src/motion/edit/foot-frame.ts';
import type { EditStep } from '../../../src/protocol/schemas/edit.ts';
import { builtinClip, cutClip, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';

let robot: ClipRobot;
let walk: ClipRows;
beforeAll(async () => {
  robot = await humanoidClipRobot();
  walk = builtinClip('walk_forward');
});

function edited(clip: ClipRows, ...steps: EditStep[]): ClipRows[] {
  return applySteps(clip, steps, { robot, appended: new Map() });
}

function only(clip: ClipRows, ...steps: EditStep[]): ClipRows {
  const parts = edited(clip, ...steps);
  expect(parts).toHaveLength(1);
  return parts[0]!;
}

const rowOf = ({ rows, frames }: ClipRows, frame: number) => {
  const width = rows.length / frames;
  return [...rows.subarray(frame * width, (frame + 1) * width)];
};

/** Returns a clip of one joint whose value is the frame's number. */
function ramp(frames: number, fps: number): ClipRows {
  return {
    fps,
    frames,
    rows: Float64Array.from({ length: 8 * frames }, (_, k) => (k % 8 === 3 ? 1 : k % 8 === 7 ? k >> 3 : 0)),
  };
}

describe('trim', () => {
  test.each([
    [0, 1, 30, 0, 30],
    [0.7, 1.1, 30, 21, 33], // from 0.7 s at 30 fps is frame 21, though 0.7 · 30 is 20.999… in floating point
    [0.04, 0.3, 30, 1, 9],
    [1 / 3, 2 / 3, 120, 40, 80],
    [0.1, 0.29999, 50, 5, 14],
  ])('trim from %f s to %f s at %i Hz keeps the frames %i to %i unchanged', (from, to, fps, first, last) => {
    const clip = ramp(200, fps);
    const part = only(clip, { trim: { from_s: from, to_s: to } });
    expect(part.frames).toBe(last - first + 1);
    expect(rowOf(part, 0)).toEqual(rowOf(clip, first));
    expect(rowOf(part, part.frames - 1)).toEqual(rowOf(clip, last));
  });

  test('trim refuses times outside of the clip with the step and the field', () => {
    expect(() => edited(ramp(31, 30), { trim: { from_s: 0, to_s: 2 } })).toThrow(
      'steps[0].trim.to_s: 2 s is after the last frame: the clip ends at 1.000 s',
    );
    expect(() => edited(ramp(31, 30), { trim: { from_s: 0.5, to_s: 0.2 } })).toThrow('before from_s');
    expect(() => edited(ramp(31, 30), { trim: { from_s: 0.5, to_s: 0.5 } })).toThrow('expected at least 3');
  });
});

describe('split', () => {
  test('split: parts of every_s follow each other without a gap, and a last part under 1 s is dropped', () => {
    const parts = edited(ramp(100, 30), { split: { every_s: 1.5 } });
    expect(parts.map(({ frames }) => frames)).toEqual([45, 45]);
    expect(parts.map((part) => rowOf(part, 0)[7])).toEqual([0, 45]);
  });

  test('split: consecutive parts share overlap_s', () => {
    const parts = edited(ramp(150, 30), { split: { every_s: 2, overlap_s: 0.5 } });
    expect(parts.map((part) => rowOf(part, 0)[7])).toEqual([0, 45, 90]);
    expect(parts.map(({ frames }) => frames)).toEqual([60, 60, 60]);
  });

  test('split at pauses cuts in the middle of a pause, and not at the ends', () => {
    const clip = ramp(200, 50);
    const value = (k: number) => (k < 80 ? k : k < 120 ? 80 : k - 40) / 10;
    for (let k = 0; k < 200; k += 1) clip.rows[8 * k + 7] = value(k);
    const parts = edited(clip, { split: { at: 'pauses' } });
    expect(parts.map(({ frames }) => frames)).toEqual([100, 100]);
    expect(parts.flatMap(({ rows }) => [...rows])).toEqual([...clip.rows]);
  });

  test('steps after a split apply to each part', () => {
    const parts = edited(walk, { split: { every_s: 2 } }, { origin: true });
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect([...part.rows.subarray(0, 2)]).toEqual([0, 0]);
  });

  test('split requires exactly one of every_s and at', () => {
    expect(() => edited(walk, { split: {} })).toThrow('steps[0].split: give either every_s or at');
    expect(() => edited(walk, { split: { every_s: 2, overlap_s: 2 } })).toThrow(
      'steps[0].split.overlap_s: 2 s must be',
    );
  });
});

describe('speed', () => {
  test('speed: factor 2 keeps every second frame exactly, factor 0.5 adds frames in between', () => {
    const fast = only(walk, { speed: 2 });
    expect(fast.frames).toBe(Math.floor((walk.frames - 1) / 2) + 1);
    for (let frame = 0; frame < fast.frames; frame += 1) expect(rowOf(fast, frame)).toEqual(rowOf(walk, 2 * frame));
    const slow = only(walk, { speed: 0.5 });
    expect(slow.frames).toBe(2 * walk.frames - 1);
    for (let frame = 0; frame < walk.frames; frame += 1) expect(rowOf(slow, 2 * frame)).toEqual(rowOf(walk, frame));
  });

  test('speed keeps the frame rate, and interpolates rotations along the great circle', () => {
    const clip = ramp(3, 10);
    clip.rows.set([Math.SQRT1_2, 0, 0, Math.SQRT1_2], 8 + 3); // 90° about z
    const slow = only(clip, { speed: 0.25 });
    expect(slow.fps).toBe(10);
    expect([1, 2, 3].map((frame) => yawOf(rowOf(slow, frame).slice(3, 7)) / (Math.PI / 2))).toEqual([
      expect.closeTo(0.25, 9),
      expect.closeTo(0.5, 9),
      expect.closeTo(0.75, 9),
    ]);
  });
});

describe('smooth', () => {
  test('smooth keeps slow motion in place and time, halves motion at the cutoff, and removes fast motion', () => {
    const fps = 100;
    const amplitude = (hz: number) => {
      const clip = ramp(1000, fps);
      for (let k = 0; k < 1000; k += 1) clip.rows[8 * k + 7] = Math.sin((2 * Math.PI * hz * k) / fps);
      const { rows } = only(clip, { smooth: { cutoff_hz: 5 } });
      let [inPhase, outOfPhase] = [0, 0];
      for (let k = 300; k < 700; k += 1) {
        inPhase += (rows[8 * k + 7]! * Math.sin((2 * Math.PI * hz * k) / fps)) / 200;
        outOfPhase += (rows[8 * k + 7]! * Math.cos((2 * Math.PI * hz * k) / fps)) / 200;
      }
      expect(Math.abs(outOfPhase)).toBeLessThan(1e-3);
      return inPhase;
    };
    expect(amplitude(0.5)).toBeCloseTo(1, 3);
    expect(amplitude(5)).toBeCloseTo(0.5, 3);
    expect(amplitude(25)).toBeLessThan(1e-3);
  });

  test('smooth treats a quaternion and its negative as one rotation, and the result has unit length', () => {
    const flipped = { ...walk, rows: Float64Array.from(walk.rows) };
    const width = walk.rows.length / walk.frames;
    for (let frame = 100; frame < walk.frames; frame += 1)
      for (let k = 3; k < 7; k += 1) flipped.rows[frame * width + k] = -flipped.rows[frame * width + k]!;
    const [a, b] = [walk, flipped].map((clip) => only(clip, { smooth: { cutoff_hz: 3 } })) as [ClipRows, ClipRows];
    for (let frame = 0; frame < walk.frames; frame += 1) {
      const q = rowOf(a, frame).slice(3, 7);
      expect(angleBetween(q, rowOf(b, frame).slice(3, 7))).toBeLessThan(1e-9);
      expect(Math.hypot(...q)).toBeCloseTo(1, 12);
    }
  });

  test('smooth refuses a cutoff beyond half of the frame rate', () => {
    expect(() => edited(ramp(50, 30), { smooth: { cutoff_hz: 15 } })).toThrow(
      'steps[0].smooth.cutoff_hz: 15 Hz is too high for 30 frames per second. Choose less than 15 Hz',
    );
  });
});

test('a mirrored clip moves the other foot on the other side at the same height', () => {
  const [own, image] = [walk, only(walk, { mirror: true })].map((clip) =>
    bodyMotion(robot, clip, clipVelocities(clip)),
  ) as [BodyMotion, BodyMotion];
  const names = robot.facts.bodies.map(({ name }) => name);
  const [left, right] = robot.facts.wiring.feet.map((foot) => names.indexOf(foot)) as [number, number];
  for (let frame = 0; frame < walk.frames; frame += 1) {
    const at = (body: number) => 3 * (frame * robot.nbody + body);
    for (const [foot, other] of [
      [left, right],
      [right, left],
    ] as const)
      for (const [axis, sign] of [1, -1, 1].entries())
        expect(image.posW[at(foot) + axis]).toBeCloseTo(sign * own.posW[at(other) + axis]!, 5);
  }
});

test('mirroring twice gives the same clip', () => {
  const once = only(walk, { mirror: true });
  expect(once.rows).not.toEqual(walk.rows);
  // Adding 0 turns −0 into 0.
  expect(only(once, { mirror: true }).rows.map((value) => value + 0)).toEqual(walk.rows.map((value) => value + 0));
});

test('origin moves the start to x = y = 0 with heading 0, and keeps every step of the motion', () => {
  const there = only(walk, { trim: { from_s: 2, to_s: 5 } });
  const width = walk.rows.length / walk.frames;
  for (const clip of [there, only(there, { mirror: true })]) {
    const moved = only(clip, { origin: true });
    expect([...moved.rows.subarray(0, 2)]).toEqual([0, 0]);
    expect(yawOf(moved.rows.subarray(3, 7))).toBeCloseTo(0, 12);
    for (let at = width; at < clip.rows.length; at += width) {
      const step = (rows: Float64Array) =>
        Math.hypot(rows[at]! - rows[at - width]!, rows[at + 1]! - rows[at - width + 1]!);
      expect(step(moved.rows)).toBeCloseTo(step(clip.rows), 9);
      expect([...moved.rows.subarray(at + 7, at + width)]).toEqual([...clip.rows.subarray(at + 7, at + width)]);
    }
  }
});

test('floor puts the lowest sole on the ground; applied again, it changes nothing', () => {
  const raised = { ...walk, rows: Float64Array.from(walk.rows) };
  const width = walk.rows.length / walk.frames;
  for (let at = 2; at < raised.rows.length; at += width) raised.rows[at] = raised.rows[at]! + 0.25;
  const [a, b] = [walk, raised].map((clip) => only(clip, { floor: true })) as [ClipRows, ClipRows];
  const again = only(b, { floor: true });
  expect(Math.abs(Math.min(...trackFeet(robot, b).lowest))).toBeLessThan(0.005);
  for (let at = 2; at < a.rows.length; at += width) {
    expect(b.rows[at]).toBeCloseTo(a.rows[at]!, 6);
    expect(again.rows[at]).toBeCloseTo(b.rows[at]!, 6);
  }
});

test('a step must have exactly one field', () => {
  expect(() => edited(walk, {})).toThrow('steps[0]: must have exactly one field');
  expect(() => edited(walk, { floor: true }, { mirror: true, floor: true })).toThrow('it has mirror, floor');
});

describe.skipIf(!hasKit)('on clips of the kit', () => {
  test('steps never change their input, also on clips of the kit', async () => {
    robot = await g1ClipRobot();
    const clip = cutClip(kitClip('dance1_subject2'), 600, 300);
    const before = Float64Array.from(clip.rows);
    const steps: EditStep[] = [
      { trim: { from_s: 1, to_s: 8 } },
      { speed: 1.25 },
      { smooth: { cutoff_hz: 6 } },
      { mirror: true },
      { floor: true },
      { origin: true },
      { append: { clip: 'other', blend_s: 0.5 } },
      { stand_in: 1 },
      { stand_out: 1 },
      { split: { every_s: 3 } },
    ];
    const parts = applySteps(clip, steps, { robot, appended: new Map([['other', clip]]) });
    expect(parts.length).toBeGreaterThan(3);
    expect(clip.rows).toEqual(before);
    for (const part of parts) expect(part.rows.every(Number.isFinite)).toBe(true);
  });
});
