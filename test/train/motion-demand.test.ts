import { expect, test } from 'vitest';
import { openClipRobot } from '../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import { measureMotion } from '../../src/train/dry-run/motion-demand.ts';
import { builtinClip } from '../support/clips.ts';
import { clipSource, preparedHumanoid } from '../support/robots.ts';
import { libraryOf } from '../support/tracking.ts';

/** Returns a robot that leans forward for all frames, for a duration in s. */
function leaning(seconds: number): ClipRows {
  const { fps, frames, rows } = builtinClip('idle_sway');
  const width = rows.length / frames;
  const [lean, height] = [0.35, rows[2]!];
  const row = rows.slice(0, width);
  row.set([height * Math.sin(lean), 0, height * Math.cos(lean), Math.cos(lean / 2), 0, Math.sin(lean / 2), 0]);
  const count = Math.round(seconds * fps);
  return { fps, frames: count, rows: Float64Array.from({ length: count * width }, (_, k) => row[k % width]!) };
}

test('the clips that stand off balance are listed, the longest first, with the part that was measured', async () => {
  const prepared = await preparedHumanoid();
  const library = await libraryOf(prepared, { short: leaning(4), sway: builtinClip('idle_sway'), long: leaning(30) });
  const { complexity, offBalance } = measureMotion(await openClipRobot(clipSource(prepared)), library);
  expect(complexity).toBeLessThan(0.5);
  expect(offBalance.map(({ clip, whole, start }) => [clip, whole, start])).toEqual([
    ['long', false, 0],
    ['short', true, 0],
  ]);
  expect(offBalance[0]!.measuredS).toBe(20);
  expect(offBalance[0]!.seconds).toBeCloseTo(20, 0);
  expect(offBalance[1]!.seconds).toBeCloseTo(4, 0);
  expect(offBalance[0]!.distance).toBeCloseTo(offBalance[1]!.distance, 2);
});
