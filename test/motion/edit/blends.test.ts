import { beforeAll, describe, expect, test } from 'vitest';
import { runClipChecks } from '../../../src/checks/run-clip-checks.ts';
import { angleBetween, yawOf } from '../../../src/core/math/quaternion.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { append } from '../../../src/motion/edit/append.ts';
import { trackFeet } from '../../../src/motion/edit/foot-frame.ts';
import { loop } from '../../../src/motion/edit/loop.ts';
import { standIn, standOut } from '../../../src/motion/edit/stand.ts';
import { builtinClip, cutClip, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { randomFrom } from '../../support/random.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';

/** Limit of the jump at a seam, as a share of the largest step of the clip. */
const SEAM = 0.01;

interface Steps {
  readonly root: number;
  readonly turn: number;
  readonly joints: number;
}

const widthOf = ({ rows, frames }: ClipRows) => rows.length / frames;
const rowOf = (clip: ClipRows, frame: number) => clip.rows.subarray(frame * widthOf(clip), (frame + 1) * widthOf(clip));

/** Returns the largest steps from one frame to the next: m, rad, rad. */
function largestSteps(clip: ClipRows): Steps {
  let [root, turn, joints] = [0, 0, 0];
  for (let frame = 1; frame < clip.frames; frame += 1) {
    const [a, b] = [rowOf(clip, frame - 1), rowOf(clip, frame)];
    root = Math.max(root, Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!));
    turn = Math.max(turn, angleBetween(a.subarray(3, 7), b.subarray(3, 7)));
    for (let k = 7; k < a.length; k += 1) joints = Math.max(joints, Math.abs(b[k]! - a[k]!));
  }
  return { root, turn, joints };
}

/** Returns how much the step a → b differs from the step c → d of the source: the jump in position, and the change of
 *  speed per frame. Does not depend on position and heading. */
function jump(from: readonly [ArrayLike<number>, ArrayLike<number>], to: typeof from): Steps {
  const local = ([a, b]: typeof from) => {
    const yaw = -yawOf(Array.from(a).slice(3, 7));
    const [x, y] = [b[0]! - a[0]!, b[1]! - a[1]!];
    return [Math.cos(yaw) * x - Math.sin(yaw) * y, Math.sin(yaw) * x + Math.cos(yaw) * y, b[2]! - a[2]!];
  };
  const [p, q] = [local(from), local(to)];
  const turn = ([a, b]: typeof from) => angleBetween(Array.from(a).slice(3, 7), Array.from(b).slice(3, 7));
  let joints = 0;
  for (let k = 7; k < from[0].length; k += 1)
    joints = Math.max(joints, Math.abs(from[1][k]! - from[0][k]! - (to[1][k]! - to[0][k]!)));
  return {
    root: Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!),
    turn: Math.abs(turn(from) - turn(to)),
    joints,
  };
}

/** Returns the change of speed per frame from the step a → b to the step b → c, both at the same place. */
function change(a: ArrayLike<number>, b: ArrayLike<number>, c: ArrayLike<number>): Steps {
  const root = [0, 1, 2].map((k) => b[k]! - a[k]! - (c[k]! - b[k]!));
  return { ...jump([a, b], [b, c]), root: Math.hypot(...root) };
}

function expectSmooth(seam: Steps, own: Steps, what: string): void {
  const shares = { root: seam.root / own.root, turn: seam.turn / own.turn, joints: seam.joints / own.joints };
  for (const [part, share] of Object.entries(shares)) expect(share, `${what}, ${part}`).toBeLessThan(SEAM);
}

const most = (a: Steps, b: Steps): Steps => ({
  root: Math.max(a.root, b.root),
  turn: Math.max(a.turn, b.turn),
  joints: Math.max(a.joints, b.joints),
});

interface Case {
  readonly robot: ClipRobot;
  readonly clip: ClipRows;
  readonly other: ClipRows;
}
const cases = new Map<string, Case>();
beforeAll(async () => {
  const humanoid = await humanoidClipRobot();
  const walk = builtinClip('walk_forward');
  const middle = cutClip(walk, Math.round(0.3 * walk.frames), Math.round(0.4 * walk.frames));
  cases.set('humanoid', { robot: humanoid, clip: middle, other: builtinClip('squat') });
  if (!hasKit) return;
  const g1 = await g1ClipRobot();
  for (const [name, start] of [
    ['walk1_subject1', 1000],
    ['dance1_subject2', 1000],
    ['flip_360_009__A416', 0],
  ] as const) {
    const whole = kitClip(name);
    const other = cutClip(kitClip('walk1_subject1'), 2000, 120);
    cases.set(name, { robot: g1, clip: cutClip(whole, start, 150), other });
  }
});

const NAMES = ['humanoid', ...(hasKit ? ['walk1_subject1', 'dance1_subject2', 'flip_360_009__A416'] : [])];

