import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';
import { request } from '../support/client.ts';
import { cyclicOnnx, foldingOnnx, overlappingOnnx, sharingCheckpoint } from '../support/hostile-models.ts';
import { convertAll } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { memoryMib } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

/** Limit of the memory that files of some kB may add to that of the idle service, MiB. */
const MOST_MIB = 500;
const MIB = 1 << 20;

/** Adds a run of kind `deploy`. @param dataBytes size of the sparse file beside its policy */
function addDeployed(run: string, onnx: Uint8Array, dataBytes?: number): void {
  const folder = path.join(studio.workspace, 'logs/rsl_rl/hostile', run, 'exported');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'policy.onnx'), onnx);
  if (dataBytes !== undefined) sparse(path.join(folder, 'policy.onnx.data'), new Uint8Array(0), dataBytes);
}

/** Writes a file that is sparse after its first bytes. */
function sparse(file: string, head: Uint8Array | string, bytes: number): void {
  writeFileSync(file, head);
  const descriptor = openSync(file, 'r+');
  ftruncateSync(descriptor, bytes);
  closeSync(descriptor);
}

/** Adds a run as the built-in trainer writes it. */
function addTrained(run: string, facts: RobotFacts, checkpoint: Uint8Array): void {
  const folder = path.join(studio.workspace, 'logs/rsl_rl/hostile', run);
  mkdirSync(path.join(folder, 'params'), { recursive: true });
  const { config } = baseTasks(facts)[0]!;
  writeFileSync(
    path.join(folder, 'params/task.yaml'),
    formatYaml({
      version: 1,
      task: 'Wbc-Humanoid',
      robot: 'humanoid',
      joint_names: facts.joints.map(({ name }) => name),
      config: JSON.parse(JSON.stringify(config)) as object,
    }),
  );
  writeFileSync(path.join(folder, 'model_1.pt'), checkpoint);
}

beforeAll(async () => {
  const { facts } = await preparedHumanoid();
  const joints = facts.joints.map(({ name }) => name);
  addDeployed('cyclic', cyclicOnnx(joints));
  addDeployed('overlapping', overlappingOnnx(64), 64 * MIB);
  addDeployed('wide', overlappingOnnx(3, joints), 192 * MIB);
  addDeployed('folding', foldingOnnx(40));
  addTrained('stride', facts, sharingCheckpoint(2, 4096, [0, 0]));
  addTrained('shared', facts, sharingCheckpoint(8, 2048, [2048, 1], 2048 * 2048));
  const dataset = path.join(studio.workspace, 'data/humanoid/holes');
  mkdirSync(dataset, { recursive: true });
  const row = `${Array.from({ length: 7 + facts.joints.length }, (_, k) => (k === 6 ? 1 : 0)).join(',')}\n`;
  sparse(path.join(dataset, 'holes.csv'), row, 1000 * MIB);
  sparse(path.join(dataset, 'dataset.yaml'), 'version: 1\n', 1500 * MIB);
  await studio.start();
  await convertAll(studio.address, 'samples');
});

const memoryOf = (field: 'VmRSS' | 'VmHWM') => memoryMib(studio.service, field);

test.skipIf(process.platform !== 'linux')(
  'small files that claim huge sizes take little memory and block nothing',
  async () => {
    expect((await request(studio.address, 'GET /api/data/datasets')).status).toBe(200);
    const idle = memoryOf('VmRSS');
    // Resets the peak memory of the process.
    writeFileSync(`/proc/${studio.service.child.pid}/clear_refs`, '5');

    for (let k = 0; k < 2; k += 1) {
      const { runs } = (await request(studio.address, 'GET /api/runs')).body;
      expect(runs).toHaveLength(6);
      expect(runs.find(({ run }) => run === 'overlapping')?.error).toMatch(/the tensors in "policy.onnx.data" overlap/);
    }
    const refusal = async (run: string) => {
      const { status, body } = await request(
        studio.address,
        'POST /api/play/configure',
        { run: `hostile/${run}` },
        { prefer: 'wait=60' },
      );
      const { busy } = body as { busy?: { state: string; error: string } };
      return `${status} ${busy ? `${busy.state}: ${busy.error}` : body.detail}`;
    };
    const refusals = new Map<string, string>();
    for (const run of ['cyclic', 'overlapping', 'wide', 'folding', 'stride', 'shared']) {
      refusals.set(run, await refusal(run));
      await request(studio.address, 'GET /api/play/libraries', { run: `hostile/${run}` });
    }
    expect(refusals.get('cyclic')).toMatch(/its graph is cyclic/);
    expect(refusals.get('wide')).toMatch(/policy\.onnx/);
    expect(refusals.get('stride')).toMatch(/in a storage of 1: it is damaged/);
    expect(refusals.get('shared')).toMatch(/contains tensors of more than 64 MiB in total/);
    for (const text of refusals.values()) expect(text).toMatch(/^400 \w+: |^200 failed: \w/);
    expect((await request(studio.address, 'GET /api/data/clips', { dataset: 'holes' })).status).toBe(200);
    await request(studio.address, 'POST /api/data/load', { dataset: 'holes', clip: 'holes' }, { prefer: 'wait=60' });
    await request(studio.address, 'POST /api/data/scan', { dataset: 'holes' }, { prefer: 'wait=60' });

    expect(memoryOf('VmHWM') - idle).toBeLessThan(MOST_MIB);
    // No thread is blocked.
    const metrics = await (await fetch(`${studio.address}/metrics`)).text();
    expect(metrics).toMatch(/^motion_studio_listing_tasks_timeouts_total 0$/m);
    expect(metrics).toMatch(/^motion_studio_listing_tasks_queued 0$/m);
    expect((await request(studio.address, 'GET /api/runs')).status).toBe(200);
    expect(studio.service.stderr()).not.toMatch(/internal error/);
    process.stdout.write(`${Math.round(memoryOf('VmHWM') - idle)} MiB above idle\n`);
  },
  180_000,
);
