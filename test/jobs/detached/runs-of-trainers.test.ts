import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalLauncher } from '../../../src/jobs/detached/local-launcher.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';

let folder: string;
let registry: JobRegistry;
const errors: unknown[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-runs-of-trainers-'));
  await mkdir(path.join(folder, 'jobs'));
  errors.length = 0;
  registry = open();
});
afterEach(async () => {
  for (const { name } of registry.active()) registry.stop(name);
  await vi.waitFor(() => expect(registry.active()).toEqual([]), { timeout: 20_000 });
  await registry.close();
  await rm(folder, { recursive: true });
});

/** Opens the list of jobs. Runs are the folders `/logs/<experiment>/<run>`. */
function open(): JobRegistry {
  return JobRegistry.open({
    folder: path.join(folder, 'jobs'),
    launchers: new Map([['local', new LocalLauncher(1, { PATH: process.env['PATH'] ?? '' }, 2)]]),
    interrupted: () => 'the service ended',
    onError: (_, error) => errors.push(error),
    runOf: (printed) => /^\/logs\/([^/]+\/[^/]+)$/.exec(printed)?.[1] ?? null,
  });
}

/** Starts a job that prints lines and runs until it is stopped. */
function printing(...lines: string[]): Promise<string> {
  const script = 'printf "%s\\n" "$@"; while :; do sleep 0.05; done';
  return registry.launch(
    { kind: 'train', params: {}, launcher: 'local' },
    { command: ['/bin/sh', '-c', script, 'sh', ...lines], cwd: folder, env: {} },
  );
}

test('the run of a trainer that prints only the folder of its experiment, as Isaac Lab does, is that of the git diff of rsl_rl', async () => {
  const name = await printing(
    '[INFO] Logging experiment in directory: /logs/g1_flat',
    'Exact experiment name requested from command line: 2026-01-01_10-00-00',
    "Storing git diff for 'IsaacLab' in: /logs/g1_flat/2026-01-01_10-00-00_walk/git/IsaacLab.diff",
    ' Learning iteration 0/100 ',
  );
  await vi.waitFor(() => expect(registry.get(name).step).toBe(1), { timeout: 20_000 });
  expect(registry.get(name).run).toBe('g1_flat/2026-01-01_10-00-00_walk');
});

test('a job whose trainer writes to a folder with a name that no record may contain is found again after a restart', async () => {
  const name = await printing(
    '[INFO] Logging experiment in directory: /logs/v1./2026-01-01',
    ' Learning iteration 0/9 ',
  );
  await vi.waitFor(() => expect(registry.get(name).step).toBe(1), { timeout: 20_000 });
  await registry.close();
  registry = open();
  expect(errors).toEqual([]);
  expect(registry.get(name)).toMatchObject({ status: 'running', run: null });
});
