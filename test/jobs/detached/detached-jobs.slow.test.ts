import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startOf } from '../../../src/core/files/pid-lock.ts';
import type { JobPlace } from '../../../src/jobs/detached/job-place.ts';
import type { Sighting } from '../../../src/jobs/detached/launcher.ts';
import { LocalLauncher } from '../../../src/jobs/detached/local-launcher.ts';
import { OrderSeal } from '../../../src/jobs/detached/sealed-order.ts';
import { hasEnded } from '../../../src/jobs/job-record.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';
import type { Job } from '../../../src/protocol/schemas/jobs.ts';

let folder: string;
let registry: JobRegistry;
const errors: unknown[] = [];

/** by job: number of times that the job was polled */
const looks = new Map<string, number>();
/** file that jobs wait for in the launcher's simulated queue; null: no queue */
let turn: string | null = null;
class Watched extends LocalLauncher {
  override async look(place: JobPlace): Promise<Sighting> {
    looks.set(place.name, (looks.get(place.name) ?? 0) + 1);
    if (turn !== null && !existsSync(turn)) return { state: 'queued', detail: 'waits for resources' };
    return super.look(place);
  }
}
/** offset of the simulated wall clock, ms */
let ahead = 0;
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };
/** key of the user whose services open the job folder */
let key: Uint8Array;

function open(limit = 4): JobRegistry {
  return JobRegistry.open({
    folder,
    launchers: new Map([['local', new Watched(limit, ENVIRONMENT, 2)]]),
    seal: new OrderSeal(key),
    clock: { wall: () => new Date(Date.now() + ahead), steady: () => performance.now() / 1e3 },
    interrupted: () => 'the service ended',
    onError: (message, error) => errors.push([message, error]),
  });
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-detached-'));
  ahead = 0;
  key = randomBytes(32);
  turn = null;
  looks.clear();
  registry = open();
  errors.length = 0;
});
afterEach(async () => {
  for (const { name } of registry.active()) registry.stop(name);
  await Promise.all(registry.active().map(({ name }) => ended(name)));
  await registry.close();
  await rm(folder, { recursive: true });
  expect(errors).toEqual([]);
});

/** Waits until a job was polled `times` more times and its state was updated. */
async function looked(name: string, times = 2): Promise<void> {
  const until = (looks.get(name) ?? 0) + times;
  await vi.waitFor(() => expect(looks.get(name)).toBeGreaterThan(until), { timeout: 20_000, interval: 20 });
}

const launch = (...command: string[]) =>
  registry.launch({ kind: 'train', params: {}, launcher: 'local', trainer: 'test' }, { command, cwd: folder, env: {} });
const shell = (script: string) => launch('/bin/sh', '-c', script);

async function until(name: string, holds: (job: Job) => boolean): Promise<Job> {
  const check = () => {
    const job = registry.get(name);
    expect(holds(job), `${job.status} ${job.error}`).toBe(true);
  };
  await vi.waitFor(check, { timeout: 20_000, interval: 20 });
  return registry.get(name);
}
const ended = (name: string) => until(name, ({ status }) => hasEnded(status));
const running = (name: string) => until(name, ({ status, pid }) => status === 'running' && pid !== null);

test('a job ends with its exit status, and its output is its log', async () => {
  const good = await shell('echo out; echo err >&2');
  const bad = await shell('echo last words; exit 7');
  expect(await ended(good)).toMatchObject({ status: 'done', exit_code: 0, progress: 1, error: null });
  expect(await ended(bad)).toMatchObject({ status: 'failed', exit_code: 7, signal: null });
  expect(registry.get(bad).error).toContain('exit status 7');
  expect(await registry.tail(good, 10)).toEqual(['out', 'err']);
});

test('arguments reach the program unchanged, without a shell', async () => {
  const name = await launch('printf', '%s|', '$(touch owned)', 'a b', "'; exit 3 #");
  await ended(name);
  expect(await registry.tail(name, 1)).toEqual(["$(touch owned)|a b|'; exit 3 #|"]);
});

test('a job with a missing program fails, and the log says so', async () => {
  const name = await launch('/nowhere/trainer');
  expect(await ended(name)).toMatchObject({ status: 'failed', exit_code: 127 });
  expect((await registry.tail(name, 5)).join()).toContain('/nowhere/trainer');
});

test('a killed trainer fails with the name of the signal', async () => {
  const name = await shell('exec sleep 60');
  const { pid } = await running(name);
  process.kill(pid!, 'SIGKILL');
  expect(await ended(name)).toMatchObject({ status: 'failed', signal: 'SIGKILL' });
  expect(registry.get(name).error).toContain('SIGKILL');
});

test('a job outlives the registry: the next one finds it with progress, log and exit status', async () => {
  const name = await shell(
    `sleep 0.5; echo ' Learning iteration 1/10 '; while [ ! -e go ]; do sleep 0.05; done; echo later; exit 5`,
  );
  const { pid } = await until(name, ({ step, pid }) => step === 1 && pid !== null);
  await registry.close();
  registry = open();
  // The record contains the latest progress; the log has not been read yet.
  expect(registry.get(name)).toMatchObject({ pid, step: 1, steps: 9 });
  await writeFile(path.join(folder, 'go'), '');
  expect(await ended(name)).toMatchObject({ status: 'failed', exit_code: 5, step: 1 });
  expect(await registry.tail(name, 1)).toEqual(['later']);
});

