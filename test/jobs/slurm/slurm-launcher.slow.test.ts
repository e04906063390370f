import { spawnSync } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasEnded } from '../../../src/jobs/job-record.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';
import { SlurmLauncher } from '../../../src/jobs/slurm/slurm-launcher.ts';
import type { Job } from '../../../src/protocol/schemas/jobs.ts';
import { hasSlurm, SLURM_CLUSTER } from '../../support/slurm.ts';

const available = hasSlurm();
/** Arguments of a user do not replace those by which the service finds the job and its log. */
const SETTINGS = { partition: 'gpu', sbatch: ['--comment=mine', '--output=/dev/null', '--chdir=/'] };

describe.skipIf(!available)('a cluster of one node', () => {
  let folder: string;
  let cluster: string;
  let registry: JobRegistry;
  const errors: unknown[] = [];
  const environment = () => ({
    PATH: process.env['PATH'] ?? '',
    SLURM_CONF: path.join(cluster, 'slurm.conf'),
  });
  const open = () =>
    JobRegistry.open({
      folder: path.join(folder, 'jobs'),
      launchers: new Map([['gpu', new SlurmLauncher(SETTINGS, environment(), 2)]]),
      interrupted: () => 'the service ended',
      onError: (message, error) => errors.push([message, error]),
    });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-slurm-'));
    cluster = path.join(folder, 'cluster');
    spawnSync('mkdir', ['-p', path.join(folder, 'jobs')]);
    const up = spawnSync(SLURM_CLUSTER, ['up', cluster, String(20_000 + (process.pid % 20_000))], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(up.stdout, up.stderr).toContain('state=idle');
    process.env['SLURM_CONF'] = path.join(cluster, 'slurm.conf');
    registry = open();
  }, 60_000);
  afterAll(async () => {
    await registry?.close();
    spawnSync(SLURM_CLUSTER, ['down', cluster]);
    delete process.env['SLURM_CONF'];
    await rm(folder, { recursive: true });
  }, 60_000);

  const shell = (script: string) =>
    registry.launch(
      { kind: 'train', params: {}, launcher: 'gpu', trainer: 'test' },
      { command: ['/bin/sh', '-c', script], cwd: folder, env: { GREETING: "it's $HOME" } },
    );
  async function until(name: string, holds: (job: Job) => boolean): Promise<Job> {
    const check = () => {
      const job = registry.get(name);
      expect(holds(job), `${job.status} ${job.error}`).toBe(true);
    };
    await vi.waitFor(check, { timeout: 60_000, interval: 100 });
    return registry.get(name);
  }
  const ended = (name: string) => until(name, ({ status }) => hasEnded(status));

  test('jobs end with their exit status and log, and get their variables unchanged', async () => {
    const [good, bad] = [await shell('echo "$GREETING"'), await shell('exit 6')];
    expect(await ended(good)).toMatchObject({ status: 'done', exit_code: 0 });
    expect(await registry.tail(good, 1)).toEqual(["it's $HOME"]);
    expect(await ended(bad)).toMatchObject({ status: 'failed', exit_code: 6 });
    // The times are in order even for a job that ended between two polls.
    for (const { created, started, ended } of [registry.get(good), registry.get(bad)])
      expect([created, started, ended].sort()).toEqual([created, started, ended]);
    expect(errors).toEqual([]);
  }, 90_000);

  test('a job is found again after a restart, and stopped in Slurm', async () => {
    const name = await shell('while :; do sleep 0.1; done');
    await until(name, ({ status }) => status === 'running');
    await registry.close();
    registry = open();
    await until(name, ({ status }) => status === 'running');
    registry.stop(name);
    expect(await ended(name)).toMatchObject({ status: 'stopped' });
    const listed = spawnSync('squeue', ['-h', '-t', 'RUNNING', '-o', '%j'], {
      encoding: 'utf8',
      timeout: 20_000,
    }).stdout;
    expect(listed).not.toContain(name);
    expect(errors).toEqual([]);
  }, 90_000);

  test('a job cancelled in Slurm is stopped, even if its trainer ends well', async () => {
    const name = await shell("trap 'exit 0' TERM; while :; do sleep 0.1; done");
    await until(name, ({ status }) => status === 'running');
    spawnSync('scancel', ['--name', name]);
    expect(await ended(name)).toMatchObject({ status: 'stopped', error: 'cancelled in Slurm' });
    expect(registry.get(name).started).not.toBeNull();
  }, 90_000);

  test("a refusal of Slurm is reported with Slurm's message", async () => {
    await registry.close();
    registry = JobRegistry.open({
      folder: path.join(folder, 'jobs'),
      launchers: new Map([['gpu', new SlurmLauncher({ partition: 'none-such' }, environment())]]),
      interrupted: () => 'the service ended',
      onError: () => {},
    });
    const name = await shell('true');
    expect(await ended(name)).toMatchObject({ status: 'failed', error: expect.stringMatching(/partition/i) });
    await registry.close();
    registry = open();
  }, 60_000);

  test('a Slurm controller that does not answer is shown as such, and the job is kept', async () => {
    const go = path.join(folder, 'go');
    const begun = path.join(folder, 'begun');
    const name = await shell(`touch ${begun}; while [ ! -e ${go} ]; do sleep 0.1; done; exit 4`);
    await vi.waitFor(() => access(begun), { timeout: 30_000, interval: 100 });
    await until(name, ({ status, error }) => status === 'running' && error === null);
    spawnSync('pkill', ['-STOP', '-f', `slurmctld -f ${cluster}`]);
    try {
      const job = await until(name, ({ error }) => error?.includes('does not answer') === true);
      expect(job.status).toBe('running');
    } finally {
      spawnSync('pkill', ['-CONT', '-f', `slurmctld -f ${cluster}`]);
    }
    await until(name, ({ error }) => error === null);
    await writeFile(go, '');
    expect(await ended(name)).toMatchObject({ status: 'failed', exit_code: 4 });
  }, 120_000);

  test('a submission that Slurm does not answer in time is not failed: the job is found once Slurm answers', async () => {
    spawnSync('pkill', ['-STOP', '-f', `slurmctld -f ${cluster}`]);
    let name: string;
    try {
      name = await shell('exit 5');
      const job = await until(name, ({ error }) => error?.includes('does not answer') === true);
      expect(job.status).toBe('queued');
    } finally {
      spawnSync('pkill', ['-CONT', '-f', `slurmctld -f ${cluster}`]);
    }
    expect(await ended(name)).toMatchObject({ status: 'failed', exit_code: 5 });
  }, 120_000);

  test('a job whose submission Slurm does not answer can be stopped, and does not run later', async () => {
    const begun = path.join(folder, 'begun-later');
    spawnSync('pkill', ['-STOP', '-f', `slurmctld -f ${cluster}`]);
    let name: string;
    try {
      name = await shell(`touch ${begun}`);
      await until(name, ({ error }) => error?.includes('does not answer') === true);
      registry.stop(name);
      expect(await ended(name)).toMatchObject({ status: 'stopped', started: null });
    } finally {
      spawnSync('pkill', ['-CONT', '-f', `slurmctld -f ${cluster}`]);
    }
    const inSlurm = () =>
      spawnSync('squeue', ['-h', '-t', 'all', '-n', name, '-o', '%T'], { encoding: 'utf8', timeout: 20_000 }).stdout;
    await vi.waitFor(() => expect(inSlurm()).toMatch(/^(COMPLETED|FAILED|CANCELLED)/), {
      timeout: 60_000,
      interval: 200,
    });
    await expect(access(begun)).rejects.toThrow('ENOENT');
  }, 120_000);
});
