import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalLauncher } from '../../../src/jobs/detached/local-launcher.ts';
import { hasEnded } from '../../../src/jobs/job-record.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';
import type { Job } from '../../../src/protocol/schemas/jobs.ts';

let folder: string;
let registry: JobRegistry;
/** offset of the simulated wall clock, ms */
let ahead: number;
beforeEach(async () => {
  ahead = 0;
  folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-alarms-'));
  registry = JobRegistry.open({
    folder,
    launchers: new Map([['local', new LocalLauncher(4, { PATH: process.env['PATH'] ?? '' }, 2)]]),
    interrupted: () => 'the service ended',
    onError: (message, error) => expect.fail(`${message}: ${error}`),
    clock: { wall: () => new Date(Date.now() + ahead), steady: () => performance.now() / 1e3 },
  });
});
afterEach(async () => {
  for (const { name } of registry.active()) registry.stop(name);
  await vi.waitFor(() => expect(registry.active()).toEqual([]), { timeout: 20_000 });
  await registry.close();
  await rm(folder, { recursive: true });
});

/** Starts a job that prints lines. It runs until it is stopped or a file exists. */
function printing(...lines: string[]): Promise<string> {
  const script = 'for line in "$@"; do echo "$line"; done; while [ ! -e go ]; do sleep 0.05; done';
  return registry.launch(
    { kind: 'train', params: {}, launcher: 'local' },
    { command: ['/bin/sh', '-c', script, 'sh', ...lines], cwd: folder, env: {} },
  );
}
async function until(name: string, wanted: (job: Job) => boolean): Promise<Job> {
  await vi.waitFor(() => expect(wanted(registry.get(name)), JSON.stringify(registry.get(name))).toBe(true), {
    timeout: 20_000,
    interval: 20,
  });
  return registry.get(name);
}
const iteration = (number: number) => ` Learning iteration ${number}/100 `;
const raised = ({ alarm }: Job) => typeof alarm === 'string';

test('a NaN reward raises an alarm during the training', async () => {
  const name = await printing(iteration(0), 'Mean reward: nan');
  expect(await until(name, raised)).toMatchObject({
    status: 'running',
    error: null,
    alarm: expect.stringContaining('not a number'),
  });
});

test('very short episodes raise an alarm after fifty iterations, not before', async () => {
  const early = await printing(iteration(0), iteration(30), 'Mean episode length: 3.2');
  const late = await printing(iteration(0), iteration(60), 'Mean episode length: 3.2');
  const long = await printing(iteration(0), iteration(60), 'Mean episode length: 30.5');
  expect((await until(late, raised)).alarm).toContain('episodes last 3.2 steps after 61 iterations');
  await until(early, ({ step }) => step === 31);
  await until(long, ({ step }) => step === 61);
  expect([registry.get(early).alarm ?? null, registry.get(long).alarm ?? null]).toEqual([null, null]);
});

test('silence raises an alarm after five minutes, cleared when the training ends', async () => {
  const name = await printing(iteration(0));
  await until(name, ({ step }) => step === 1);
  expect(registry.get(name).alarm ?? null).toBeNull();
  ahead = 6 * 60_000;
  expect((await until(name, raised)).alarm).toBe('no output for 6 minutes');
  registry.stop(name);
  expect(await until(name, ({ status }) => hasEnded(status))).toMatchObject({ status: 'stopped', alarm: null });
});
