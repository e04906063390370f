import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { matchRobot } from '../../src/runs/match-robot.ts';
import { readRunIdentity } from '../../src/runs/params/read-identity.ts';
import { type RunRecord, UNKNOWN_RUN } from '../../src/runs/store/run-record.ts';
import { taskOfRun } from '../../src/runs/task-of-run.ts';

const run = (known: Partial<RunRecord>): RunRecord => ({
  path: 'dance/first',
  runDir: 'dance',
  run: 'first',
  folder: '/runs/dance/first',
  format: 'deploy',
  checkpoints: [],
  createdMs: 0,
  modifiedMs: 0,
  ...UNKNOWN_RUN,
  error: null,
  ...known,
});
const ROBOTS = [
  { id: 'g1', jointNames: ['a', 'b', 'c'] },
  { id: 'h2', jointNames: ['d', 'e', 'f'] },
  { id: 'cat', jointNames: ['tail'] },
];
const robotOf = (known: Partial<RunRecord>, robots = ROBOTS) => matchRobot(run(known), robots);

describe('the robot of a run is', () => {
  test('the robot of a run is the robot it names, or the one with its joints in any order', () => {
    expect(robotOf({ robot: 'h2', jointNames: ['a', 'b', 'c'] })).toEqual({ robot: 'h2', error: null });
    expect(robotOf({ robot: 'other', jointNames: ['f', 'd', 'e'] })).toEqual({ robot: 'h2', error: null });
    expect(robotOf({ jointNames: ['a', 'b'] }).error).toMatch(/no robot of the workspace has its joints/);
    expect(robotOf({ robot: 'other' }).error).toMatch(/no robot "other"/);
  });

  test("without joint names the robot of a run is the one in the experiment's name, or the only one with as many joints", () => {
    expect(robotOf({ joints: 1 })).toEqual({ robot: 'cat', error: null });
    expect(robotOf({ joints: 3, runDir: 'wbc_g1' })).toEqual({ robot: 'g1', error: null });
    expect(robotOf({ joints: 3, run: '2026-H2-dance' })).toEqual({ robot: 'h2', error: null });
    expect(robotOf({ joints: 3 }).error).toMatch(/several robots have 3/);
    expect(robotOf({ joints: 7, runDir: 'wbc_g1' }).error).toMatch(/no robot of the workspace has this number/);
    // A robot's id must match whole words.
    expect(robotOf({ joints: 3, runDir: 'g10' }).robot).toBeNull();
  });

  test("among several robots with its joints, the robot of a run is the one in the experiment's name, or the first", () => {
    const twins = [
      { id: 'stiff', jointNames: ['c', 'b', 'a'] },
      ...ROBOTS,
      { id: 'my-g1.v2', jointNames: ['a', 'b', 'c'] },
    ];
    const jointNames = ['a', 'b', 'c'];
    expect(robotOf({ jointNames }, twins).robot).toBe('stiff');
    expect(robotOf({ jointNames, runDir: 'wbc_g1' }, twins).robot).toBe('g1');
    expect(robotOf({ jointNames, runDir: 'wbc_stiff' }, twins).robot).toBe('stiff');
    // The names of a robot's experiments contain its id with underscores.
    expect(robotOf({ joints: 3, runDir: 'wbc_my_g1_v2' }, twins).robot).toBe('my-g1.v2');
    expect(robotOf({ joints: 3, runDir: 'g1_and_h2' }).error).toMatch(/several robots have 3/);
  });

  test("a folder name in the path of a run's motion is its robot only if a robot that fits has this id", () => {
    expect(robotOf({ robotInPath: 'h2', runDir: 'wbc_g1' })).toEqual({ robot: 'h2', error: null });
    // /data/user/…: user is no robot, so the name of the experiment decides
    expect(robotOf({ robotInPath: 'user', runDir: 'g1_tracking' })).toEqual({ robot: 'g1', error: null });
    expect(robotOf({ robotInPath: 'user', runDir: 'dance' }).error).toMatch(/do not state its robot/);
    expect(robotOf({ robotInPath: 'cat', jointNames: ['b', 'a', 'c'] }).robot).toBe('g1');
    const twins = [{ id: 'stiff', jointNames: ['c', 'b', 'a'] }, ...ROBOTS];
    expect(robotOf({ robotInPath: 'g1', jointNames: ['a', 'b', 'c'] }, twins).robot).toBe('g1');
  });

  test('the robot of a run is unknown while a robot with unknown joints is being prepared', () => {
    const robots = [...ROBOTS, { id: 'new', jointNames: null as unknown as string[] }];
    expect(robotOf({ joints: 7 }, robots).error).toMatch(/may be new, which is still being prepared/);
  });

  test('the robot of a damaged run is not searched for', () => {
    expect(robotOf({ robot: 'g1', error: 'params/env.yaml:3: …' })).toEqual({
      robot: null,
      error: 'params/env.yaml:3: …',
    });
  });
});

test('a run that only states the path of its motion names no robot', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'run-'));
  mkdirSync(path.join(folder, 'params'));
  const motion = '/data/user/mjlab/motions/walk.npz';
  writeFileSync(path.join(folder, 'params/env.yaml'), `commands: {motion: {motion_file: ${motion}}}\n`);
  expect(await readRunIdentity(folder)).toMatchObject({ robot: null, robotInPath: 'user', motionFile: motion });
  rmSync(folder, { recursive: true });
});

test.each([
  ['wbc_g1', 'Wbc-G1'],
  ['wbc_g1_se', 'Wbc-G1-SE'],
  ['wbc_g1_zest_se', 'Wbc-G1-Zest-SE'],
  ['wbc_g1_binary', 'Wbc-G1-BinaryFailure'],
  ['wbc_g1_other', 'wbc_g1_other'],
  ['my_experiment', 'my_experiment'],
])('the experiment %s gives the task %s', (experiment, task) => {
  expect(taskOfRun(run({ task: experiment, format: 'rsl_rl' }), 'g1')).toBe(task);
});
