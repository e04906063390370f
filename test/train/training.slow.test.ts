import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readEvents } from '../../src/formats/event-file/read-events.ts';
import { readNpz } from '../../src/formats/npz.ts';
import { readCheckpoint } from '../../src/policy/checkpoint/read-checkpoint.ts';
import { readExportedPolicy } from '../../src/policy/onnx/exported-policy.ts';
import { FAILURE_LEVELS_FILE, formatFailureLevels } from '../../src/runs/checkpoint/failure-levels-file.ts';
import { readTrainingCheckpoint } from '../../src/runs/checkpoint/read-training-checkpoint.ts';
import { formatCheckpoint } from '../../src/runs/checkpoint/write-checkpoint.ts';
import { readParams } from '../../src/runs/params/params-file.ts';
import type { TrainingOrder } from '../../src/train/training-order.ts';
import { runPython } from '../support/python.ts';
import { TORCH } from '../support/torch.ts';
import { trainingOrder } from '../support/training-order.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs the trainer in a separate process, like the service. */
async function train(file: string, onOutput: (text: string, stop: () => void) => void = () => {}) {
  const child = spawn(process.execPath, ['dist/cli/job-process.js', 'train', file], { cwd: ROOT });
  let output = '';
  const take = (chunk: Buffer) => {
    output += chunk.toString();
    onOutput(output, () => child.kill('SIGTERM'));
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const levelsOf = ({ runFolder }: TrainingOrder) => path.join(runFolder, FAILURE_LEVELS_FILE);
const modelsOf = (folder: string) => readdirSync(path.join(folder, 'run')).filter((name) => name.endsWith('.pt'));

function scalarsOf(folder: string): Map<string, [step: number, value: number][]> {
  const run = path.join(folder, 'run');
  const file = readdirSync(run).find((name) => name.includes('tfevents'))!;
  const scalars = new Map<string, [number, number][]>();
  readEvents(readFileSync(path.join(run, file)), (tag, step, value) =>
    scalars.set(tag, [...(scalars.get(tag) ?? []), [step, value]]),
  );
  return scalars;
}

test('a training writes a run in the layout of rsl_rl, with the same bits for the same seed over two threads', async () => {
  const [first, second] = await Promise.all([
    trainingOrder({ iterations: 3, threads: 2 }),
    trainingOrder({ iterations: 3, threads: 2 }),
  ]);
  const { code, output } = await train(first.file);
  expect(code, output).toBe(0);
  expect(modelsOf(first.folder).sort()).toEqual(['model_0.pt', 'model_1.pt', 'model_2.pt']);
  expect(output).toContain(`[INFO] Logging experiment in directory: ${first.order.runFolder}\n`);
  expect(output.match(/ Learning iteration \d+\/3 /g)).toHaveLength(3);
  expect(await readParams(first.order.runFolder, 'params/task.yaml')).toMatchObject({
    task: 'Wbc-Humanoid',
    robot: 'humanoid',
    dataset: 'squats',
  });
  const exported = readExportedPolicy(path.join(first.order.runFolder, 'params/policy.onnx'));
  const last = await readCheckpoint(path.join(first.order.runFolder, 'model_2.pt'));
  expect(exported.weights.layers).toEqual(last.actor.layers);
  expect(exported.weights.normalizer!.mean).toEqual(last.actor.normalizer!.mean);
  expect(exported.metadata).toMatchObject({ actionMode: 'reference_residual', anchorBodyName: 'torso_link' });
  const scalars = scalarsOf(first.folder);
  expect(scalars.get('Loss/value')!.map(([step]) => step)).toEqual([0, 1, 2]);
  for (const name of ['entropy', 'top1_prob', 'top1_bin'])
    for (const [, value] of scalars.get(`Metrics/motion/sampling_${name}`)!) {
      expect(value, name).toBeGreaterThanOrEqual(0);
      expect(value, name).toBeLessThanOrEqual(1);
    }
  // The sampling is almost uniform at first.
  expect(scalars.get('Metrics/motion/sampling_entropy')![0]![1]).toBeGreaterThan(0.99);
  const evaluations = scalars.get('Eval/mean_episode_length')!;
  expect(evaluations.map(([step]) => step)).toEqual([1, 2]);
  for (const [, length] of evaluations) expect(length).toBeGreaterThan(10);
  expect(scalars.get('Eval/zero_action_mean_episode_length')![0]![1]).toBeLessThan(200);

  expect((await train(second.file)).code).toBe(0);
  for (const name of modelsOf(first.folder)) {
    const [a, b] = [first, second].map(({ folder }) => readFileSync(path.join(folder, 'run', name)));
    expect(a!.equals(b!), name).toBe(true);
  }
}, 120_000);

test('a guided training has the same bits for the same seed over two threads', async () => {
  const [first, second] = await Promise.all([
    trainingOrder({ iterations: 10, threads: 2 }),
    trainingOrder({ iterations: 10, threads: 2 }),
  ]);
  const runs = await Promise.all([train(first.file), train(second.file)]);
  for (const { code, output } of runs) expect(code, output).toBe(0);
  const [a, b] = [first, second].map(({ folder }) => readFileSync(path.join(folder, 'run', 'model_9.pt')));
  expect(a!.equals(b!)).toBe(true);
}, 120_000);

test('a training that resumes networks that are not symmetric says so and does not make them symmetric', async () => {
  const { order, folder, file } = await trainingOrder({ iterations: 1 });
  expect((await train(file)).code).toBe(0);
  const read = await readTrainingCheckpoint(path.join(order.runFolder, 'model_0.pt'));
  const layers = read.actor.layers.map((layer, k) =>
    k === 0 ? { ...layer, bias: layer.bias.map((_, unit) => (unit === 0 ? 0.1 : 0)) } : layer,
  );
  const checkpoint = path.join(folder, 'other.pt');
  writeFileSync(checkpoint, formatCheckpoint({ ...read, actor: { ...read.actor, layers } }));
  const resumed = await trainingOrder({ iterations: 1, resume: checkpoint });
  const { code, output } = await train(resumed.file);
  expect(code, output).toBe(0);
  expect(output).toContain('[INFO] The networks are not symmetric: the networks of the checkpoint are not symmetric');
  const { actor } = await readTrainingCheckpoint(path.join(resumed.order.runFolder, 'model_0.pt'));
  const { bias } = actor.layers[0]!;
  expect(bias[0]! - bias[bias.length / 2]!).toBeGreaterThan(0.05);
}, 120_000);

test('a stop ends a training with a checkpoint that it can resume from', async () => {
  const begun = await trainingOrder({ iterations: 10_000 });
  const stopped = await train(begun.file, (output, stop) => {
    if (/Learning iteration 1\//.test(output)) stop();
  });
  // A program ended by a signal exits with this status, so the training does not count as done.
  expect(stopped.code, stopped.output).toBe(143);
  const last = Math.max(...modelsOf(begun.folder).map((name) => Number(/\d+/.exec(name)![0])));
  expect(last).toBeGreaterThanOrEqual(1);
  const checkpoint = path.join(begun.order.runFolder, `model_${last}.pt`);

  const resumed = await trainingOrder({ iterations: 2, resume: checkpoint });
  const { code, output } = await train(resumed.file);
  expect(code, output).toBe(0);
  expect(output).toContain('[INFO] The networks are symmetric: ');
  // The trainer repeats the saved iteration and then runs the requested number of iterations.
  expect(output).toContain(` Learning iteration ${last}/${last + 2} `);
  const from = await readTrainingCheckpoint(checkpoint);
  const to = await readTrainingCheckpoint(path.join(resumed.order.runFolder, `model_${last + 1}.pt`));
  // The resumed policy is a candidate for the result. It is the best one if no later policy has a higher score.
  const scores = [...output.matchAll(/without noise: ([\d.]+) s, .* tracking ([\d.]+)/g)].map(
    ([, s, tracking]) => Number(s) / resumed.order.config.episode_length_s + 0.2 * Number(tracking),
  );
  const [, kept, later] = scores;
  expect(scores).toHaveLength(3);
  const keeps = output.includes(`with the networks of the best iteration, ${last}\n`);
  if (Math.abs(kept! - later!) > 0.002) expect(keeps).toBe(kept! > later!);
  expect(to.optimizer.steps).toBe(from.optimizer.steps + (keeps ? 0 : 2 * 20));
  expect(to.envSteps).toBe(from.envSteps + 2 * 24 * 8);
}, 120_000);

test('a stop does not wait for the end of an iteration', async () => {
  // An iteration of so many environments takes many seconds.
  const { file, folder } = await trainingOrder({ iterations: 3, envs: 2048 });
  const { code, output } = await train(file, (text, stop) => {
    if (text.includes('[INFO] Zero action')) stop();
  });
  expect(code, output).toBe(143);
  expect(output).not.toContain(' Learning iteration ');
  expect(modelsOf(folder)).toEqual(['model_0.pt']);
}, 120_000);

test('the policy of the best evaluation is saved at once, whatever the interval of checkpoints is', async () => {
  const { file, folder, order } = await trainingOrder({ iterations: 20 });
  const { config } = order;
  const scaled = { ...config.actions, joint_pos: { ...config.actions.joint_pos, scale_factor: 0.5 } };
  const agent = { ...config.agent, save_interval: 1000 };
  writeFileSync(
    file,
    JSON.stringify({
      ...order,
      config: { ...config, agent, actions: scaled, episode_length_s: 0.4 },
      evaluation: { every: 1, episodes: 2, finalEpisodes: 3 },
    }),
  );
  const { code, output } = await train(file);
  expect(code, output).toBe(0);
  let best = -1;
  const saved: string[] = ['model_0.pt', 'model_19.pt'];
  for (const block of output.split(' Learning iteration ').slice(1, -1)) {
    const [, s, tracking] = /without noise: ([\d.]+) s, .* tracking ([\d.]+)/.exec(block) ?? [];
    if (s === undefined) continue;
    const score = Number(s) / 0.4 + 0.2 * Number(tracking);
    // The output has three digits, so nearly equal scores cannot be told apart.
    if (score > best + 0.002 && best > 0) saved.push(`model_${Number.parseInt(block, 10)}.pt`);
    best = Math.max(best, score);
  }
  expect(saved.length).toBeGreaterThan(2);
  expect(modelsOf(folder)).toEqual(expect.arrayContaining(saved));
  expect(modelsOf(folder).length).toBeLessThan(20);
  const { action } = (await readParams(order.runFolder, 'params/config.yaml')) as { action: { scale: number[] } };
  for (const [k, joint] of order.robot.facts.joints.entries())
    expect(action.scale[k]).toBeCloseTo(0.5 * joint.actionScale, 6);
}, 120_000);

test('a training that diverges saves its best policy', async () => {
  const begun = await trainingOrder({ iterations: 2 });
  expect((await train(begun.file)).code).toBe(0);
  const resume = path.join(begun.order.runFolder, 'model_1.pt');
  const { config } = begun.order;
  const algorithm = { ...config.agent.algorithm, schedule: 'fixed' as const, learning_rate: 1e30 };
  const diverging = { ...config, agent: { ...config.agent, algorithm } };
  const resumed = await trainingOrder({ resume, config: diverging, threads: 2 });
  const { code, output } = await train(resumed.file);
  expect(code).toBe(1);
  expect(output).toContain(
    'the training diverged in iteration 1: losses are not finite. Lower the learning rate. ' +
      'model_1.pt contains the best policy, that of iteration 1.',
  );
  const kept = await readTrainingCheckpoint(path.join(resumed.order.runFolder, 'model_1.pt'));
  expect(kept.actor.layers).toEqual((await readTrainingCheckpoint(resume)).actor.layers);
}, 120_000);

test('a resumed training continues with the failure levels of its run in all threads', async () => {
  const begun = await trainingOrder({ iterations: 1 });
  expect((await train(begun.file)).code).toBe(0);
  const read = async ({ order }: typeof begun) => (await readNpz(levelsOf(order))).arrays.get('failure_levels')!;
  const { shape } = await read(begun);
  const [clips, bins] = shape as [number, number];
  const levels = new Float32Array(clips * bins).fill(0.5);
  const table = { clips, bins, levels, valid: new Uint8Array(clips * bins).fill(1) };
  const settings = { bin_width_s: 0.1, alpha: 1 / 3000, uniform_ratio: 0.3 };
  writeFileSync(levelsOf(begun.order), formatFailureLevels(table, settings));

  const resume = path.join(begun.order.runFolder, 'model_0.pt');
  const resumed = await trainingOrder({ iterations: 1, threads: 2, resume });
  const { code, output } = await train(resumed.file);
  expect(code, output).toBe(0);
  expect(output).toContain(`[INFO] Loading failure levels from: ${levelsOf(begun.order)}\n`);
  // Few episodes end in one iteration, and each changes a level by at most 1 / 6000.
  for (const level of (await read(resumed)).data) expect(level).toBeCloseTo(0.5, 1);
}, 120_000);

test('a training ends with one of its three best policies, after it has compared them over more episodes', async () => {
  const { file, folder, order } = await trainingOrder({ iterations: 12 });
  const short = { ...order, config: { ...order.config, episode_length_s: 0.4 } };
  writeFileSync(file, JSON.stringify({ ...short, evaluation: { every: 1, episodes: 4, finalEpisodes: 3 } }));
  const { code, output } = await train(file);
  expect(code, output).toBe(0);
  const scores = new Map<number, number>();
  for (const block of output.split(' Learning iteration ').slice(1)) {
    const [, s, tracking] = /without noise: ([\d.]+) s, .* tracking ([\d.]+)/.exec(block) ?? [];
    if (s !== undefined) scores.set(Number.parseInt(block, 10), Number(s) / 0.4 + 0.2 * Number(tracking));
  }
  expect(scores.size).toBeGreaterThan(3);
  const best = Number(/with the networks of the best iteration, (\d+)\n/.exec(output)?.[1] ?? 11);
  const [, , third] = [...scores.values()].sort((a, b) => b - a);
  // The output has three digits, so nearly equal scores cannot be told apart.
  expect(scores.get(best)).toBeGreaterThanOrEqual(third! - 0.002);
  expect(modelsOf(folder)).toContain('model_11.pt');
}, 120_000);

test('a checkpoint is read back exactly, and refused by its sizes for a network of another shape', async () => {
  const { file, folder, order } = await trainingOrder({ iterations: 1 });
  expect((await train(file)).code).toBe(0);
  const checkpoint = path.join(folder, 'run', 'model_0.pt');
  const read = await readTrainingCheckpoint(checkpoint);
  const copy = path.join(folder, 'copy.pt');
  writeFileSync(copy, formatCheckpoint(read));
  const again = await readTrainingCheckpoint(copy);
  expect(again.optimizer).toEqual(read.optimizer);
  expect([again.actor.layers, again.critic.layers, again.actor.std]).toEqual([
    read.actor.layers,
    read.critic.layers,
    read.actor.std,
  ]);
  // The file contains square roots in single precision.
  const { variance } = read.actor.normalizer!;
  for (const [k, value] of again.actor.normalizer!.variance.entries()) expect(value).toBeCloseTo(variance[k]!, 4);
  const agent = { ...order.config.agent, actor: { ...order.config.agent.actor, hidden_dims: [16] } };
  const other = await trainingOrder({ resume: checkpoint, config: { ...order.config, agent } });
  const { code, output } = await train(other.file);
  expect(code).toBe(1);
  expect(output).toMatch(/the checkpoint's network is \d+-128-128-64-21, the task's is \d+-16-21/);
}, 120_000);

test.skipIf(TORCH === null)(
  'torch loads a checkpoint: its Adam accepts the moments, and its network gives the same actions',
  async () => {
    const { file, folder } = await trainingOrder({ iterations: 2 });
    expect((await train(file)).code).toBe(0);
    const checkpoint = path.join(folder, 'run', 'model_1.pt');
    const script = `
import sys, json, torch
c = torch.load(sys.argv[1])
a = c['actor_state_dict']
x = torch.arange(a['obs_normalizer._mean'].shape[1], dtype=torch.float32).sin()
y = (x - a['obs_normalizer._mean'][0]) / (a['obs_normalizer._std'][0] + 0.01)
names = sorted({int(k.split('.')[1]) for k in a if k.startswith('mlp.')})
for k in names:
    y = torch.nn.functional.linear(y, a[f'mlp.{k}.weight'], a[f'mlp.{k}.bias'])
    if k != names[-1]: y = torch.nn.functional.elu(y)
keys = [k for k in a if k.startswith('mlp.') or k.startswith('distribution.')]
params = [torch.nn.Parameter(a[k].clone()) for k in keys]
params += [torch.nn.Parameter(v.clone()) for k, v in c['critic_state_dict'].items() if k.startswith('mlp.')]
adam = torch.optim.Adam(params)
adam.load_state_dict(c['optimizer_state_dict'])
print(json.dumps({'actions': y.tolist(), 'steps': float(adam.state[params[0]]['step']), 'iter': c['iter']}))
`;
    const torch = JSON.parse(runPython(TORCH!, script, checkpoint)) as {
      actions: number[];
      steps: number;
      iter: number;
    };
    expect([torch.steps, torch.iter]).toEqual([40, 1]);
    const { createPolicy } = await import('../../src/policy/create-policy.ts');
    const { checkpointPolicy } = await import('../../src/policy/checkpoint/checkpoint-policy.ts');
    const { readCheckpoint } = await import('../../src/policy/checkpoint/read-checkpoint.ts');
    const policy = createPolicy(checkpointPolicy(await readCheckpoint(checkpoint), 'elu'), 1);
    const out = new Float32Array(policy.outputs);
    policy.evaluate(
      Float32Array.from({ length: policy.inputs }, (_, k) => Math.sin(k)),
      out,
      1,
    );
    for (const [k, value] of out.entries()) expect(value).toBeCloseTo(torch.actions[k]!, 5);
  },
  120_000,
);

test('a training ends when its time is over, also between two evaluations, in all threads', async () => {
  const { file, folder } = await trainingOrder({
    ...{ iterations: 1e6, threads: 2, maxMinutes: 0.05 },
    evaluation: { every: 1e6, episodes: 4, finalEpisodes: 4 },
  });
  const { code, output } = await train(file);
  expect(code, output).toBe(0);
  const iterations = scalarsOf(folder).get('Loss/value')!.length;
  expect(iterations).toBeGreaterThan(0);
  expect(output).toContain(`[INFO] Done: model_${iterations - 1}.pt`);
  expect(
    scalarsOf(folder)
      .get('Eval/mean_episode_length')!
      .map(([step]) => step),
  ).toEqual([iterations - 1]);
  expect(output).toMatch(/^Evaluation from other starts: /m);
}, 120_000);
