import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatYaml } from '../../../src/core/yaml-file.ts';
import { writeOnnx } from '../../../src/formats/onnx/write-onnx.ts';
import { dict, ordered, type TorchValue, tensor, writeTorch } from '../../../src/formats/torch/write-torch.ts';
import { withCondition } from '../../../src/mdp/conditions/with-condition.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import { readRunSetup } from '../../../src/play/run-setup/read-run-setup.ts';
import { policyModel } from '../../../src/policy/onnx/export-policy.ts';
import type { RobotFacts } from '../../../src/robots/robot-facts.ts';
import { someWeights } from '../../support/networks.ts';
import { preparedHumanoid } from '../../support/robots.ts';

let folder: string;
let facts: RobotFacts;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'run-'));
  mkdirSync(path.join(folder, 'params'));
  ({ facts } = await preparedHumanoid());
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a checkpoint of rsl_rl 5. @param sizes of the actor's layers */
function saveCheckpoint(sizes: readonly number[]): void {
  const { layers } = someWeights(sizes, 3, false);
  const entries = layers.flatMap(({ inputs, outputs, weight, bias }, k): [string, TorchValue][] => [
    [`mlp.${2 * k}.weight`, tensor(weight, [outputs, inputs])],
    [`mlp.${2 * k}.bias`, tensor(bias, [outputs])],
  ]);
  writeFileSync(path.join(folder, 'model_0.pt'), writeTorch(dict([['actor_state_dict', ordered(entries)]])));
}

/** A configuration as mjlab dumps its dataclasses: Python tags, anchors, infinity, functions as dotted names. */
const ENV = `
decimation: 4
scale_rewards_by_dt: true
scene:
  num_envs: 8192
  entities:
    robot:
      init_state:
        pos: !!python/tuple [0.0, 0.0, 0.8]
        joint_pos:
          .*_knee_joint: 0.4
          .*: 0.0
      articulation:
        actuators:
        - !!python/object:mjlab.actuator.IdealPdActuatorCfg
          target_names_expr: !!python/tuple ['.*']
          stiffness: 40.0
          damping: 2.5
        - !!python/object:mjlab.actuator.IdealPdActuatorCfg
          target_names_expr: !!python/tuple ['^.*_knee_joint$']
          stiffness: 99.0
          damping: 6.3
sim:
  mujoco: {timestep: 0.005, iterations: 10, ls_iterations: 20, gravity: !!python/tuple [0, 0, -9.81]}
  nconmax: 35
observations:
  actor:
    terms:
      ref_joint_pos:
        func: wbc_mjlab.env.mdp.observations.ref_joint_pos
        params: {command_name: motion}
        noise: {n_min: -0.05, n_max: 0.05, operation: add}
        clip: null
        scale: null
        history_length: 0
      base_ang_vel:
        func: mjlab.envs.mdp.observations:builtin_sensor
        params: {sensor_name: robot/imu_ang_vel}
        scale: &id001 !!python/tuple [0.5, 0.5, 0.5]
      joint_pos:
        func: mjlab.envs.mdp.observations.joint_pos_rel
        params:
          biased: true
          asset_cfg: !!python/object:mjlab.managers.scene_entity_config.SceneEntityCfg
            name: robot
            joint_ids: !!python/object/apply:builtins.slice [null, null, null]
        history_length: 2
      actions:
        func: mjlab.envs.mdp.observations.last_action
        params: {}
    concatenate_terms: true
    enable_corruption: true
    history_length: null
  critic:
    terms: {}
actions:
  joint_pos:
    entity_name: robot
    scale: {.*: 0.25, .*_knee_joint: 0.5}
    action_mode: reference_residual
commands:
  motion:
    motion_file: data/humanoid/samples/npz
    anchor_body_name: ANCHOR
    body_names: BODIES
    pose_range: {x: !!python/tuple [-0.05, 0.05]}
    joint_position_range: !!python/tuple [-0.1, 0.1]
    resampling_time_range: !!python/tuple [.inf, .inf]
rewards:
  motion_joint_pos:
    func: wbc_mjlab.env.mdp.rewards.motion_joint_position_error_exp
    weight: 1.0
    params: {command_name: motion, std: 0.3}
  joint_limit:
    func: mjlab.envs.mdp.rewards.joint_pos_limits
    weight: -1.0
    params: {asset_cfg: {name: robot, joint_names: !!python/tuple ['.*']}}
  style:
    func: other.rewards.motion_style_amp
    weight: 2.0
    params: {}
terminations:
  anchor_pos:
    func: wbc_mjlab.env.mdp.terminations.bad_anchor_pos_z_only
    params: {command_name: motion, threshold: 0.35}
    time_out: false
events:
  push_robot:
    func: mjlab.envs.mdp.events.push_by_setting_velocity
    mode: interval
    interval_range_s: !!python/tuple [0.5, 1.0]
    params: {velocity_range: {x: &id002 !!python/tuple [-1.0, 1.0], y: *id002, yaw: !!python/tuple [-2.0, 2.0]}}
  foot_friction:
    func: mjlab.envs.mdp.events.randomize_field
    mode: startup
    params: {ranges: !!python/tuple [0.4, 0.9]}
curriculum: {}
`;

