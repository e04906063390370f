import { beforeAll, expect, test } from 'vitest';
import { CheckedClip } from '../../../src/checks/clip/checked-clip.ts';
import { clipScore } from '../../../src/checks/score/clip-score.ts';
import { offBalance } from '../../../src/checks/score/off-balance.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { PROCEDURAL_CLIPS } from '../../../src/motion/procedural/generate-clip.ts';
import { builtinClip, KIT_CLIPS, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';

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

test('a lean of three seconds is found with its duration; a lean of half a second is not reported', () => {
  const long = between(1, 4.5);
  expect(found(leaning((s) => 0.35 * long(s))).seconds).toBeCloseTo(3, 0);
  const short = between(1, 1.5);
  expect(found(leaning((s) => 0.35 * short(s)))).toEqual({ share: 0, seconds: 0, distance: 0 });
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
