import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bootId, startOf } from '../../../src/core/files/pid-lock.ts';
import { jobPlace } from '../../../src/jobs/detached/job-place.ts';
import { LocalLauncher } from '../../../src/jobs/detached/local-launcher.ts';
import { hasEnded } from '../../../src/jobs/job-record.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';
import { isAlive, signalJob } from '../../../src/jobs/processes/job-processes.ts';
import { parseProcessRecord } from '../../../src/jobs/processes/process-record.ts';
import { JOB_VARIABLE, PROC_TABLE, PsTable } from '../../../src/jobs/processes/process-table.ts';
import { plantJob } from '../../support/job-files.ts';

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };
const linux = process.platform === 'linux';
let folder: string;
const bystanders: ChildProcess[] = [];
/** signals that the test intercepts instead of sending; probes with signal 0 are not recorded */
let signals: [number, string | number | undefined][];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'foreign-processes-'));
  signals = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (signal !== 0) signals.push([pid, signal]);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const { pid } of bystanders.splice(0)) process.kill(-pid!, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Starts a process that does not belong to a job. It leads a process group, as a runner does. */
async function bystander(env: Record<string, string> = {}): Promise<number> {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { ...ENVIRONMENT, ...env } });
  bystanders.push(child);
  await new Promise((resolve) => child.once('spawn', resolve));
  return child.pid!;
}

/** Opens a registry on the folder and waits for the end of its only job. @returns its status and error */
async function outcome(): Promise<{ status: string; error: string | null }> {
  const errors: unknown[] = [];
  const registry = JobRegistry.open({
    folder,
    launchers: new Map([['local', new LocalLauncher(4, ENVIRONMENT, 1)]]),
    interrupted: () => 'the service ended',
    onError: (message, error) => errors.push([message, error]),
  });
  const { name } = registry.list()[0]!;
  await vi.waitFor(() => expect(hasEnded(registry.get(name).status)).toBe(true), { timeout: 30_000, interval: 20 });
  await registry.close();
  expect(errors).toEqual([]);
  return registry.get(name);
}

describe.skipIf(!linux)('a record of processes alone causes no signal', () => {
  const boot = () => bootId()!;
  const record = (pid: number, more: object = {}) => ({
    runner: pid,
    runner_start: startOf(pid) ?? '',
    pid,
    start: startOf(pid) ?? '',
    boot: boot(),
    ...more,
  });
  const cases: [what: string, record: (pid: number) => unknown][] = [
    ['every process (kill -1)', (pid) => record(pid, { runner: 1, runner_start: '', start: '', boot: '' })],
    ['the first process, with its start and boot', () => record(1)],
    ['the own group (kill 0)', (pid) => record(pid, { runner: 0, pid: 0 })],
    ['a group by its number', (pid) => record(pid, { runner: -pid, pid: -pid })],
    ['a foreign process as a Mac notes it', (pid) => record(pid, { runner_start: '', start: '', boot: '' })],
    ['a foreign process without start times', (pid) => record(pid, { runner_start: '', start: '' })],
    ['a foreign process without the boot', (pid) => record(pid, { boot: '' })],
    ['a foreign process, its id used again', (pid) => record(pid, { runner_start: '1', start: '1' })],
    ['a foreign process down to its start and boot', (pid) => record(pid)],
    ['the service itself', () => record(process.pid)],
    ['numbers as texts', (pid) => record(pid, { runner: String(pid), pid: String(pid) })],
  ];
  test.each(cases)('no signal is sent because of a record of processes alone: %s', async (_, made) => {
    const pid = await bystander();
    plantJob(folder, 'train-1', { status: 'stopping', submitted: true, files: { 'proc.json': made(pid) } });
    expect(await outcome()).toMatchObject({ status: 'stopped' });
    expect(signals).toEqual([]);
    expect(startOf(pid)).not.toBeNull();
  });

  test('no signal is sent to the job of a copied workspace: its processes have the mark of the original', async () => {
    const uuid = randomUUID();
    const original = jobPlace(path.join(folder, 'train-1'), uuid);
    const pid = await bystander({ [JOB_VARIABLE]: original.mark });
    const copy = path.join(folder, 'copy');
    const job = { status: 'stopping', submitted: true, uuid, files: { 'proc.json': record(pid) } } as const;
    plantJob(copy, 'train-1', job);
    const launcher = new LocalLauncher(1, ENVIRONMENT, 1);
    const place = jobPlace(path.join(copy, 'train-1'), uuid);
    await launcher.stop(place, true);
    expect(signals).toEqual([]);
    plantJob(folder, 'train-1', job);
    await launcher.stop(original, true);
    expect(signals).toEqual([[-pid, 'SIGKILL']]);
  });

  test('a running job whose process is foreign is lost, and says why', async () => {
    const pid = await bystander();
    plantJob(folder, 'train-1', {
      status: 'running',
      submitted: true,
      files: { 'proc.json': record(pid, { boot: '' }) },
    });
    expect(await outcome()).toMatchObject({ status: 'lost', error: expect.stringContaining('not written on this') });
    expect(signals).toEqual([]);
  });
});