describe.each(NAMES)('%s', (name) => {
  test('append: both ends of the blend continue in position and speed, and the second clip follows', () => {
    const { robot, clip, other } = cases.get(name)!;
    const overlap = Math.round(0.5 * clip.fps);
    const both = append(robot, clip, other, 0.5);
    expect(both.frames).toBe(clip.frames + other.frames - overlap);
    const own = most(largestSteps(clip), largestSteps(other));
    const first = clip.frames - overlap;
    expect([...rowOf(both, first - 1)]).toEqual([...rowOf(clip, first - 1)]);
    const start = jump([rowOf(both, first - 1), rowOf(both, first)], [rowOf(clip, first - 1), rowOf(clip, first)]);
    expectSmooth(start, own, 'start');
    const end = jump(
      [rowOf(both, clip.frames - 1), rowOf(both, clip.frames)],
      [rowOf(other, overlap - 1), rowOf(other, overlap)],
    );
    expectSmooth(end, own, 'end');
    const rest = jump(
      [rowOf(both, clip.frames), rowOf(both, both.frames - 1)],
      [rowOf(other, overlap), rowOf(other, other.frames - 1)],
    );
    // Quaternions in files have six decimals, so their length differs from 1 by 1e-6.
    expect(Math.max(rest.root, rest.turn, rest.joints)).toBeLessThan(1e-5);
  });

  test('loop: the first frame continues the last one', () => {
    const { robot, clip } = cases.get(name)!;
    const overlap = Math.round(0.6 * clip.fps);
    const cycle = loop(robot, clip, { blend_s: 0.6 });
    expect(cycle.frames).toBe(clip.frames - overlap);
    expect([...rowOf(cycle, 0)]).toEqual([...rowOf(clip, overlap)]);
    const [a, b] = [rowOf(cycle, cycle.frames - 1), rowOf(cycle, 0)];
    const own = largestSteps(clip);
    // The loop continues at another position, so compare only values that do not depend on the position.
    const step = (from: ArrayLike<number>, to: ArrayLike<number>) =>
      Array.from(from)
        .slice(7)
        .map((value, k) => to[k + 7]! - value);
    const [seam, source] = [step(a, b), step(rowOf(clip, overlap - 1), rowOf(clip, overlap))];
    for (const [k, value] of seam.entries()) expect(Math.abs(value - source[k]!) / own.joints).toBeLessThan(SEAM);
    expect(Math.abs(b[2]! - a[2]! - (rowOf(clip, overlap)[2]! - rowOf(clip, overlap - 1)[2]!)) / own.root).toBeLessThan(
      SEAM,
    );
    const first = cycle.frames - overlap;
    const start = jump(
      [rowOf(cycle, first - 1), rowOf(cycle, first)],
      [rowOf(clip, clip.frames - overlap - 1), rowOf(clip, clip.frames - overlap)],
    );
    expectSmooth(start, own, 'start');
  });

  test('stand in and stand out: they begin or end at rest in the default pose on the floor, and the clip stays unchanged', () => {
    const { robot, clip } = cases.get(name)!;
    const added = Math.round(clip.fps);
    const own = largestSteps(clip);
    const defaults = robot.facts.joints.map((joint) => joint.default);
    for (const [made, at, rest] of [
      [standIn(robot, clip, 1), added, [0, 1]],
      [standOut(robot, clip, 1), 0, [clip.frames + added - 1, clip.frames + added - 2]],
    ] as const) {
      expect(made.frames).toBe(clip.frames + added);
      expect([...made.rows.subarray(at * widthOf(clip), (at + clip.frames) * widthOf(clip))]).toEqual([...clip.rows]);
      expect([...rowOf(made, rest[0]).subarray(7)]).toEqual(defaults);
      const still = most(jump([rowOf(made, rest[0]), rowOf(made, rest[1])], [rowOf(made, 0), rowOf(made, 0)]), own);
      expect(still).toEqual(own);
      const { lowest } = trackFeet(robot, { ...made, frames: 1, rows: Float64Array.from(rowOf(made, rest[0])) });
      expect(Math.abs(lowest[0]!)).toBeLessThan(1e-4);
      const [edge, inner] = at > 0 ? [at, 1] : [clip.frames - 1, -1];
      const joints = (frame: number) => [...rowOf(made, frame).subarray(7)];
      const [outside, here, inside] = [joints(edge - inner), joints(edge), joints(edge + inner)];
      for (const [k, value] of here.entries())
        expect(Math.abs(value - outside[k]! - (inside[k]! - value)) / own.joints).toBeLessThan(SEAM);
      const seam = change(rowOf(made, edge - inner), rowOf(made, edge), rowOf(made, edge + inner));
      expect(seam.turn / own.turn).toBeLessThan(SEAM);
      expect(seam.root / own.root).toBeLessThan(SEAM);
    }
  });
});