function saveParams(env = ENV, agent = 'experiment_name: wbc_humanoid\nactor: {activation: elu}\n'): void {
  const bodies = JSON.stringify(facts.wiring.keybodies);
  const text = env.replace('ANCHOR', facts.wiring.anchor).replace('BODIES', bodies);
  writeFileSync(path.join(folder, 'params/env.yaml'), text);
  writeFileSync(path.join(folder, 'params/agent.yaml'), agent);
}

const setup = (format: 'rsl_rl' | 'studio' = 'rsl_rl', checkpoint = 'model_0.pt') =>
  readRunSetup({ folder, format, checkpoint, facts });
const observed = () => facts.joints.length * (1 + 2 + 1) + 3;

describe('a run of rsl_rl', () => {
  test("a run of rsl_rl plays with its observations, scales, pose and terminations, and upstream's overrides for play", async () => {
    saveParams();
    saveCheckpoint([observed(), 8, facts.joints.length]);
    const { config, policy, task } = await setup();
    expect(task).toBe('Wbc-Humanoid');
    const { terms } = config.observations['actor']!;
    expect(Object.entries(terms).map(([name, { func }]) => [name, func])).toEqual([
      ['ref_joint_pos', 'ref_joint_pos'],
      ['base_ang_vel', 'builtin_sensor'],
      ['joint_pos', 'joint_pos_rel'],
      ['actions', 'last_action'],
    ]);
    expect(terms['base_ang_vel']).toMatchObject({ scale: [0.5, 0.5, 0.5], noise: null });
    expect(terms['ref_joint_pos']?.noise).toEqual({ n_min: -0.05, n_max: 0.05 });
    expect(config.observations['actor']?.enable_corruption).toBe(false);
    const knee = facts.joints.findIndex(({ name }) => /_knee_joint$/.test(name));
    expect(config.actions.joint_pos).toMatchObject({ action_mode: 'reference_residual' });
    expect([config.actions.joint_pos.scale?.[knee], config.actions.joint_pos.scale?.[0]]).toEqual([0.5, 0.25]);
    expect(config.robot?.default_joint_pos?.[knee]).toBe(0.4);
    expect([config.robot?.stiffness?.[0], config.robot?.stiffness?.[knee]]).toEqual([40, 99]);
    expect([config.robot?.damping?.[0], config.robot?.damping?.[knee]]).toEqual([2.5, 6.3]);
    expect(config.terminations['anchor_pos']?.params).toEqual({ threshold: 0.35 });
    expect(config.commands.motion).toMatchObject({ pose_range: {}, joint_position_range: [-0.1, 0.1] });
    expect(Object.keys(config.events)).toEqual(['foot_friction']);
    expect(config.events['foot_friction']?.params['ranges']).toEqual([0.4, 0.9]);
    expect(config.episode_length_s).toBe(1e9);
    expect(policy?.layers.map(({ outputs }) => outputs)).toEqual([8, facts.joints.length]);
  });

  test("pushes and variations are evaluated with the run's own ranges and intervals; what is not read is reported", async () => {
    saveParams(
      ENV.replace('[0.4, 0.9]}', '[0.4, 0.9], operation: abs, restitution_range: [0.0, 0.5]}').replace(
        'curriculum: {}',
        `  base_com:
    func: mjlab.envs.mdp.dr.body_com_offset
    mode: startup
    params: {ranges: {0: !!python/tuple [-0.1, 0.1], 2: !!python/tuple [0.0, 0.2]}}
curriculum: {}`,
      ),
    );
    const { trained, warnings } = await setup('rsl_rl', '');
    const { events } = withCondition(trained, { name: 'task', pushes: true, randomised: true }, facts);
    const still = [0, 0];
    expect(events['push_robot']).toMatchObject({
      mode: 'interval',
      interval_range_s: [0.5, 1],
      // upstream does not change an axis without a range
      params: { x: [-1, 1], y: [-1, 1], z: still, roll: still, pitch: still, yaw: [-2, 2] },
    });
    expect(events['base_com']?.params).toMatchObject({ x: [-0.1, 0.1], y: still, z: [0, 0.2] });
    expect(events['foot_friction']?.params).toEqual({ ranges: [0.4, 0.9] });
    expect(warnings).toEqual([
      expect.stringContaining('rewards.style'),
      expect.stringMatching(
        /events\.foot_friction\.params\.restitution_range is skipped: this service has no such parameter/,
      ),
    ]);
  });

  test('an unknown reward is left out with a warning', async () => {
    saveParams();
    saveCheckpoint([observed(), 8, facts.joints.length]);
    const { config, warnings } = await setup();
    expect(Object.keys(config.rewards)).toEqual(['motion_joint_pos', 'joint_limit']);
    expect(warnings).toEqual([expect.stringMatching(/rewards\.style is skipped: .*no reward "motion_style_amp"/)]);
  });

  test('an unknown observation is refused by name', async () => {
    saveParams(ENV.replace('observations.last_action', 'observations.height_scan'));
    saveCheckpoint([observed(), 8, facts.joints.length]);
    await expect(setup()).rejects.toThrow(
      /params\/env\.yaml: observations\.actor\.terms\.actions: .*no observation "height_scan"/,
    );
  });

  test('a network of the wrong width is refused with both widths', async () => {
    saveParams();
    saveCheckpoint([observed() + 3, 8, facts.joints.length]);
    await expect(setup()).rejects.toThrow(
      `the policy expects ${observed() + 3} observations, but its task has ${observed()}`,
    );
    saveCheckpoint([observed(), 8, 12]);
    await expect(setup()).rejects.toThrow(
      `the policy outputs 12 actions, but humanoid has ${facts.joints.length} joints`,
    );
  });

  test("weights and lists of a run with joints in another order are reordered to the robot's order", async () => {
    saveParams();
    const count = facts.joints.length;
    const names = facts.joints.map(({ name }) => name).reverse();
    writeFileSync(
      path.join(folder, 'params/config.yaml'),
      formatYaml({
        joint_names: names,
        default_joint_pos: names.map((_, k) => k / 100),
        action: { scale: names.map((_, k) => k) },
      }),
    );
    saveCheckpoint([observed(), count]);
    const { config, policy } = await setup();
    expect(config.actions.joint_pos.scale).toEqual(names.map((_, k) => count - 1 - k));
    expect(config.robot?.default_joint_pos?.[0]).toBeCloseTo((count - 1) / 100, 9);
    const plain = someWeights([observed(), count], 3, false).layers[0]!;
    const layer = policy!.layers[0]!;
    // The first action is the last one of the file. The first reference is the last one of the file's first block.
    expect(layer.bias[0]).toBe(plain.bias[count - 1]);
    expect(layer.weight[0]).toBe(plain.weight[(count - 1) * observed() + count - 1]);
    // The gyro does not depend on the joints, so its position does not change.
    expect(layer.weight[count]).toBe(plain.weight[(count - 1) * observed() + count]);
    // Two steps of positions, then the last actions. Each block is reordered separately.
    expect(layer.weight[count + 3]).toBe(plain.weight[(count - 1) * observed() + 2 * count + 2]);
    expect(layer.weight[2 * count + 3]).toBe(plain.weight[(count - 1) * observed() + 3 * count + 2]);
  });

  test('the default pose is that of the first pattern that matches the start of a name, and 0 without one', async () => {
    const poseOf = async (mapping: string) => {
      saveParams(
        ENV.replace(/joint_pos:\n {10}\.\*_knee_joint: 0\.4\n {10}\.\*: 0\.0\n/, () => `joint_pos: ${mapping}\n`),
      );
      const { config, warnings } = await setup('rsl_rl', '');
      expect(warnings.filter((line) => line.includes('joint_pos'))).toEqual([]);
      const pose = config.robot?.default_joint_pos ?? [];
      return Object.fromEntries(facts.joints.map(({ name }, k) => [name, pose[k]]));
    };
    // given a pose that names some joints, as mjlab's own robots do
    const partial = await poseOf("{'.*_knee_joint': 0.669, 'left_hip_pitch': -0.3, '.*_hip_pitch_joint$': -0.1}");
    expect(partial).toMatchObject({ left_knee_joint: 0.669, left_hip_pitch_joint: -0.3, right_hip_pitch_joint: -0.1 });
    expect(Object.values(partial).filter((value) => value !== 0)).toHaveLength(4);
    // a pattern that ends with $ must match the whole name
    expect(await poseOf("{'left_knee$': 0.5, '.*': 0.2, '.*_knee_joint': 0.7}")).toMatchObject({
      left_knee_joint: 0.2,
    });
  });

  test('a pose, gains and scales that a run does not state completely are reported, or have the value of upstream', async () => {
    const knee = facts.joints.findIndex(({ name }) => /_knee_joint$/.test(name));
    const other = facts.joints.findIndex(({ name }) => !/_knee_joint$/.test(name));
    saveParams(
      ENV.replace(/joint_pos:\n {10}\.\*_knee_joint: 0\.4\n {10}\.\*: 0\.0\n/, 'joint_pos: null\n')
        .replace("target_names_expr: !!python/tuple ['.*']", "target_names_expr: !!python/tuple ['.*_hip.*']")
        .replace('scale: {.*: 0.25, .*_knee_joint: 0.5}', 'scale: {.*_knee_joint: 0.5}'),
    );
    const { config, warnings } = await setup('rsl_rl', '');
    expect(config.robot).toEqual({});
    expect(warnings.slice(0, 3)).toEqual([
      expect.stringMatching(/actuators: stiffness is not stated for every joint; the stiffness of the robot is used/),
      expect.stringMatching(/actuators: damping is not stated for every joint/),
      expect.stringMatching(/init_state\.joint_pos: is null, .*; the default pose of humanoid is used/),
    ]);
    // mjlab's scale is 1 for a joint that the mapping does not contain
    expect([config.actions.joint_pos.scale?.[knee], config.actions.joint_pos.scale?.[other]]).toEqual([0.5, 1]);
  });

  test("a velocimeter is read at its place in the robot's model, or at the root with a warning", async () => {
    saveParams(
      ENV.replace(
        '      joint_pos:\n        func',
        `      base_lin_vel:
        func: mjlab.envs.mdp.observations.builtin_sensor
        params: {sensor_name: robot/imu_lin_vel}
      joint_pos:
        func`,
      ),
    );
    const readWith = async (robot: RobotFacts) => {
      const read = await readRunSetup({ folder, format: 'rsl_rl', checkpoint: '', facts: robot });
      const { base_ang_vel, base_lin_vel } = read.config.observations['actor']!.terms;
      expect(base_ang_vel?.params).toEqual({ sensor_name: 'robot/imu_ang_vel' });
      return { offset: base_lin_vel?.params['offset'], warnings: read.warnings.filter((line) => line.includes('imu')) };
    };
    expect(await readWith({ ...facts, velocimeter: [0.05, 0, -0.08] })).toEqual({
      offset: [0.05, 0, -0.08],
      warnings: [],
    });
    const { velocimeter: own, ...without } = facts;
    expect(own).toEqual([0, 0, 0]);
    expect(await readWith(without)).toEqual({
      offset: undefined,
      warnings: [
        expect.stringMatching(/terms\.base_lin_vel: the root of humanoid has no velocimeter imu_lin_vel; the velocity/),
      ],
    });
  });

  test('unknown names, patterns that could run forever, and deeply nested YAML are refused', async () => {
    saveCheckpoint([observed(), 8, facts.joints.length]);
    saveParams(ENV.replace('anchor_body_name: ANCHOR', 'anchor_body_name: tail'));
    await expect(setup()).rejects.toThrow(/has no body "?tail/);
    saveParams(ENV.replace('{.*: 0.25,', "{'(.*)+x': 0.25,"));
    await expect(setup()).rejects.toThrow(/"\(\.\*\)\+x" is too complex for a name pattern/);
    saveParams(`x: ${'['.repeat(20_000)}`);
    await expect(setup()).rejects.toThrow(/params\/env\.yaml:1: is nested too deeply/);
    saveParams(ENV.replace('timestep: 0.005', 'timestep: .nan'));
    await expect(setup()).rejects.toThrow(/params\/env\.yaml: sim\.timestep: must be/);
  });

  test('actions are relative to the target that the mode, the command or the default pose defines', async () => {
    const modeOf = async (lines: string) => {
      saveParams(ENV.replace('    action_mode: reference_residual\n', lines));
      return (await setup('rsl_rl', '')).config.actions.joint_pos.action_mode;
    };
    expect(await modeOf('    command_name: motion\n')).toBe('reference_residual');
    expect(await modeOf('    command_name: motion\n    use_default_offset: true\n')).toBe('default_relative');
    expect(await modeOf('    use_default_offset: true\n')).toBe('default_relative');
    await expect(modeOf('    use_default_offset: false\n')).rejects.toThrow(
      /use_default_offset: false is not supported/,
    );
    await expect(modeOf('    action_mode: velocity\n')).rejects.toThrow(/action_mode: "velocity" is not supported/);
  });

  test("the limit of raw actions is the agent's clip_actions; limits of joint targets are refused by name", async () => {
    const agent = (limit: string) => `experiment_name: wbc_humanoid\nclip_actions: ${limit}\n`;
    const clipOf = async (limit: string) => {
      saveParams(ENV, agent(limit));
      return (await setup('rsl_rl', '')).config.actions.joint_pos.clip;
    };
    expect(await clipOf('0.8')).toEqual([-0.8, 0.8]);
    expect(await clipOf('null')).toBeNull();
    await expect(clipOf('-1')).rejects.toThrow(/params\/agent\.yaml: clip_actions: must be null or a number > 0/);
    saveParams(ENV.replace('    entity_name: robot\n', "    entity_name: robot\n    clip: {'.*': [-0.2, 0.2]}\n"));
    await expect(setup('rsl_rl', '')).rejects.toThrow(/params\/env\.yaml: actions\.joint_pos\.clip: must be null/);
  });

  test('a run without a checkpoint plays zero action and reads no weights', async () => {
    saveParams();
    expect((await setup('rsl_rl', '')).policy).toBeNull();
  });
});

describe('a run of Isaac Lab', () => {
  const ISAAC = ENV.replace('decimation: 4', 'decimation: 10')
    .replace(
      /scene:[\s\S]*?\nobservations:/,
      `scene:
  num_envs: 4096
  robot:
    class_type: isaaclab.assets.articulation.articulation:Articulation
    init_state: {joint_pos: {.*_knee_joint: 0.669, .*_hip_pitch_joint: -0.312}}
    actuators:
      all: {joint_names_expr: ['.*'], stiffness: 40.0, damping: 2.5}
      legs:
        joint_names_expr: ['.*_hip_pitch_joint', '.*_knee_joint']
        stiffness: {.*_hip_pitch_joint: 41.0, .*_knee_joint: 99.0}
        damping: 6.3
sim: {dt: 0.002, gravity: !!python/tuple [0.0, 0.0, -1.6]}
observations:`,
    )
    .replaceAll('mjlab.envs.mdp.observations', 'isaaclab.envs.mdp.observations');
  /** Writes an export of the policy that names the joints in reverse order. */
  const exportPolicy = (file: string) => {
    const names = facts.joints.map(({ name }) => name).reverse();
    const model = policyModel(someWeights([4, 2], 1, false), new Map([['joint_names', names.join(',')]]));
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), writeOnnx(model));
  };

  test('a run of Isaac Lab that does not name its joints is refused, because Isaac Lab orders joints in its own way', async () => {
    saveParams(ISAAC);
    saveCheckpoint([observed(), 8, facts.joints.length]);
    await expect(setup()).rejects.toThrow(
      /env\.yaml: scene\.robot: .*Isaac Lab.* do not name the joints\. Export the policy .* to exported\/policy\.onnx/,
    );
  });

  test.each(['exported/policy.onnx', 'the name of the folder'])(
    'a run of Isaac Lab has the joint order of its export (%s), and pose, gains, time step and gravity of env.yaml',
    async (file) => {
      saveParams(ISAAC);
      const count = facts.joints.length;
      saveCheckpoint([observed(), count]);
      exportPolicy(file.includes('/') ? file : `${path.basename(folder)}.onnx`);
      const { config, policy, warnings } = await setup();
      const plain = someWeights([observed(), count], 3, false).layers[0]!;
      expect(policy!.layers[0]!.bias[0]).toBe(plain.bias[count - 1]);
      expect(policy!.layers[0]!.weight[0]).toBe(plain.weight[(count - 1) * observed() + count - 1]);
      expect(config).toMatchObject({ decimation: 10, sim: { timestep: 0.002, gravity: [0, 0, -1.6] } });
      const at = (name: string) => facts.joints.findIndex((joint) => joint.name === name);
      const [hip, knee, other] = ['left_hip_pitch_joint', 'left_knee_joint', 'left_hip_roll_joint'].map(at);
      const { stiffness, damping, default_joint_pos: pose } = config.robot!;
      expect([hip, knee, other].map((joint) => pose?.[joint!])).toEqual([-0.312, 0.669, 0]);
      expect([hip, knee, other].map((joint) => stiffness?.[joint!])).toEqual([41, 99, 40]);
      expect([hip, knee, other].map((joint) => damping?.[joint!])).toEqual([6.3, 6.3, 2.5]);
      expect(warnings).toEqual([expect.stringContaining('rewards.style')]);
    },
  );

  test('a pattern of the pose must match the whole name in Isaac Lab', async () => {
    exportPolicy('exported/policy.onnx');
    saveParams(ISAAC.replace('{.*_knee_joint: 0.669, ', '{.*_knee: 0.9, .*_knee_joint: 0.669, '));
    const { config } = await setup('rsl_rl', '');
    const knee = facts.joints.findIndex(({ name }) => name === 'left_knee_joint');
    expect(config.robot?.default_joint_pos?.[knee]).toBe(0.669);
  });

  test('the observation of absolute joint positions is refused by name', async () => {
    exportPolicy('exported/policy.onnx');
    saveParams(ISAAC.replace('observations.joint_pos_rel', 'observations.joint_pos'));
    await expect(setup('rsl_rl', '')).rejects.toThrow(
      /observations\.actor\.terms\.joint_pos: joint_pos, the position itself, is not supported\. Train with joint_pos_rel/,
    );
  });
});

