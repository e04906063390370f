import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { dict, ordered, tensor, writeTorch } from '../../src/formats/torch/write-torch.ts';
import { writeZip } from '../../src/formats/zip-write.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';
import { request } from '../support/client.ts';
import { configure, convertAll, sessionOf, until } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const GOOD = 'wbc_humanoid/good';
let facts: RobotFacts;

/** A checkpoint with one layer whose weights are all `value`. */
function checkpoint(inputs: number, outputs: number, value = 0): Uint8Array {
  const actor = ordered([
    ['mlp.0.weight', tensor(new Float32Array(inputs * outputs).fill(value), [outputs, inputs])],
    ['mlp.0.bias', tensor(new Float32Array(outputs), [outputs])],
  ]);
  return writeTorch(dict([['actor_state_dict', actor]]));
}

/** Adds a run whose policy observes the joint positions only. @param changed fields of its configuration */
function addRun(run: string, checkpoints: Readonly<Record<string, Uint8Array>>, changed: object = {}): void {
  const folder = path.join(studio.workspace, 'logs/rsl_rl', run);
  const { config } = baseTasks(facts)[0]!;
  const { joint_pos } = config.observations['actor']!.terms;
  const small = { ...config, observations: { actor: { ...config.observations['actor'], terms: { joint_pos } } } };
  mkdirSync(path.join(folder, 'params'), { recursive: true });
  writeFileSync(
    path.join(folder, 'params/task.yaml'),
    formatYaml({
      version: 1,
      task: 'Wbc-Humanoid',
      robot: 'humanoid',
      joint_names: facts.joints.map(({ name }) => name),
      config: JSON.parse(JSON.stringify({ ...small, ...changed })) as object,
    }),
  );
  for (const [name, content] of Object.entries(checkpoints)) writeFileSync(path.join(folder, name), content);
}

beforeAll(async () => {
  ({ facts } = await preparedHumanoid());
  addRun(GOOD, { 'model_1.pt': checkpoint(facts.joints.length, facts.joints.length) });
  await studio.start();
  await convertAll(studio.address, 'samples');
});

/** Tries to play a damaged run. @returns the error */
async function refusal(run: string, more: object = {}): Promise<string> {
  const { status, body } = await request(
    studio.address,
    'POST /api/play/configure',
    { run, ...more },
    { prefer: 'wait=60' },
  );
  return `${status} ${body.detail}`;
}

test('a damaged run is refused with 400 and its file and field, and the session continues', async () => {
  const joints = facts.joints.length;
  const before = await configure(studio.address, { run: GOOD });
  expect(before).toMatchObject({ task: 'Wbc-Humanoid', checkpoint: 'model_1.pt', state: 'running' });

  const good = checkpoint(joints, joints);
  const marker = path.join(studio.workspace, 'ran');
  const command = `touch ${marker}`;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(command.length);
  const code = Buffer.concat([
    Buffer.from('\x80\x02cposix\nsystem\n(X', 'latin1'),
    length,
    Buffer.from(`${command}tR.`),
  ]);
  addRun('broken/checkpoints', {
    'model_1.pt': good.subarray(0, good.length / 2),
    'model_2.pt': Buffer.from('no zip file'),
    'model_3.pt': checkpoint(joints, joints, Number.NaN),
    'model_4.pt': checkpoint(joints + 1, joints),
    'model_5.pt': checkpoint(joints, joints - 1),
    'model_6.pt': writeZip(new Map([['archive/data.pkl', code]])),
    'model_7.pt': writeTorch(dict([['weights', null]])),
  });
  const at = (n: number) => refusal('broken/checkpoints', { checkpoint: `model_${n}.pt` });
  expect(await at(1)).toMatch(/^400 checkpoint: model_1\.pt: /);
  expect(await at(2)).toMatch(/^400 checkpoint: model_2\.pt: not a checkpoint/);
  expect(await at(3)).toBe(
    '400 checkpoint: model_3.pt: actor_state_dict.mlp.0.weight: value 0 is NaN; every weight must be a finite number',
  );
  expect(await at(4)).toMatch(
    new RegExp(`^400 checkpoint: the policy expects ${joints + 1} observations, .* ${joints} `),
  );
  expect(await at(5)).toMatch(
    new RegExp(`^400 checkpoint: the policy outputs ${joints - 1} actions, .* ${joints} joints`),
  );
  expect(await at(6)).toMatch(/^400 checkpoint: model_6\.pt: the pickle refers to posix\.system, which is not allowed/);
  expect(existsSync(marker)).toBe(false);
  expect(await at(7)).toMatch(/^400 checkpoint: model_7\.pt: .*neither actor_state_dict nor model_state_dict/);
  expect(await at(8)).toMatch(/^400 checkpoint: .*model_8\.pt/);

  const one = { 'model_1.pt': good };
  const { config } = baseTasks(facts)[0]!;
  addRun('broken/term', one, { rewards: { odd: { func: 'no_such_term', weight: 1, params: {} } } });
  expect(await refusal('broken/term')).toMatch(
    /^400 run: "broken\/term" cannot be played: rewards\.odd\.func: there is no term "no_such_term"/,
  );
  addRun('broken/field', one, { decimation: 0 });
  expect(await refusal('broken/field')).toMatch(
    /^400 run: "broken\/field" cannot be played: params\/task\.yaml: decimation: must be an integer/,
  );
  addRun('broken/body', one, { commands: { motion: { ...config.commands.motion, anchor_body: 'tail' } } });
  expect(await refusal('broken/body')).toMatch(/^400 run: .*: commands\.motion\.anchor_body: .*"?tail/);
  addRun('broken/ground', one, {
    scene: { ...config.scene, terrain: { ...config.scene.terrain, type: 'stairs', tile_size: 50 } },
  });
  expect(await refusal('broken/ground')).toMatch(/^400 run: .*: scene\.terrain\.tile_size: must be 1 to 10 m, not 50/);
  addRun('broken/none', {});
  expect(await refusal('broken/none')).toMatch(/^400 run: .*no checkpoint/);
  // Only playing needs a checkpoint, not the list of libraries. Zero action is playing as well.
  expect(await refusal('broken/none', { checkpoint: '' })).toMatch(/^400 run: .*no checkpoint/);
  expect(await request(studio.address, 'GET /api/play/libraries', { run: 'broken/none' })).toMatchObject({
    status: 200,
    body: { run: 'broken/none', libraries: [{ path: 'data/humanoid/samples', default: true }] },
  });
  expect(await refusal('../wbc_humanoid/good')).toMatch(/^400 run: unknown run/);
  expect(await refusal('__proto__/constructor')).toMatch(/^400 run: unknown run/);

  const after = await until(
    () => sessionOf(studio.address),
    ({ sim_time }) => sim_time > before.sim_time,
  );
  expect(after).toMatchObject({ id: before.id, state: 'running', run: GOOD, error: null });
  expect(studio.service.stderr()).not.toMatch(/TypeError|RangeError|internal error/);
});

test('a truncated deployed network is refused when no session runs', async () => {
  const folder = path.join(studio.workspace, 'logs/rsl_rl/wbc_humanoid/deployed');
  mkdirSync(path.join(folder, 'exported'), { recursive: true });
  const bytes = readFileSync(path.join(studio.workspace, 'logs/rsl_rl', GOOD, 'model_1.pt'));
  writeFileSync(path.join(folder, 'exported/policy.onnx'), bytes);
  expect(await refusal('wbc_humanoid/deployed')).toMatch(/^400 run: .*policy\.onnx: /);
});