describe('process ids are read strictly', () => {
  const UUID = '01234567-89ab-cdef-0123-456789abcdef';
  const good = { runner: 12, runner_start: '345', pid: 13, start: '346', boot: UUID };
  const parse = (value: unknown, hasProc = true) => parseProcessRecord(JSON.stringify(value), hasProc);

  test('process ids are read back as the runner wrote them', () => {
    expect(parse(good)).toEqual({ runner: 12, runnerStart: '345', pid: 13, start: '346', boot: UUID });
    expect(parse({ ...good, runner_start: '', start: '', boot: '' }, false)).toMatchObject({ runner: 12, pid: 13 });
    expect(parse(good, false)).toBeNull();
  });

  test('process ids are integers above 1 with start time and boot id, whatever the file contains', () => {
    const field = (right: unknown) =>
      fc.oneof(fc.constant(right), fc.integer(), fc.double(), fc.string(), fc.constantFrom(0, 1, -1, null, '', [], {}));
    const near = fc.record(Object.fromEntries(Object.entries(good).map(([key, value]) => [key, field(value)])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(fc.oneof(near, fc.jsonValue()), fc.string(), (value, junk) => {
        expect(parseProcessRecord(junk, true)).toBeNull();
        const record = parse(value);
        if (record === null) return;
        for (const pid of [record.runner, record.pid]) {
          expect(Number.isInteger(pid) && pid > 1 && pid < 2 ** 31).toBe(true);
        }
        for (const start of [record.runnerStart, record.start]) expect(start).toMatch(/^\d+$/);
        expect(record.boot).toBe(UUID);
      }),
      { numRuns: 2000 },
    );
  });
});

describe.each([
  ['/proc', PROC_TABLE],
  ['ps', new PsTable()],
])('processes as %s shows them', (name, table) => {
  test.skipIf(name === '/proc' && !linux)(
    'the processes of a job are found by their mark, and so are their groups',
    async () => {
      const mark = randomUUID();
      const pid = await bystander({ [JOB_VARIABLE]: mark });
      const other = await bystander({ [JOB_VARIABLE]: `${mark}-other`, [`X${JOB_VARIABLE}`]: mark });
      // The process table caches the output of `ps` for half a second.
      await vi.waitFor(() => expect(table.marked(mark)).toEqual([{ pid, group: pid }]), { timeout: 5000 });
      expect(table.find(pid, mark)).toEqual({ pid, group: pid });
      expect(table.find(other, mark)).toBeNull();
      for (const none of [1, 0, -1, process.pid, 2 ** 31]) expect(table.find(none, mark)).toBeNull();
      expect(signalJob(null, mark, 'SIGTERM', table)).toBe(1);
      expect(signals).toEqual([[pid, 'SIGTERM']]);
    },
  );
});

test.skipIf(!linux)('a process belongs to the job only if its start, its boot and the mark all match', async () => {
  const mark = randomUUID();
  const pid = await bystander({ [JOB_VARIABLE]: mark });
  const start = startOf(pid)!;
  const record = { runner: pid, runnerStart: start, pid, start, boot: bootId()! };
  expect(isAlive(record, mark)).toBe(true);
  expect(isAlive(record, randomUUID())).toBe(false);
  expect(isAlive({ ...record, runnerStart: '1', start: '1' }, mark)).toBe(false);
  expect(isAlive({ ...record, boot: randomUUID() }, mark)).toBe(false);
});
