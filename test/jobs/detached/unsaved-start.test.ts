import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalLauncher } from '../../../src/jobs/detached/local-launcher.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';

let folder: string;
let registry: JobRegistry;
const errors: unknown[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-unsaved-'));
  errors.length = 0;
  await mkdir(path.join(folder, 'jobs'));
  registry = JobRegistry.open({
    folder: path.join(folder, 'jobs'),
    launchers: new Map([['local', new LocalLauncher(1, { PATH: process.env['PATH'] ?? '' }, 2)]]),
    interrupted: () => 'the service ended',
    onError: (_, error) => errors.push(error),
  });
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
});

const launch = (script: string) =>
  registry.launch(
    { kind: 'train', params: {}, launcher: 'local' },
    { command: ['/bin/sh', '-c', script], cwd: folder, env: {} },
  );
const until = (name: string, status: string) =>
  vi.waitFor(() => expect(registry.get(name).status).toBe(status), { timeout: 20_000, interval: 20 });

test('a job whose start cannot be recorded is not started, so that it cannot run twice after a restart', async () => {
  const first = await launch('while [ ! -e go ]; do sleep 0.05; done');
  await until(first, 'running');
  const second = await launch('touch started');
  expect(registry.get(second).status).toBe('queued');
  // The record can no longer be written, as on a full disk.
  await rm(path.join(folder, 'jobs', second), { recursive: true });
  registry.stop(first);
  await until(second, 'failed');
  expect(registry.get(second).error).toMatch(
    /^job\.json could not be written, so the job was not started\. Free space/,
  );
  expect(registry.get(second).started).toBeNull();
  expect(errors).not.toEqual([]);
  await expect(access(path.join(folder, 'started'))).rejects.toThrow('ENOENT');
});

test('a job that was stopped while it waited, and whose end cannot be recorded, has no order that a restart would start', async () => {
  const first = await launch('while [ ! -e go ]; do sleep 0.05; done');
  await until(first, 'running');
  const second = await launch('touch started');
  const place = path.join(folder, 'jobs', second);
  await access(path.join(place, 'launch.json'));
  // A folder in place of the record: it can no longer be written.
  await rm(path.join(place, 'job.json'));
  await mkdir(path.join(place, 'job.json'));
  registry.stop(second);
  await until(second, 'stopped');
  await vi.waitFor(() => expect(access(path.join(place, 'launch.json'))).rejects.toThrow('ENOENT'));
  registry.stop(first);
  await until(first, 'stopped');
});
