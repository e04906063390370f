import { beforeAll, expect, test } from 'vitest';
import { CheckedClip } from '../../../src/checks/clip/checked-clip.ts';
import { clipScore } from '../../../src/checks/score/clip-score.ts';
import { offBalance } from '../../../src/checks/score/off-balance.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { resample } from '../../../src/motion/convert/resample.ts';
import { PROCEDURAL_CLIPS } from '../../../src/motion/procedural/generate-clip.ts';
import { builtinClip, cutClip, KIT_CLIPS, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { WALKER_MJCF } from '../../support/models.ts';
import { g1ClipRobot, humanoidClipRobot, walkerClipRobot } from '../../support/robots.ts';

let robot: ClipRobot;
beforeAll(async () => {
  robot = await humanoidClipRobot();
}, 60_000);

const found = (clip: ClipRows) => offBalance(new CheckedClip(robot, clip, {}));

/** Returns a swaying robot that leans forward around its soles.
 *  @param lean rad, at a time in s  @param x position of the root along x, m, at a time in s */
function leaning(lean: (s: number) => number, x: (s: number) => number = () => 0): ClipRows {
  const { fps, frames, rows } = builtinClip('idle_sway');
  const out = Float64Array.from(rows);
  for (let frame = 0; frame < frames; frame++) {
    const row = out.subarray(frame * robot.nq);
    const angle = lean(frame / fps);
    const [forward, up] = [row[0]!, row[2]!];
    row[0] = forward * Math.cos(angle) + up * Math.sin(angle) + x(frame / fps);
    row[2] = up * Math.cos(angle) - forward * Math.sin(angle);
    row.set([Math.cos(angle / 2), 0, Math.sin(angle / 2), 0], 3);
  }
  return { fps, frames, rows: out };
}

/** A value that rises from 0 to 1 at one time and falls at another, within half a second, without jumps of the speed. */
const between = (start: number, end: number) => (s: number) => smooth((s - start) / 0.5) - smooth((s - end) / 0.5);
const smooth = (share: number) => {
  const t = Math.min(1, Math.max(0, share));
  return t * t * (3 - 2 * t);
};

test('a robot that leans all the time is off balance all the time, and such a clip is not feasible', () => {
  const clip = leaning(() => 0.35);
  const { share, seconds, distance } = found(clip);
  expect(share).toBe(1);
  expect(seconds).toBeCloseTo(clip.frames / clip.fps, 0);
  expect(distance).toBeGreaterThan(0.1);
  expect(clipScore(new CheckedClip(robot, clip, {}))!.feasibility).toBe(0);
});

test('a lean of three seconds is found with its start and duration, and lowers the feasibility by its share', () => {
  const lean = between(1, 4.5);
  const clip = leaning((s) => 0.35 * lean(s));
  const { share, seconds, start } = found(clip);
  expect(seconds).toBeCloseTo(3, 0);
  expect(Math.abs(start - 1.5)).toBeLessThan(0.5);
  expect(share).toBeCloseTo((seconds * clip.fps) / clip.frames, 1);
  const { feasibility, support } = clipScore(new CheckedClip(robot, clip, {}))!;
  const supported = Math.min(1, (0.2 - support) / (0.2 - 0.02));
  expect(feasibility / supported).toBeCloseTo(1 - share, 2);
});

test('a stand counts from one second on, at any frame rate', () => {
  const held = leaning(() => 0.35);
  expect(held.fps).toBe(30);
  expect(found(cutClip(held, 0, 27))).toEqual({ share: 0, seconds: 0, start: 0, distance: 0 });
  expect(found(cutClip(held, 0, 33)).share).toBe(1);
  const fast = resample(held, 50);
  expect(found(cutClip(fast, 0, 45)).share).toBe(0);
  expect(found(cutClip(fast, 0, 55)).share).toBe(1);
});

test('the distance is that of the centre of mass from the front edge of the soles, for a robot at rest', async () => {
  const lean = 0.45;
  const row = [
    0.62 * Math.sin(lean),
    0,
    0.62 * Math.cos(lean),
    Math.cos(lean / 2),
    0,
    Math.sin(lean / 2),
    0,
    0,
    0,
    0,
    0,
  ];
  const clip = { fps: 30, frames: 60, rows: Float64Array.from(Array.from({ length: 60 }, () => row).flat()) };
  const measured = async (mjcf: string) => offBalance(new CheckedClip(await walkerClipRobot(mjcf), clip, {}));
  const walker = WALKER_MJCF.replaceAll('0 0 -0.35', '0 0 -0.25'); // so that only the feet are near the floor
  // Masses of 10, 4 and 2 kg at 0, 0.35 and 0.6 m below the root; soles of 0.2 m, 0.62 m below it.
  const center = 0.62 - (4 * 0.35 + 2 * 0.6) / 16;
  const expected = center * Math.sin(lean) - 0.1 * Math.cos(lean);
  expect((await measured(walker)).distance).toBeCloseTo(expected, 3);
  const barefoot = walker.replace(/(?<=_foot_collision")/g, ' contype="0" conaffinity="0"');
  expect((await measured(barefoot)).share).toBe(0); // without collision geoms, the area of the soles is not known
});

test('a robot that leans while it moves forward does not stand', () => {
  expect(
    found(
      leaning(
        () => 0.35,
        (s) => 0.5 * s,
      ),
    ).share,
  ).toBe(0);
});

test('the built-in clips keep their balance', () => {
  for (const name of PROCEDURAL_CLIPS) expect([name, found(builtinClip(name)).share]).toEqual([name, 0]);
});

test.skipIf(!hasKit)('recorded walks, dances, falls and flips have no stand off balance', async () => {
  robot = await g1ClipRobot();
  for (const name of KIT_CLIPS) expect([name, found(kitClip(name)).share]).toEqual([name, 0]);
});
