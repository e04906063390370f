import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readOnnxFile } from '../../src/formats/onnx/read-onnx-file.ts';
import { dict, ordered, type TorchValue, tensor, writeTorch } from '../../src/formats/torch/write-torch.ts';
import { onnxPolicy } from '../../src/policy/onnx/onnx-policy.ts';
import type { Evaluation } from '../../src/protocol/schemas/evaluation.ts';
import { finish, request } from '../support/client.ts';
import { addKitRun } from '../support/deploy-run.ts';
import { g1Spec, hasKit, KIT } from '../support/kit.ts';
import { convertAll } from '../support/play-client.ts';
import { call } from '../support/service-process.ts';
import { ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';
import { addG1, addKitClip } from '../support/workspace.ts';

const studio = useStudio();

const POLICY = path.join(KIT, 'policies/dance1_subject2');
const TERMS = [
  'motion_command',
  'motion_anchor_ori_b',
  'base_ang_vel',
  'joint_pos_rel',
  'joint_vel_rel',
  'last_action',
];

beforeAll(async () => {
  if (!hasKit) return;
  addG1(studio.workspace);
  addKitClip(studio.workspace, 'dance', 'dance1_subject2');
  const runs = path.join(studio.workspace, 'logs/rsl_rl');
  addKitRun(runs, 'wbc_g1/deployed');
  addFlatRun(path.join(runs, 'wbc_g1/flat'));
  addTorchRun(path.join(runs, 'wbc_g1/torch'));
  await studio.start();
  await request(studio.address, 'POST /api/robot/select', { name: 'g1' }, { prefer: 'wait=60' });
  await convertAll(studio.address, 'dance');
}, 120_000);

/** Writes policy and parameters side by side. */
function addFlatRun(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ['policy.onnx', 'policy.onnx.data', 'deploy.yaml'])
    cpSync(path.join(POLICY, file), path.join(folder, file));
}

/** Writes the network as rsl_rl saves it, with a configuration as mjlab dumps it. Gains, scales and default pose are
 *  those of the robot. */
function addTorchRun(folder: string): void {
  mkdirSync(path.join(folder, 'params'), { recursive: true });
  const { layers, normalizer } = onnxPolicy(readOnnxFile(path.join(POLICY, 'policy.onnx')));
  const entries = layers.flatMap(({ inputs, outputs, weight, bias }, k): [string, TorchValue][] => [
    [`mlp.${2 * k}.weight`, tensor(weight, [outputs, inputs])],
    [`mlp.${2 * k}.bias`, tensor(bias, [outputs])],
  ]);
  const { mean, std, epsilon } = normalizer!;
  entries.push(['obs_normalizer._mean', tensor(mean, [1, mean.length])]);
  // The reader adds the epsilon of rsl_rl.
  const bare = std.map((value) => value + epsilon - 0.01);
  entries.push(['obs_normalizer._std', tensor(bare, [1, std.length])]);
  entries.push([
    'obs_normalizer._var',
    tensor(
      bare.map((value) => value ** 2),
      [1, std.length],
    ),
  ]);
  writeFileSync(path.join(folder, 'model_500.pt'), writeTorch(dict([['actor_state_dict', ordered(entries)]])));
  const { wiring, joints } = g1Spec();
  const scale = Object.entries(joints).map(([name, joint]) => `${name}: ${joint.action_scale}`);
  const env = [
    'decimation: 4',
    'sim: {mujoco: {timestep: 0.005, iterations: 10, ls_iterations: 20}}',
    'observations:',
    '  actor:',
    '    terms:',
    ...TERMS.map((term) => `      ${term}: {func: mjlab.tasks.tracking.mdp.${term}, params: {}}`),
    `actions: {joint_pos: {scale: {${scale.join(', ')}}, use_default_offset: true}}`,
    `commands: {motion: {anchor_body_name: ${wiring.anchor}, body_names: ${JSON.stringify(wiring.keybodies)}}}`,
    'rewards: {}',
    'terminations:',
    '  anchor_pos: {func: mdp.bad_anchor_pos_z_only, params: {threshold: 0.5}, time_out: false}',
    '  anchor_ori: {func: mdp.bad_anchor_ori, params: {threshold: 0.8}, time_out: false}',
  ];
  writeFileSync(path.join(folder, 'params/env.yaml'), `${env.join('\n')}\n`);
  writeFileSync(path.join(folder, 'params/agent.yaml'), 'experiment_name: wbc_g1\nactor: {activation: elu}\n');
}

async function evaluated(run: string): Promise<Evaluation> {
  const asked = { run, motion: 'data/g1/dance', starts: 2, horizon_s: 2 };
  const { status, body } = await request(studio.address, 'POST /api/evaluate', asked);
  if (status !== 200) throw new Error(`${run}: ${body.detail}`);
  const job = await untilJob(studio.address, body.job, ended, 120_000);
  if (job.status !== 'done') throw new Error(`${run}: ${job.status} ${job.error}\n${job.log.join('\n')}`);
  return call<Evaluation>(studio.address, `/api/evaluations/${body.evaluation}`);
}

test.skipIf(!hasKit)(
  'the same network as deploy folder, as flat folder and as checkpoint of rsl_rl gets the same evaluation',
  async () => {
    const deployed = await evaluated('wbc_g1/deployed');
    expect(deployed.protocol.checkpoints).toEqual(['policy.onnx']);
    expect(deployed.summary[0]).toMatchObject({ success: 1, tracked_share: 1 });
    const flat = await evaluated('wbc_g1/flat');
    expect(flat.summary).toEqual(deployed.summary);
    expect(flat.joints).toEqual(deployed.joints);
    const torch = await evaluated('wbc_g1/torch');
    expect(torch.protocol).toMatchObject({ checkpoints: ['model_500.pt'], control_hz: 50 });
    expect(torch.protocol.failure).toContain('bad_anchor_pos_z_only 0.5');
    // deploy.yaml has rounded gains and scales.
    const { errors } = deployed.summary[0]!;
    expect(torch.summary[0]).toMatchObject({ success: 1, episodes: 2 });
    for (const [name, value] of Object.entries(torch.summary[0]!.errors))
      expect(Math.abs(value / errors[name as keyof typeof errors] - 1), name).toBeLessThan(0.2);
  },
  180_000,
);

test.skipIf(!hasKit)(
  'an rsl_rl run with torch checkpoints is exported and passes its self-test; a format that cannot express it refuses it',
  async () => {
    for (const format of ['whole_body_tracking', 'unitree'] as const) {
      const task = await finish(studio.address, 'POST /api/export', { run: 'wbc_g1/torch', format, selftest_s: 1 });
      expect(task).toMatchObject({ state: 'done', error: null });
      const { exports } = (await request(studio.address, 'GET /api/exports', { run: 'wbc_g1/torch' })).body;
      const made = exports.find((each) => each.format === format)!;
      expect(made).toMatchObject({ checkpoint: 'model_500.pt', selftest: { ok: true } });
      expect(made.selftest.max_action_difference).toBeLessThan(1e-5);
    }
    const { status, body } = await request(studio.address, 'POST /api/export', {
      run: 'wbc_g1/torch',
      format: 'wbc-g1-deploy',
    });
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/cannot express .* motion_anchor_ori_b/)]);
  },
  120_000,
);
