import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOf } from '../../src/core/files/pid-lock.ts';
import { request } from '../support/client.ts';
import { plantJob } from '../support/job-files.ts';
import { call } from '../support/service-process.ts';
import { addConverted, ended, untilJob, writeSettings } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const TASK = 'Wbc-Humanoid';

describe('an untrusted workspace', () => {
  const studio = useStudio();
  let bystander: ChildProcess;
  const owned = () => path.join(studio.workspace, 'owned');

  beforeAll(async () => {
    const jobs = path.join(studio.workspace, 'jobs');
    bystander = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    const pid = bystander.pid!;
    plantJob(jobs, 'train-1', {
      status: 'stopping',
      submitted: true,
      // A record as written on macOS; its pid now belongs to another process.
      files: { 'proc.json': { runner: pid, runner_start: '', pid, start: '', boot: '' } },
    });
    plantJob(jobs, 'train-2', {
      status: 'queued',
      files: { 'launch.json': { command: ['/usr/bin/touch', owned()], cwd: studio.workspace, env: {} } },
    });
    writeSettings(studio.workspace, { trainers: { evil: { command: ['/usr/bin/touch', owned()] } } });
    plantJob(jobs, 'train-3', { status: 'queued', job: { trainer: 'evil', task: TASK } });
    plantJob(jobs, 'train-4', { status: 'running', submitted: true, job: { run: '../../../../etc' } });
    plantJob(jobs, 'train-5', { status: 'done', job: { created: 'yesterday', started: 'never', ended: 'soon' } });
    plantJob(jobs, 'train-6', { status: 'running', job: { created: 'yesterday' } });
    const deep = plantJob(jobs, 'train-7', { status: 'done' });
    const record = readFileSync(path.join(deep, 'job.json'), 'utf8');
    const nested = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    writeFileSync(path.join(deep, 'job.json'), record.replace('"params": {}', `"params": ${nested}`));
    plantJob(jobs, 'train-8', { status: 'done', files: { 'job.json': `"${'x'.repeat(4 << 20)}"` } });
    for (const name of ['pipe-1', 'pipe-2', 'device-1', 'link-1']) mkdirSync(path.join(jobs, name));
    execFileSync('mkfifo', [path.join(jobs, 'pipe-1', 'job.json')]);
    symlinkSync('/dev/zero', path.join(jobs, 'device-1', 'job.json'));
    symlinkSync('/etc/passwd', path.join(jobs, 'link-1', 'job.json'));
    const piped = plantJob(jobs, 'train-9', { status: 'running', submitted: true });
    for (const file of ['output.log', 'proc.json', 'exit.json', 'launch.json']) {
      rmSync(path.join(piped, file), { force: true });
      execFileSync('mkfifo', [path.join(piped, file)]);
    }
    const leak = plantJob(jobs, 'leak-1', { status: 'done' });
    rmSync(path.join(leak, 'output.log'));
    symlinkSync('/etc/passwd', path.join(leak, 'output.log'));
    await studio.start();
  }, 60_000);
  afterAll(async () => {
    process.kill(-bystander.pid!, 'SIGKILL');
  });

  test('an untrusted workspace opens and lists its jobs', async () => {
    const { status, body } = await request(studio.address, 'GET /api/jobs');
    expect(status).toBe(200);
    expect(body.jobs.length).toBe(13);
    expect(body.jobs.filter(({ run }) => run?.includes('..'))).toEqual([]);
    for (const name of ['pipe-1', 'device-1', 'link-1', 'train-6', 'train-7', 'train-8'])
      expect(body.jobs.find((job) => job.name === name)).toMatchObject({ status: 'lost' });
  });

  test('no command of an untrusted workspace is run', async () => {
    for (const name of ['train-2', 'train-3'])
      expect(await untilJob(studio.address, name, ended)).toMatchObject({ status: 'lost', started: null });
    expect(existsSync(owned())).toBe(false);
  });

  test('a process id in an untrusted workspace is never signalled', async () => {
    expect(await untilJob(studio.address, 'train-1', ended)).toMatchObject({ status: 'stopped' });
    expect(startOf(bystander.pid!)).not.toBeNull();
  });

  test('pipes, devices and links in place of job files block nothing and leak nothing', async () => {
    expect(await untilJob(studio.address, 'train-9', ended)).toMatchObject({ status: 'lost', log: [] });
    expect(await untilJob(studio.address, 'leak-1', ended)).toMatchObject({ log: [] });
    const log = await fetch(`${studio.address}/api/jobs/leak-1/log`);
    expect([log.status, await log.text()]).toEqual([400, expect.stringContaining('is a link')]);
    expect(await fetch(`${studio.address}/api/jobs/train-9/log`)).toMatchObject({ status: 400 });
    const curves = await fetch(`${studio.address}/api/curves?job=train-4`);
    expect(curves.status === 200 ? await curves.json() : {}).not.toHaveProperty('series.0');
  });
});

