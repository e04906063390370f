import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRunSetup } from '../../../src/play/run-setup/read-run-setup.ts';
import { addKitRun } from '../../support/deploy-run.ts';
import { hasKit } from '../../support/kit.ts';
import { preparedG1 } from '../../support/robots.ts';

describe.skipIf(!hasKit)('a deploy folder', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'run-'));
    folder = addKitRun(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const setup = async (checkpoint = 'policy.onnx') =>
    readRunSetup({ folder, format: 'deploy', checkpoint, facts: (await preparedG1()).facts });
  const yaml = path.join('params', 'deploy.yaml');
  const edit = (from: string | RegExp, to: string) => {
    const text = readFileSync(path.join(folder, yaml), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(path.join(folder, yaml), text.replace(from, to));
  };

  test('a deploy folder gives its observations in order, gains, scales and pose, without randomisation', async () => {
    const { config, policy, task } = await setup();
    expect(task).toBe('deploy');
    const actor = config.observations['actor']!;
    expect(Object.keys(actor.terms)).toEqual([
      'motion_command',
      'motion_anchor_ori_b',
      'base_ang_vel',
      'joint_pos_rel',
      'joint_vel_rel',
      'last_action',
    ]);
    expect(config).toMatchObject({ decimation: 4, events: {}, sim: { timestep: 0.005 } });
    expect(config.actions.joint_pos).toMatchObject({ action_mode: 'default_relative', clip: null });
    expect(config.actions.joint_pos.scale?.slice(0, 4)).toEqual([0.55, 0.35, 0.55, 0.35]);
    expect(config.robot?.stiffness?.slice(0, 4)).toEqual([40.2, 99.1, 40.2, 99.1]);
    expect(config.robot?.default_joint_pos?.slice(0, 5)).toEqual([-0.1, 0, 0, 0.3, -0.2]);
    expect(config.commands.motion).toMatchObject({
      anchor_body: 'torso_link',
      pose_range: {},
      velocity_range: {},
      joint_position_range: [0, 0],
    });
    expect(Object.values(config.terminations).map(({ func, params }) => [func, params['threshold']])).toEqual([
      ['bad_anchor_pos_z_only', 0.5],
      ['bad_anchor_ori', 0.8],
      ['bad_motion_body_pos_z_only', 0.5],
    ]);
    expect(policy?.layers).toHaveLength(4);
  });

  test('a deploy folder without a checkpoint has no network: zero action', async () => {
    expect((await setup('')).policy).toBeNull();
  });

  test('a deploy folder with an observation that is not in the library is refused by name', async () => {
    edit('base_ang_vel:', 'gait_phase:');
    await expect(setup()).rejects.toThrow(/^deploy\.yaml: observations: unknown observation "gait_phase"/);
  });

  test("a deploy folder whose observations do not match the network's inputs is refused with both numbers", async () => {
    edit(/ {2}base_ang_vel:[\s\S]*?history_length: 1\n/, '');
    await expect(setup()).rejects.toThrow(/expects 154 observations, but its task has 151/);
  });

  test('a deploy folder whose joint order repeats a joint is refused', async () => {
    edit('[0,1,2,', '[0,0,2,');
    await expect(setup()).rejects.toThrow(/^deploy\.yaml: joint_ids_map: must name each of the 29 joints/);
  });

  test('a deploy folder whose action names all joints has these joints, wherever they are in the robot', async () => {
    const names = (await preparedG1()).facts.joints.map(({ name }) => name).reverse();
    const { policy: before } = await setup();
    edit('joint_names: [.*]', `joint_names: [${names.join(', ')}]`);
    const { config, policy } = await setup();
    // deploy.yaml begins with stiffness 40.2, 99.1, scale 0.55, 0.35 and pose -0.1, 0, 0, 0.3
    expect(config.robot?.stiffness?.slice(-2)).toEqual([99.1, 40.2]);
    expect(config.actions.joint_pos.scale?.slice(-2)).toEqual([0.35, 0.55]);
    expect(config.robot?.default_joint_pos?.slice(-4)).toEqual([0.3, 0, 0, -0.1]);
    expect(policy!.layers.at(-1)!.bias[28]).toBe(before!.layers.at(-1)!.bias[0]);
  });

  test('a deploy folder whose joint names contradict its joint order is refused', async () => {
    const names = (await preparedG1()).facts.joints.map(({ name }) => name);
    edit('[0,1,2,', '[1,0,2,');
    edit('joint_names: [.*]', `joint_names: [${names.join(', ')}]`);
    expect((await setup()).config.robot?.default_joint_pos?.slice(0, 2)).toEqual([0, -0.1]); // names of motors
    edit(`joint_names: [${names[0]!}, ${names[1]!}`, `joint_names: [${names[1]!}, ${names[0]!}`);
    expect((await setup()).config.robot?.default_joint_pos?.slice(0, 2)).toEqual([0, -0.1]); // names of the policy
    edit(`${names[2]!}, ${names[3]!}`, `${names[3]!}, ${names[2]!}`);
    await expect(setup()).rejects.toThrow(
      /^deploy\.yaml: joint_ids_map: contradicts actions\.JointPositionAction\.joint_names/,
    );
  });

  test('a missing weights file is named', async () => {
    rmSync(path.join(folder, 'exported/policy.onnx.data'));
    await expect(setup()).rejects.toThrow(/policy\.onnx: .*"policy\.onnx\.data", which is missing/);
  });

  test('truncated weights are refused by the name of the tensor', async () => {
    const file = path.join(folder, 'exported/policy.onnx.data');
    writeFileSync(file, readFileSync(file).subarray(0, 100_000));
    await expect(setup()).rejects.toThrow(/policy\.onnx: tensor "actor\.0\.weight"/);
  });

  test('a NaN in the weights is refused by its layer', async () => {
    const file = path.join(folder, 'exported/policy.onnx.data');
    const bytes = readFileSync(file);
    bytes.writeFloatLE(Number.NaN, 4096);
    writeFileSync(file, bytes);
    await expect(setup()).rejects.toThrow(/policy\.onnx: layers\[0\]\.\w+: value \d+ is NaN/);
  });
});
