import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { finish, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();
const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/base-policy.mjs');

beforeAll(() => studio.start());

test('base motions are generated as a dataset, and an existing dataset is not replaced', async () => {
  expect(await finish(studio.address, 'POST /api/data/generate', { dataset: 'first' })).toMatchObject({
    state: 'done',
    result: { dataset: 'first', clips: ['stand', 'sway', 'squat', 'step', 'turn'] },
  });
  const { datasets } = (await request(studio.address, 'GET /api/data/datasets')).body;
  expect(datasets.find(({ name }) => name === 'first')).toMatchObject({ source: 5, converted: 0, missing: 5 });
  const again = await request(studio.address, 'POST /api/data/generate', { dataset: 'first' });
  expect([again.status, again.body.detail]).toEqual([400, expect.stringContaining('first')]);
  for (const dataset of ['../x', 'a/b', '.hidden'])
    expect((await request(studio.address, 'POST /api/data/generate', { dataset })).status).toBe(400);
});

test('the base-policy example trains a policy from which later trainings of the robot start', async () => {
  const args = [EXAMPLE, '--url', studio.address, '--iterations', '2', '--envs', '8'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 170_000 });
  const { run, score } = JSON.parse(stdout) as { run: string; score: { tracked_s: number; by: string } };
  expect(run).toMatch(/^wbc_humanoid\/.+_base$/);
  expect(score).toMatchObject({ by: 'training' });
  const { body } = await request(studio.address, 'POST /api/train/launch', {
    ...{ task: 'Wbc-Humanoid', dataset: 'basics', start_from: 'best', dry_run: true },
  });
  expect(body).toMatchObject({ started_from: run, note: null });
}, 180_000);