describe('programs that the service starts', () => {
  const studio = useStudio();
  const SECRETS = { token: 'open-sesame-1', view: 'open-sesame-2', later: 'open-sesame-3' };

  beforeAll(async () => {
    writeSettings(studio.workspace, {
      trainers: {
        printer: { command: ['/usr/bin/env'], env: { WANDB_API_KEY: 'key-of-another-service' } },
        waiter: { command: ['/bin/sleep', '{max_iterations}'] },
      },
    });
    const bin = path.join(studio.workspace, 'bin');
    mkdirSync(bin);
    // A stand-in for TensorBoard that writes the environment it receives.
    writeFileSync(path.join(bin, 'tensorboard'), `#!/bin/sh\nenv > '${path.join(studio.workspace, 'board')}'\n`, {
      mode: 0o755,
    });
    const env = {
      MOTION_STUDIO_TOKEN: SECRETS.token,
      MOTION_STUDIO_VIEW_TOKEN: SECRETS.view,
      motion_studio_token: SECRETS.later,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      GREETING: 'hello',
    };
    await studio.start([], { env });
    await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  }, 120_000);

  const launch = async (trainer: string, more: object = {}) => {
    const { status, body } = await request(studio.address, 'POST /api/train/launch', {
      task: TASK,
      dataset: 'one',
      ...(trainer === 'builtin' ? {} : { trainer }),
      ...more,
    });
    if (status !== 200) throw new Error(body.detail);
    return { job: body.job!, run: body.run ?? null };
  };

  test('a trainer gets the environment without the service’s variables, plus the mark of its job', async () => {
    const { job } = await launch('printer');
    const { log, status } = await untilJob(studio.address, job, ended);
    expect(status).toBe('done');
    expect(log).toContain('GREETING=hello');
    expect(log).toContain('WANDB_API_KEY=key-of-another-service');
    expect(log.filter((line) => /^motion_studio/i.test(line))).toEqual([
      expect.stringMatching(/^MOTION_STUDIO_JOB=[0-9a-f-]+$/),
    ]);
  });

  test('TensorBoard gets no variables of the service', async () => {
    await fetch(`${studio.address}/tensorboard`, { redirect: 'manual' });
    await expect.poll(() => existsSync(path.join(studio.workspace, 'board'))).toBe(true);
    const seen = readFileSync(path.join(studio.workspace, 'board'), 'utf8');
    expect(seen).toContain('GREETING=hello');
    expect(seen).not.toMatch(/^motion_studio/im);
  });

  test('no file of the workspace and no log line contains a secret, and launch files are private', async () => {
    const files = readdirSync(studio.workspace, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const told = files.filter((entry) => {
      const text = readFileSync(path.join(entry.parentPath, entry.name), 'latin1');
      return Object.values(SECRETS).some((secret) => text.includes(secret));
    });
    expect(told.map(({ name }) => name)).toEqual([]);
    expect(studio.service.stderr()).not.toContain('open-sesame');
    const orders = files.filter(({ name }) => name === 'launch.json');
    expect(orders.length).toBeGreaterThan(0);
    for (const { parentPath, name } of orders) expect(statSync(path.join(parentPath, name)).mode & 0o777).toBe(0o600);
  });

  test('a run that was just launched has empty curves and cannot be deleted', async () => {
    // The first training occupies the only slot, so the second one has not created its folder.
    const { job: first } = await launch('waiter', { max_iterations: 600 });
    const { job, run } = await launch('builtin', { max_iterations: 5 });
    expect(existsSync(path.join(studio.workspace, 'logs/rsl_rl', run!))).toBe(false);
    const curves = await fetch(`${studio.address}/api/curves?run=${run}`);
    expect([curves.status, await curves.json()]).toEqual([
      200,
      expect.objectContaining({ run, job: null, series: [] }),
    ]);
    const remove = await fetch(`${studio.address}/api/runs?run=${run}`, { method: 'DELETE' });
    expect([remove.status, await remove.json()]).toEqual([409, { detail: expect.stringContaining(job) }]);
    for (const name of [job, first]) {
      await call(studio.address, `/api/jobs/${name}/stop`, {});
      await untilJob(studio.address, name, ended);
    }
    expect((await fetch(`${studio.address}/api/curves?run=${run}`)).status).toBe(400);
    expect((await fetch(`${studio.address}/api/runs?run=${run}`, { method: 'DELETE' })).status).toBe(400);
  });
});