describe.skipIf(!hasKit)('cuts of the kit’s clips at places drawn by a seed', () => {
  test('stand in and stand out keep position and speed where the kit’s clips are cut, whatever their length', async () => {
    const robot = await g1ClipRobot();
    const random = randomFrom(20);
    for (const name of ['walk1_subject1', 'dance1_subject2', 'fallAndGetUp1_subject1'] as const) {
      const whole = kitClip(name);
      for (const seconds of [0.3, 0.5, 1]) {
        const frames = 30 + Math.floor(60 * random());
        const clip = cutClip(whole, Math.floor(random() * (whole.frames - frames)), frames);
        const own = largestSteps(clip);
        const [before, after] = [standIn(robot, clip, seconds), standOut(robot, clip, seconds)];
        const added = before.frames - clip.frames;
        const seams = [
          [before, added - 1, added, added + 1],
          [after, clip.frames - 2, clip.frames - 1, clip.frames],
        ] as const;
        for (const [made, a, b, c] of seams) {
          expectSmooth(change(rowOf(made, a), rowOf(made, b), rowOf(made, c)), own, `${name}, ${seconds} s`);
        }
      }
    }
  });
});

describe.skipIf(!hasKit)('blends at places drawn by a seed', () => {
  test('append and loop keep position and speed where clips are joined, however short the blend', async () => {
    const robot = await g1ClipRobot();
    const random = randomFrom(21);
    const cut = (name: Parameters<typeof kitClip>[0]) => {
      const whole = kitClip(name);
      return cutClip(whole, Math.floor(random() * (whole.frames - 100)), 100);
    };
    for (const blend of [0.2, 0.3, 0.5]) {
      const [clip, other] = [cut('dance1_subject2'), cut('walk1_subject1')];
      const overlap = Math.round(blend * clip.fps);
      const step = (of: ClipRows, frame: number) => [rowOf(of, frame), rowOf(of, frame + 1)] as const;
      const both = append(robot, clip, other, blend);
      const own = most(largestSteps(clip), largestSteps(other));
      const first = clip.frames - overlap - 1;
      expectSmooth(jump(step(both, first), step(clip, first)), own, `append, ${blend} s, start`);
      const end = jump(step(both, clip.frames - 1), step(other, overlap - 1));
      expectSmooth(end, own, `append, ${blend} s, end`);
      const cycle = loop(robot, clip, { blend_s: blend });
      const start = jump(step(cycle, cycle.frames - overlap - 1), step(clip, first));
      expectSmooth(start, largestSteps(clip), `loop, ${blend} s, start`);
    }
  });
});

describe.skipIf(!hasKit)('the feet of the kit’s robot', () => {
  const issues = (robot: ClipRobot, clip: ClipRows) =>
    runClipChecks(robot, clip)
      .filter(({ kind }) => ['ground_penetration', 'floating', 'foot_sliding'].includes(kind))
      .map(({ text }) => text);

  test('the feet of a clip that begins on both feet pass the checks after a stand in and a stand out', async () => {
    const robot = await g1ClipRobot();
    const clip = cutClip(kitClip('dance1_subject2'), 0, 150);
    expect(issues(robot, clip)).toEqual([]);
    expect(issues(robot, standOut(robot, standIn(robot, clip, 1), 1))).toEqual([]);
  });
});

test('a blend between steps that do not fit adds steps: no foot slides, and no joint jerks more than twice as much as before', async () => {
  const robot = await humanoidClipRobot();
  const walk = builtinClip('walk_forward');
  const cut = (name: Parameters<typeof builtinClip>[0], start: number, frames: number) =>
    cutClip(builtinClip(name), start, frames);
  const made = [
    append(robot, cut('walk_forward', 110, 60), cut('squat', 0, 60), 0.5),
    append(robot, cut('walk_forward', 110, 60), cut('step_in_place', 50, 60), 0.5),
    append(robot, cut('walk_forward', 80, 60), cut('squat', 60, 60), 0.5),
  ];
  const slides = made.map((clip) => runClipChecks(robot, clip).filter(({ kind }) => kind === 'foot_sliding').length);
  expect(slides).toEqual([0, 0, 0]);
  for (const clip of made) expect(largestJerk(clip)).toBeLessThan(2 * largestJerk(walk));
});

/** Returns the largest third difference of a joint, rad. */
function largestJerk(clip: ClipRows): number {
  let most = 0;
  for (let frame = 3; frame < clip.frames; frame += 1)
    for (let k = 7; k < widthOf(clip); k += 1) {
      const [a, b, c, d] = [0, 1, 2, 3].map((back) => rowOf(clip, frame - back)[k]!) as [
        number,
        number,
        number,
        number,
      ];
      most = Math.max(most, Math.abs(a - 3 * b + 3 * c - d));
    }
  return most;
}