test('a job that ended without a service is found with exit status and time', async () => {
  const name = await shell("echo ' Learning iteration 3/4 '; while [ ! -e go ]; do sleep 0.05; done");
  await until(name, ({ step, pid }) => step === 1 && pid !== null);
  await registry.close();
  await writeFile(path.join(folder, 'go'), '');
  await vi.waitFor(() => readFile(path.join(folder, name, 'exit.json')), { timeout: 30_000 });
  ahead = 3_600_000;
  registry = open();
  const job = await ended(name);
  expect(job).toMatchObject({ status: 'done', exit_code: 0, rate: expect.any(Number) });
  expect(Date.parse(job.ended!) - Date.parse(job.started!)).toBeLessThan(600_000);
});

test('if the runner is killed, the trainer continues and its exit status is unknown', async () => {
  const name = await shell('while [ ! -e go ]; do sleep 0.05; done');
  const { pid } = await running(name);
  const { runner } = JSON.parse(await readFile(path.join(folder, name, 'proc.json'), 'utf8')) as { runner: number };
  process.kill(runner, 'SIGKILL');
  await vi.waitFor(() => expect(startOf(runner)).toBeNull(), { timeout: 30_000 });
  await looked(name);
  expect(registry.get(name)).toMatchObject({ status: 'running', pid });
  await writeFile(path.join(folder, 'go'), '');
  expect(await ended(name)).toMatchObject({ status: 'lost', exit_code: null, signal: null });
});

test('a job runs and ends even if no record can be written', async () => {
  // Simulate a full disk: the runner cannot write its files.
  const prepare = (script: string) => async (place: { readonly unseen: string }) => {
    for (const file of ['proc.json.tmp', 'exit.json.tmp']) await mkdir(path.join(place.unseen, file));
    return { command: ['/bin/sh', '-c', script], cwd: folder, env: {} };
  };
  const spec = { kind: 'train', params: {}, launcher: 'local' } as const;
  const wait = 'while [ ! -e go ]; do sleep 0.05; done';
  const good = await registry.launch(spec, prepare(wait));
  const bad = await registry.launch(spec, prepare(`${wait}; exit 7`));
  await Promise.all([good, bad].map((name) => looked(name, 5)));
  expect([good, bad].map((name) => registry.get(name).status)).toEqual(['running', 'running']);
  await writeFile(path.join(folder, 'go'), '');
  expect(await ended(good)).toMatchObject({ status: 'done', exit_code: 0 });
  expect(await ended(bad)).toMatchObject({ status: 'failed', exit_code: 7 });
});

test("a job that waits in the launcher's own queue has not started and raises no alarm", async () => {
  turn = path.join(folder, 'turn');
  const name = await shell('exec sleep 60');
  await until(name, ({ status, error }) => status === 'queued' && error === 'waits for resources');
  ahead = 3_600_000;
  await looked(name);
  expect(registry.get(name)).toMatchObject({ status: 'queued', started: null });
  expect(registry.get(name).alarm ?? null).toBeNull();
  await writeFile(turn, '');
  const job = await running(name);
  expect(Date.parse(job.started!) - Date.parse(job.created)).toBeGreaterThanOrEqual(3_600_000);
  await looked(name);
  expect(registry.get(name).alarm ?? null).toBeNull();
});

test('after a reboot a job is lost, and no other process is mistaken for it', async () => {
  const name = await shell('exec sleep 60');
  const { pid } = await running(name);
  const file = path.join(folder, name, 'proc.json');
  const record = await readFile(file, 'utf8');
  await registry.close();
  await writeFile(file, record.replace(/"boot":"[^"]*"/, '"boot":"00000000-0000-4000-8000-000000000000"'));
  registry = open();
  expect(await ended(name)).toMatchObject({ status: 'lost', error: expect.stringContaining('restarted') });
  expect(startOf(pid!)).not.toBeNull();
  process.kill(pid!, 'SIGKILL');
  // The runner writes its last file when the program has ended; the folder is removed after that.
  await vi.waitFor(() => readFile(path.join(folder, name, 'exit.json')), { timeout: 20_000 });
});

test('stopping a job ends the whole process tree, including processes that left the group or ignore SIGTERM', async () => {
  const name = await shell(
    `trap '' TERM; (setsid sh -c 'trap "" TERM; echo $$ > deep; while :; do sleep 0.1; done' &); while :; do sleep 0.1; done`,
  );
  await running(name);
  const deep = await vi.waitFor(
    async () => {
      const pid = Number(await readFile(path.join(folder, 'deep'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    },
    { timeout: 30_000 },
  );
  registry.stop(name);
  expect(registry.get(name).status).toBe('stopping');
  expect(await until(name, ({ status }) => hasEnded(status))).toMatchObject({ status: 'stopped' });
  await vi.waitFor(() => expect(startOf(deep)).toBeNull(), { timeout: 30_000 });
}, 40_000);

test('a launcher runs at most its allowed number of jobs, the oldest first', async () => {
  await registry.close();
  registry = open(1);
  const first = await shell('while [ ! -e go ]; do sleep 0.05; done');
  const second = await shell('true');
  const third = await shell('true');
  await running(first);
  expect(registry.get(second)).toMatchObject({ status: 'queued', started: null });
  registry.stop(third);
  expect(await ended(third)).toMatchObject({ status: 'stopped', started: null });
  await registry.close();
  registry = open(1);
  expect(registry.get(second).status).toBe('queued');
  await writeFile(path.join(folder, 'go'), '');
  expect(await ended(second)).toMatchObject({ status: 'done' });
  expect(registry.get(second).started! >= registry.get(first).ended!).toBe(true);
});

test('many short jobs at once end with their true exit status', async () => {
  await registry.close();
  registry = open(20);
  const names = await Promise.all(Array.from({ length: 40 }, (_, k) => shell(`exit ${k % 5}`)));
  const codes = await Promise.all(names.map(async (name) => (await ended(name)).exit_code));
  expect(codes).toEqual(names.map((_, k) => k % 5));
}, 60_000);
