import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { offsetFactors } from '../../../src/mdp/env/joint-offsets.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import { type PreparedRobot, prepareRobot } from '../../../src/robots/prepared-robot.ts';
import { WALKER_MJCF, walkerSpec } from '../../support/models.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { environmentsOf, libraryOf } from '../../support/tracking.ts';

const GRIPPER = `
      <body name="lift" pos="0.1 0 0">
        <joint name="lift_joint" type="slide" axis="0 0 1" range="0 0.4"/>
        <geom type="box" size="0.02 0.02 0.02" mass="1" contype="0" conaffinity="0"/>
        <body name="first" pos="0.05 0.01 0">
          <joint name="first_joint" type="slide" axis="0 1 0" range="0 0.04"/>
          <geom type="box" size="0.01 0.01 0.01" mass="0.1" contype="0" conaffinity="0"/>
        </body>
        <body name="second" pos="0.05 -0.01 0">
          <joint name="second_joint" type="slide" axis="0 -1 0" range="0 0.04"/>
          <geom type="box" size="0.01 0.01 0.01" mass="0.1" contype="0" conaffinity="0"/>
        </body>
      </body>`;
const EQUALITY = `<equality><joint joint1="second_joint" joint2="first_joint" polycoef="0 1 0 0 0"/></equality>`;

/** The walker with a gripper on a lift. The second finger follows the first. */
async function gripper(): Promise<PreparedRobot> {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'robot-')), 'walker');
  mkdirSync(folder);
  const mjcf = WALKER_MJCF.replace('<body name="left_thigh"', `${GRIPPER}<body name="left_thigh"`);
  writeFileSync(path.join(folder, 'walker.xml'), mjcf.replace('</worldbody>', `</worldbody>${EQUALITY}`));
  const { joints, ...spec } = walkerSpec();
  const slides = ['lift_joint', 'first_joint'].map((name) => [name, Object.values(joints)[0]!]);
  writeFileSync(
    path.join(folder, 'robot.yaml'),
    stringify({ ...spec, joints: { ...joints, ...Object.fromEntries(slides) } }),
  );
  return prepareRobot({ kind: 'folder', id: 'walker', folder }, path.join(folder, '..', 'cache'));
}

test('at a reset, slides start near the motion, and a joint that follows another one starts at its place', async () => {
  const robot = await gripper();
  const { joints } = robot.facts;
  const at = (name: string) => joints.findIndex((joint) => joint.name === name);
  expect(joints[at('second_joint')]!.follows).toMatchObject({ joint: at('first_joint'), multiplier: 1 });
  const values = joints.map(({ name }) => ({ lift_joint: 0.2, first_joint: 0.02, second_joint: 0.02 })[name] ?? 0.1);
  const row = [0, 0, robot.facts.rootHeight, 1, 0, 0, 0, ...values];
  const frames = 60;
  const rows = Float64Array.from({ length: frames * row.length }, (_, k) => row[k % row.length]!);
  const library = await libraryOf(robot, { still: { fps: 50, frames, rows } as never });
  const envs = await environmentsOf(robot, { config: baseTasks(robot.facts)[0]!.config, library, n: 64 });
  const offsets = (name: string) =>
    Array.from({ length: envs.n }, (_, env) => envs.qpos(env)[7 + at(name)]! - values[at(name)]!);
  const largest = (name: string) => Math.max(...offsets(name).map(Math.abs));
  expect(largest('lift_joint')).toBeLessThanOrEqual(0.02); // 5 % of 0.4 m
  expect(largest('lift_joint')).toBeGreaterThan(0.01);
  expect(largest('first_joint')).toBeLessThanOrEqual(0.002);
  expect(offsets('second_joint')).toEqual(offsets('first_joint'));
  expect(largest('left_hip_joint')).toBeGreaterThan(0.05); // rad, as the task says
  envs.delete();
});

test('the offsets of hinges and of small slides are those of the task', async () => {
  const { facts } = await preparedHumanoid();
  expect([...offsetFactors(facts.joints, [-0.1, 0.1])]).toEqual(facts.joints.map(() => 1));
  const slide = { ...facts.joints[0]!, type: 'slide' as const, lower: 0, upper: 1 };
  expect([...offsetFactors([slide, { ...slide, lower: null }], [-0.01, 0.05])]).toEqual([1, 1]);
  expect([...offsetFactors([slide], [-0.2, 0.1])]).toEqual([0.25]);
  expect([...offsetFactors([slide], [0, 0])]).toEqual([1]);
});
