import { describe, expect, test } from 'vitest';
import type { RawClip } from '../../src/formats/raw-clip.ts';
import { applyFixes, asksDebias, type FixedSource, fixText, parseFix } from '../../src/motion/fixes.ts';

const JOINTS = ['hip', 'knee', 'ankle'];
const RAW: FixedSource = { joints: JOINTS, motion: null };

/** Returns a clip whose row f is: position (f, 0, 1), quaternion 0.1 0.2 0.3 0.9, joints 10f+1 10f+2 10f+3. */
function clip(frames: number): RawClip {
  const rows = Array.from({ length: frames }, (_, f) => [
    ...[f, 0, 1],
    ...[0.1, 0.2, 0.3, 0.9],
    ...[10 * f + 1, 10 * f + 2, 10 * f + 3],
  ]);
  return { rows: Float64Array.from(rows.flat()), frames, columns: 10, fps: null, jointNames: null };
}

const row = (of: RawClip, frame: number) => [...of.rows.subarray(frame * of.columns, (frame + 1) * of.columns)];

describe('texts of repairs', () => {
  test.each([
    'swap_quaternion',
    'normalize_quaternion',
    'reorder_joints:knee,hip,ankle',
    'reorder_bodies',
    'reorder_bodies:7',
    'trim_first_frame',
    'trim_first_frame:3',
    'input_fps:119.88',
    'debias_z',
  ])('the text of the repair %s is read and written back', (text) => {
    expect(fixText(parseFix(text))).toBe(text);
  });

  test.each([
    ['polish', /fixes\.2: "polish" is not a known fix. Known fixes: swap_quaternion,/],
    ['swap_quaternion:yes', /fixes\.2: swap_quaternion does not accept a value/],
    ['reorder_joints', /reorder_joints needs the joints/],
    ['reorder_joints:a,,b', /reorder_joints needs the joints/],
    ['reorder_joints:a,b,a', /names "a" twice/],
    ['trim_first_frame:0', /requires an integer from 1 to/],
    ['reorder_bodies:-1', /requires an integer from 0 to/],
    ['reorder_bodies:1e3', /requires an integer/],
    ['input_fps:0', /number > 0/],
    ['input_fps', /number > 0/],
    ['input_fps:fast', /number > 0/],
  ])('the text %s is refused with the valid ones', (text, message) => {
    expect(() => parseFix(text, 'fixes.2')).toThrow(message);
  });
});

