import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type ServiceProcess, spawnService } from '../support/service-process.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/train-and-play.mjs');

let workspace: string;
let service: ServiceProcess;
beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'motion-studio-example-'));
  service = spawnService(['--workspace', workspace]);
  await service.ready;
});
afterAll(async () => {
  service.child.kill('SIGTERM');
  await service.exit;
  await rm(workspace, { recursive: true });
});

test('the example goes from clips to a policy that plays', async () => {
  const url = await service.ready;
  const short = ['--iterations', '3', '--envs', '16', '--seconds', '0.5'];
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, '--url', url, ...short], {
    timeout: 150_000,
  });
  const result = JSON.parse(stdout) as Record<string, number | string>;
  expect(result).toMatchObject({ run: expect.stringMatching(/^wbc_humanoid\/\d{4}-\d{2}-\d{2}_.+_example$/) });
  // Nothing is learned in three iterations: about as long as zero action, and far from the ten seconds.
  expect(result['mean_episode_length']).toBeGreaterThan(20);
  expect(result['mean_episode_length']).toBeLessThan(300);
  expect(result['zero_action_mean_episode_length']).toBeGreaterThan(20);
  expect(result['realtime_factor']).toBeGreaterThan(0);
  const { runs } = await call<{ runs: { path: string; latest: string; job: string | null }[] }>(url, '/api/runs');
  expect(runs[0]).toMatchObject({ path: result['run'], latest: 'model_2.pt', job: 'train-example_squat-1' });
}, 180_000);