describe('a run of this service', () => {
  const save = (changed: (config: Record<string, unknown>) => void = () => {}) => {
    const config = JSON.parse(JSON.stringify(baseTasks(facts)[1]!.config)) as Record<string, unknown>;
    changed(config);
    const joint_names = facts.joints.map(({ name }) => name);
    writeFileSync(
      path.join(folder, 'params/task.yaml'),
      formatYaml({ version: 1, task: 'Wbc-Humanoid-SE', robot: 'humanoid', dataset: 'samples', joint_names, config }),
    );
  };

  test('a run of this service plays with the settings it was trained with', async () => {
    save();
    const { config, task, policy } = await setup('studio', '');
    expect(task).toBe('Wbc-Humanoid-SE');
    expect(policy).toBeNull();
    expect(config.rewards).toEqual(baseTasks(facts)[1]!.config.rewards);
    expect(config.observations['actor']!.enable_corruption).toBe(false);
    expect(Object.keys(config.events)).toEqual(['base_com', 'encoder_bias', 'foot_friction']);
  });

  test('a field of the wrong type and a removed term are refused by name', async () => {
    save((config) => {
      config['decimation'] = 'four';
    });
    await expect(setup('studio', '')).rejects.toThrow(/params\/task\.yaml: decimation: must be an integer/);
    save((config) => {
      (config['rewards'] as Record<string, unknown>)['joint_acc'] = { func: 'gone', weight: 1, params: {} };
    });
    await expect(setup('studio', '')).rejects.toThrow(/rewards\.joint_acc\.func: there is no term "gone"/);
  });
});
