import { beforeAll, describe, expect, test } from 'vitest';
import { measureClip } from '../../../src/checks/clip/measure-clip.ts';
import { checkFrameRate } from '../../../src/checks/layout/frame-rate.ts';
import { jointOrders } from '../../../src/checks/layout/orders.ts';
import { checkRawLayout } from '../../../src/checks/layout/raw-layout.ts';
import * as quaternion from '../../../src/core/math/quaternion.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { parseFix } from '../../../src/motion/fixes.ts';
import { PROCEDURAL_CLIPS } from '../../../src/motion/procedural/generate-clip.ts';
import { builtinClip, cutClip, KIT_CLIPS, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { randomFrom } from '../../support/random.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';
import { reordered, swapped } from '../clip/defects.ts';

const cases: { name: string; robot: ClipRobot; clip: ClipRows }[] = [];
let humanoid: ClipRobot;

beforeAll(async () => {
  humanoid = await humanoidClipRobot();
  for (const name of PROCEDURAL_CLIPS) cases.push({ name, robot: humanoid, clip: builtinClip(name) });
  if (!hasKit) return;
  const g1 = await g1ClipRobot();
  for (const name of KIT_CLIPS) cases.push({ name, robot: g1, clip: cutClip(kitClip(name), 0, 600) });
}, 60_000);

test('correct clips, and parts of them, are left unchanged', () => {
  const random = randomFrom(9);
  for (const { name, robot, clip } of cases) {
    expect([name, checkRawLayout(robot, clip, false).issues]).toEqual([name, []]);
    for (let k = 0; k < 4; k++) {
      const start = Math.floor(random() * (clip.frames - 60));
      const part = cutClip(clip, start, 60 + Math.floor(random() * 300));
      expect([name, start, checkRawLayout(robot, part, false).issues]).toEqual([name, start, []]);
    }
  }
});

test('quaternions in the order w x y z instead of x y z w are found in every clip', () => {
  for (const { name, robot, clip } of cases) {
    const { issues, clip: read } = checkRawLayout(robot, swapped(clip, robot.nq), true);
    expect([name, issues.map(({ kind, fix }) => [kind, fix])]).toEqual([
      name,
      [['quaternion_order', 'swap_quaternion']],
    ]);
    expect(read.rows).toEqual(clip.rows);
  }
});

/** Rotates the root of a clip in the world by `turn`. @param all rotates the position, too */
function rotated(clip: ClipRows, nq: number, turn: number[], all: boolean): ClipRows {
  const rows = Float64Array.from(clip.rows);
  for (let at = 0; at < rows.length; at += nq) {
    const place = rows.subarray(at, at + 3);
    if (all) quaternion.rotate(place, turn, place);
    const q = rows.subarray(at + 3, at + 7);
    quaternion.multiply(q, turn, q);
  }
  return { ...clip, rows };
}

test('y up instead of z is found, and so are centimetres and both', () => {
  const yUp = [Math.SQRT1_2, -Math.SQRT1_2, 0, 0];
  for (const { name, robot, clip } of cases) {
    const lying = rotated(clip, robot.nq, yUp, true);
    const large = (from: ClipRows) => ({
      ...from,
      rows: from.rows.map((value, at) => (at % robot.nq < 3 ? value * 100 : value)),
    });
    for (const [file, fixes] of [
      [lying, ['y_up']],
      [large(clip), ['scale_positions:0.01']],
      [large(lying), ['scale_positions:0.01', 'y_up']],
    ] as const) {
      const { issues, clip: read } = checkRawLayout(robot, file, true);
      expect([name, issues.map(({ fix }) => fix)]).toEqual([name, fixes]);
      for (let k = 0; k < read.rows.length; k += 97) expect(read.rows[k]).toBeCloseTo(clip.rows[k]!, 9);
    }
  }
});

test('a robot that walks upside down is not mistaken for one with swapped quaternions', () => {
  for (const { name, robot, clip } of cases) {
    if (robot === humanoid) continue; // clips without turns contain the same numbers both ways
    const { issues } = checkRawLayout(robot, rotated(clip, robot.nq, [0, 1, 0, 0], false), true);
    expect([name, issues]).toEqual([name, []]);
  }
});

describe('joint columns', () => {
  test.each(['breadth-first (Isaac, PhysX)', 'alphabetical'])(
    'joint columns in %s order are found and named',
    (order) => {
      for (const { name, robot, clip } of cases) {
        const known = jointOrders(robot).find((candidate) => candidate.name === order)!;
        const { issues, clip: read } = checkRawLayout(robot, reordered(clip, robot.nq, known.order), false);
        const [issue] = issues;
        expect([name, issue?.kind]).toEqual([name, 'joint_order']);
        expect(parseFix(issue!.fix!)).toEqual({
          kind: 'reorder_joints',
          columns: known.order.map((joint) => robot.facts.joints[joint]!.name),
        });
        expect(issue!.text).toMatch(new RegExp(`${order.split(' ')[0]}.*\\d+ % sure`));
        expect(read.rows).toEqual(clip.rows);
      }
    },
  );

  test('joint columns in every usual order of a walk are found, or reported as unsure', () => {
    const clip = builtinClip('walk_forward');
    const found: string[] = [];
    for (const known of jointOrders(humanoid).filter(({ rarity }) => rarity < 2)) {
      const { clip: read, issues } = checkRawLayout(humanoid, reordered(clip, humanoid.nq, known.order), false);
      const [issue] = issues;
      if (!issue) expect(read.rows).toEqual(clip.rows);
      else if (issue.fix === null)
        expect([known.name, issue.text]).toEqual([known.name, expect.stringContaining(' may be in ')]);
      else {
        expect([known.name, read.rows]).toEqual([known.name, clip.rows]);
        found.push(known.name);
      }
    }
    expect(found.length).toBeGreaterThanOrEqual(12);
  });

  test('joint columns with sides swapped or alternating are found even if both sides move nearly alike', () => {
    const clips = cases.filter(({ name }) => ['squat', 'walk1_subject1'].includes(name));
    for (const { name, robot, clip } of clips) {
      const shown = cutClip(clip, 0, 150);
      const orders = jointOrders(robot).filter((known) => /^(left-and-right|right-before)/.test(known.name));
      const found = orders.filter(({ order }) => {
        const { issues, clip: read } = checkRawLayout(robot, reordered(shown, robot.nq, order), false);
        // The proposed order is right, or differs only in joints that move alike.
        if (issues.some(({ fix }) => fix !== null))
          for (const [at, value] of read.rows.entries()) expect(Math.abs(value - shown.rows[at]!)).toBeLessThan(0.05);
        return issues.some(({ fix }) => fix !== null);
      });
      expect([name, found.length >= orders.length - (name === 'squat' ? 2 : 0)]).toEqual([name, true]);
    }
  });

  test('joint columns in an unknown order are never assigned a wrong order with certainty', () => {
    const random = randomFrom(11);
    for (const { name, robot, clip } of cases) {
      const order = robot.facts.joints.map((_, joint) => ({ joint, at: random() })).sort((a, b) => a.at - b.at);
      const file = reordered(
        clip,
        robot.nq,
        order.map(({ joint }) => joint),
      );
      const { issues } = checkRawLayout(robot, file, false);
      expect([name, issues.filter(({ severity, fix }) => severity === 'error' && fix !== null)]).toEqual([name, []]);
      expect([name, issues.map(({ kind }) => kind)]).toEqual([name, ['joint_order']]);
    }
  });

  test('joint columns in degrees are found, and the fix converts them to radians', () => {
    for (const { name, robot, clip } of cases) {
      const rows = Float64Array.from(clip.rows, (value, at) => (at % robot.nq < 7 ? value : (value * 180) / Math.PI));
      const { issues, clip: read } = checkRawLayout(robot, { ...clip, rows }, false);
      // A robot that hardly moves stays within its limits even in degrees.
      if (issues.length === 0) continue;
      expect([name, issues.map(({ kind, fix }) => [kind, fix])]).toEqual([name, [['joint_limit', 'degrees']]]);
      for (let k = 0; k < read.rows.length; k += 97) expect(read.rows[k]).toBeCloseTo(clip.rows[k]!, 9);
    }
  });

  test('joint columns are found together with quaternions in the other order', () => {
    const clip = builtinClip('step_in_place');
    const known = jointOrders(humanoid)[1]!;
    const file = swapped(reordered(clip, humanoid.nq, known.order), humanoid.nq);
    const { issues, clip: read } = checkRawLayout(humanoid, file, false);
    expect(issues.map((issue) => issue.kind)).toEqual(['quaternion_order', 'joint_order']);
    expect(read.rows).toEqual(clip.rows);
  });

  test('joint columns that the file names are trusted', () => {
    const known = jointOrders(humanoid)[1]!;
    const file = reordered(builtinClip('walk_forward'), humanoid.nq, known.order);
    expect(checkRawLayout(humanoid, file, true).issues).toEqual([]);
  });
});

describe('frame rates', () => {
  /** A hop of the standing robot on a parabola: `seconds` in the air, at `fps`. */
  function hop(seconds: number, fps: number): ClipRows {
    const still = builtinClip('squat');
    const flight = Math.round(seconds * fps);
    const frames = flight + 40;
    const rows = new Float64Array(frames * humanoid.nq);
    for (let frame = 0; frame < frames; frame++) {
      rows.set(still.rows.subarray(0, humanoid.nq), frame * humanoid.nq);
      const t = Math.max(0, Math.min(flight, frame - 20)) / fps;
      rows[frame * humanoid.nq + 2]! += 4.905 * t * (seconds - t);
    }
    return { fps, frames, rows };
  }

  test.each([
    [30, 60],
    [30, 120],
    [120, 30],
    [60, 30],
    [50, 100],
  ])('a hop recorded at %i and read at %i frames per second is found', (made, read) => {
    const clip = { ...hop(0.55, made), fps: read };
    const [issue] = checkFrameRate(clip, measureClip(humanoid, clip), false);
    expect(issue).toMatchObject({ kind: 'frame_rate', fix: `input_fps:${made}` });
    expect(issue!.text).toMatch(/falls with [\d.]+ m\/s² .*\(\d+ % sure\)/);
  });

  test.each([30, 50, 60, 120])('a hop at %i frames per second has no finding', (fps) => {
    const clip = hop(0.5, fps);
    expect(checkFrameRate(clip, measureClip(humanoid, clip), false)).toEqual([]);
  });

  test('a fall that matches no usual rate has no finding', () => {
    const clip = hop(0.9, 120);
    const [floor] = clip.rows.subarray(2);
    // A fourteenth of gravity: a wrong frame rate up to 240 Hz cannot explain it.
    const rows = clip.rows.map((value, at) =>
      at % humanoid.nq === 2 ? floor! + (value - floor!) / 14 + (value > floor! ? 0.08 : 0) : value,
    );
    const soft = { ...clip, rows };
    expect(checkFrameRate(soft, measureClip(humanoid, soft), false)).toEqual([]);
  });

  test.runIf(hasKit)(
    'flips of the kit read at another rate are found; at their own rate they have no finding',
    async () => {
      const g1 = await g1ClipRobot();
      for (const name of KIT_CLIPS) {
        const clip = kitClip(name);
        const measures = measureClip(g1, clip);
        expect([name, checkFrameRate(clip, measures, false)]).toEqual([name, []]);
        for (const fps of [15, 50, 60, 120])
          if (name.startsWith('flip'))
            expect(checkFrameRate({ ...clip, fps }, measures, false)[0]?.fix).toBe('input_fps:30');
      }
    },
  );
});
