import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { cannotMount } from '../support/full-disk.ts';
import { call } from '../support/service-process.ts';
import { addConverted, ended, untilJob, writeSettings } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

const TASK = 'Wbc-Humanoid';
let runs: string;

beforeEach(async () => {
  runs = path.join(studio.workspace, 'logs/rsl_rl');
  mkdirSync(runs, { recursive: true });
});
afterEach(async () => {
  await studio.stop('SIGKILL');
  spawnSync('umount', [runs]);
});

async function start(): Promise<void> {
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
}
const launch = (body: object = {}) =>
  request(studio.address, 'POST /api/train/launch', { task: TASK, dataset: 'one', ...body });
const trainings = async () =>
  (await request(studio.address, 'GET /api/jobs')).body.jobs.filter(({ kind }) => kind === 'train').length;

test('a launch whose run folder cannot be created is refused and names the path', async () => {
  await start();
  writeFileSync(path.join(runs, 'wbc_humanoid'), 'in the way');
  const { status, body } = await launch();
  expect([status, body.detail]).toEqual([400, expect.stringMatching(/wbc_humanoid, which is not a folder/)]);
  expect(await trainings()).toBe(0);
});

test.skipIf(cannotMount)(
  'a launch on a full disk is refused; a disk that fills up fails only its training',
  async () => {
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', runs]).status).toBe(0);
    // Fills the disk like a trainer, until a write fails.
    const fill =
      'echo "[INFO] Logging experiment in directory: $1/x/y"; mkdir -p "$1/x/y" && exec dd if=/dev/zero of="$1/x/y/model_1.pt" bs=1M count=8';
    writeSettings(studio.workspace, { trainers: { big: { command: ['/bin/sh', '-c', fill, 'sh', runs] } } });
    await start();
    const { status, body } = await launch();
    expect([status, body.detail]).toEqual([507, expect.stringMatching(/^max_iterations: \d+ checkpoints .* are free/)]);
    expect(await trainings()).toBe(0);
    const filled = await launch({ trainer: 'big' });
    const job = await untilJob(studio.address, filled.body.job!, ended);
    expect(job).toMatchObject({ status: 'failed', exit_code: 1, run: 'x/y' });
    expect(job.log.join('\n')).toContain('No space left on device');
    expect(await call(studio.address, '/healthz')).toMatchObject({ ok: true });
    const remove = () => fetch(`${studio.address}/api/runs?run=x/y`, { method: 'DELETE' });
    expect(spawnSync('mount', ['-o', 'remount,ro', runs]).status).toBe(0);
    const held = await remove();
    expect([held.status, await held.json()]).toEqual([400, { detail: expect.stringContaining('read-only') }]);
    expect(spawnSync('mount', ['-o', 'remount,rw', runs]).status).toBe(0);
    expect((await remove()).status).toBe(200);
  },
);