describe('applying repairs', () => {
  test('applying repairs leaves the source unchanged', () => {
    const source = clip(5);
    const before = row(source, 2);
    applyFixes(source, ['swap_quaternion', 'reorder_joints:ankle,hip,knee', 'trim_first_frame'], RAW);
    expect(row(source, 2)).toEqual(before);
    expect(source.frames).toBe(5);
  });

  test('a raw clip with quaternions w x y z is reordered to x y z w', () => {
    expect(row(applyFixes(clip(3), ['swap_quaternion'], RAW), 1).slice(3, 7)).toEqual([0.2, 0.3, 0.9, 0.1]);
  });

  test('an npz with quaternions x y z w is reordered to w x y z', () => {
    // The file contains 0.1 0.2 0.3 0.9 as xyzw. The reader assumes wxyz and returns 0.2 0.3 0.9 0.1.
    const read = clip(3);
    for (let f = 0; f < 3; f++) read.rows.set([0.2, 0.3, 0.9, 0.1], f * 10 + 3);
    const motion = { bodies: 1, bodyPosW: new Float32Array(9), bodyQuatW: new Float32Array(12) };
    const fixed = applyFixes(read, ['swap_quaternion'], { joints: JOINTS, motion });
    expect(row(fixed, 2).slice(3, 7)).toEqual([0.1, 0.2, 0.3, 0.9]);
  });

  test('quaternions are normalised; zero quaternions are left for the reader to refuse', () => {
    const source = clip(3);
    source.rows.set([0, 0, 0, 2], 3);
    source.rows.set([0, 0, 0, 0], 13);
    const fixed = applyFixes(source, ['normalize_quaternion'], RAW);
    expect(row(fixed, 0).slice(3, 7)).toEqual([0, 0, 0, 1]);
    expect(row(fixed, 1).slice(3, 7)).toEqual([0, 0, 0, 0]);
    expect(Math.hypot(...row(fixed, 2).slice(3, 7))).toBeCloseTo(1, 12);
  });

  test('y up becomes z up for position and orientation', () => {
    const source = clip(3);
    source.rows.set([1, 2, 3, 0, 0, 0, 1], 0);
    const fixed = row(applyFixes(source, ['y_up'], RAW), 0);
    expect(fixed.slice(0, 3)).toEqual([1, -3, 2]);
    // A quarter turn about x turns y up into z up.
    for (const [k, value] of [Math.SQRT1_2, 0, 0, Math.SQRT1_2].entries()) expect(fixed[3 + k]).toBeCloseTo(value, 12);
  });

  test('degrees become radians except for slide joints; positions are scaled to metres', () => {
    const fixed = applyFixes(clip(3), ['degrees', 'scale_positions:0.01'], { ...RAW, slides: ['knee'] });
    const before = row(clip(3), 1);
    const after = row(fixed, 1);
    expect(after[7]).toBeCloseTo((before[7]! * Math.PI) / 180, 12);
    expect(after[8]).toBe(before[8]);
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3).map((value) => value * 0.01));
    expect(() => parseFix('scale_positions:0')).toThrow(/scale_positions: requires a number > 0/);
  });

  test('joint columns are reordered to the robot’s, with its names', () => {
    const named = { ...clip(3), jointNames: ['hip', 'knee', 'ankle'] };
    const fixed = applyFixes(named, ['reorder_joints:ankle,hip,knee'], RAW);
    // Column 0 contained the ankle, column 1 the hip, column 2 the knee.
    expect(row(fixed, 1).slice(7)).toEqual([12, 13, 11]);
    expect(fixed.jointNames).toEqual(JOINTS);
  });

  test('an unknown or missing joint is named', () => {
    expect(() => applyFixes(clip(3), ['reorder_joints:ankle,hip,toe'], RAW)).toThrow(/"knee" is missing/);
    expect(() => applyFixes(clip(3), ['reorder_joints:ankle,hip'], RAW)).toThrow(/has 2 names/);
  });

  test('frames are dropped from the start, and at least three stay', () => {
    const fixed = applyFixes(clip(6), ['trim_first_frame:2'], RAW);
    expect(fixed.frames).toBe(4);
    expect(row(fixed, 0)[0]).toBe(2);
    expect(() => applyFixes(clip(6), ['trim_first_frame:4'], RAW)).toThrow(/4 of 6 frames/);
  });

  test('the root is located in the npz before its values are repaired', () => {
    const motion = {
      bodies: 2,
      bodyPosW: Float32Array.from({ length: 18 }, (_, k) => k),
      bodyQuatW: Float32Array.from({ length: 24 }, (_, k) => k),
    };
    const fixed = applyFixes(clip(3), ['swap_quaternion', 'reorder_bodies:1'], { joints: JOINTS, motion });
    // Frame 1, body 1: position 9 10 11. The file's quaternion 12 13 14 15 is in fact xyzw.
    expect(row(fixed, 1).slice(0, 7)).toEqual([9, 10, 11, 12, 13, 14, 15]);
    expect(() => applyFixes(clip(3), ['reorder_bodies:2'], { joints: JOINTS, motion })).toThrow(
      /must be from 0 to 1, the bodies of the file/,
    );
    expect(() => applyFixes(clip(3), ['reorder_bodies'], RAW)).toThrow(/no bodies/);
  });

  test('the repair sets the frame rate; debias_z is left to the converter', () => {
    expect(applyFixes(clip(3), ['input_fps:120'], RAW).fps).toBe(120);
    expect(row(applyFixes(clip(3), ['debias_z'], RAW), 1)).toEqual(row(clip(3), 1));
    expect(asksDebias(['swap_quaternion', 'debias_z'])).toBe(true);
    expect(asksDebias([])).toBe(false);
  });
});
