import { beforeAll, describe, expect, test } from 'vitest';
import type { ClipIssue } from '../../../src/checks/clip/issue.ts';
import { runChecks } from '../../../src/checks/run-checks.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { resample } from '../../../src/motion/convert/resample.ts';
import { PROCEDURAL_CLIPS } from '../../../src/motion/procedural/generate-clip.ts';
import { builtinClip, cutClip, KIT_CLIPS, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { randomFrom } from '../../support/random.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';
import { DEFECTS } from './defects.ts';

/** Number of clips for each kind of defect. Half of them are clips of the kit, if it is present. */
const EACH = 6;
/** A defect counts as found if an issue is within this many frames of it. */
const NEAR = 5;

interface Case {
  readonly name: string;
  readonly robot: ClipRobot;
  readonly clip: ClipRows;
}

const cases: Case[] = [];

beforeAll(async () => {
  const humanoid = await humanoidClipRobot();
  for (const name of PROCEDURAL_CLIPS) cases.push({ name, robot: humanoid, clip: builtinClip(name) });
  if (!hasKit) return;
  const g1 = await g1ClipRobot();
  for (const name of KIT_CLIPS) cases.push({ name, robot: g1, clip: kitClip(name) });
}, 60_000);

function inspect({ robot, clip }: Pick<Case, 'robot' | 'clip'>): ClipIssue[] {
  return runChecks(robot, { kind: 'rows', clip, named: false, stated: false });
}

describe('clean clips', () => {
  test('the built-in clips have no finding, both at their own rate and converted', () => {
    for (const { name, robot, clip } of cases.slice(0, PROCEDURAL_CLIPS.length))
      for (const shown of [clip, resample(clip, 50)])
        expect([name, shown.fps, inspect({ robot, clip: shown }).map((issue) => issue.text)]).toEqual([
          name,
          shown.fps,
          [],
        ]);
  });

  test.runIf(hasKit)('the clips of the kit have no error, and only findings typical of retargeting', () => {
    const tolerated = ['self_collision', 'foot_sliding', 'ground_penetration', 'root_tilt'];
    for (const { name, robot, clip } of cases.slice(PROCEDURAL_CLIPS.length)) {
      const issues = inspect({ robot, clip });
      expect([name, issues.filter((issue) => issue.severity === 'error')]).toEqual([name, []]);
      expect([name, issues.filter((issue) => !tolerated.includes(issue.kind))]).toEqual([name, []]);
      for (const issue of issues.filter(({ kind }) => kind === 'root_tilt')) expect(issue.severity).toBe('info');
    }
  });
});

test.runIf(hasKit)('the repair of feet below the floor is offered for acrobatics, not for walks and dances', () => {
  for (const { name, robot, clip } of cases.slice(PROCEDURAL_CLIPS.length)) {
    const lifted = inspect({ robot, clip }).some(({ fix }) => fix === 'debias_z');
    expect([name, lifted]).toEqual([name, name.startsWith('flip')]);
  }
});

/** Makes {@link EACH} defective clips of every kind and checks them. @returns for each defect, whether it was found */
function campaign(seed: number): { kind: string; found: boolean; what: string }[] {
  const random = randomFrom(seed);
  return Object.entries(DEFECTS).flatMap(([kind, make]) =>
    Array.from({ length: EACH }, (_, k) => {
      const pool =
        k % 2 === 0 || !hasKit ? cases.slice(0, PROCEDURAL_CLIPS.length) : cases.slice(PROCEDURAL_CLIPS.length);
      const { name, robot, clip: whole } = pool[Math.floor(random() * pool.length)]!;
      const part = whole.frames > 400 ? cutClip(whole, Math.floor(random() * (whole.frames - 400)), 400) : whole;
      const clip = random() < 0.4 ? resample(part, [50, 60, 120][Math.floor(random() * 3)]!) : part;
      const defect = make(robot, clip, random);
      if (!defect) return [];
      const issues = inspect({ robot, clip: defect.clip });
      const found = issues.some(
        (issue) =>
          defect.kinds.includes(issue.kind) &&
          issue.severity !== 'info' &&
          issue.frames[0]! <= defect.frames[1] + NEAR &&
          issue.frames[1]! >= defect.frames[0] - NEAR,
      );
      return [{ kind, found, what: `${kind} in ${name} at ${clip.fps}, frames ${defect.frames.join(' to ')}` }];
    }).flat(),
  );
}

test('at least 95 % of seeded defects of every kind, place and size are found', () => {
  const results = campaign(20);
  const missed = results.filter(({ found }) => !found).map(({ what }) => what);
  expect(new Set(results.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(12);
  expect(1 - missed.length / results.length, missed.join('\n')).toBeGreaterThanOrEqual(0.95);
}, 120_000);

test('each issue names channels, worst frame, range and value', () => {
  const { robot, clip } = cases[0]!;
  const random = randomFrom(4);
  for (const make of Object.values(DEFECTS)) {
    const defect = make(robot, clip, random);
    for (const issue of defect ? inspect({ robot, clip: defect.clip }) : []) {
      const [start, end] = issue.frames as [number, number];
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThan(defect!.clip.frames);
      expect(start).toBeLessThanOrEqual(end);
      expect(issue.plot.frame).toBeGreaterThanOrEqual(start);
      expect(issue.plot.frame).toBeLessThanOrEqual(end);
      expect(issue.plot.channels.length).toBeGreaterThan(0);
      for (const channel of issue.plot.channels)
        expect(channel).toMatch(
          /^(root\.(pos\.[xyz]|rpy\.(roll|pitch|yaw))|(joint|vel)\.\w+_joint|(height|speed)\.\w+_link|ground\.lowest)$/,
        );
      expect(issue.text).toMatch(/\d.*\.$/);
    }
  }
});
