import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { badInput } from '../../src/core/errors.ts';
import { nameProblem } from '../../src/core/files/names.ts';
import { formatRecord, hasEnded, type JobStatus, newRecord } from '../../src/jobs/job-record.ts';
import { type JobChange, JobRegistry } from '../../src/jobs/job-registry.ts';
import type { Clock, JobHandle } from '../../src/jobs/live-job.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { cpuMs } from '../support/cpu-time.ts';

let folder: string;
let complaints: string[];
let now: { ms: number };
const clock: Clock = { wall: () => new Date(now.ms), steady: () => now.ms / 1e3 };

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'jobs-'));
  complaints = [];
  now = { ms: Date.UTC(2026, 0, 1) };
});
// Retry, because the registry may still write records.
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

function open(): JobRegistry {
  return JobRegistry.open({
    folder,
    clock,
    interrupted: ({ dataset }) => `convert the missing clips of ${dataset}`,
    onError: (message) => complaints.push(message),
  });
}

const spec = { kind: 'convert', dataset: 'walks', params: { output_fps: 50 }, steps: 4 } as const;
const recordOf = (name: string) => JSON.parse(readFileSync(path.join(folder, name, 'job.json'), 'utf8')) as Job;
const until = async (wanted: () => boolean) => {
  while (!wanted()) await turn();
};

describe('the life of a job', () => {
  test('a job changes from queued to running to done, in events, record and log', async () => {
    const registry = open();
    const told: [JobStatus, number | null][] = [];
    registry.onChange((change) => 'job' in change && told.push([change.job.status, change.job.progress]));
    const job = await registry.create(spec);
    expect(recordOf(job.name)).toMatchObject({ name: 'convert-walks-1', status: 'queued', started: null, steps: 4 });
    job.begin();
    job.log('first\nsecond');
    job.report(1);
    job.report(4);
    now.ms += 8000;
    await job.finish('done');
    expect(told).toEqual([
      ['queued', null],
      ['running', null],
      ['running', 0.25],
      ['running', 1],
      ['done', 1],
    ]);
    expect(recordOf(job.name)).toMatchObject({
      status: 'done',
      dataset: 'walks',
      params: { output_fps: 50 },
      started: '2026-01-01T00:00:00.000Z',
      ended: '2026-01-01T00:00:08.000Z',
      rate: 0.5,
      eta: null,
      error: null,
    });
    expect(registry.get(job.name)).toEqual(expect.objectContaining({ status: 'done', progress: 1 }));
    expect(await registry.tail(job.name, 10)).toEqual(['first', 'second']);
    expect(complaints).toEqual([]);
  });

  test('jobs of one dataset are numbered, also after a restart, and listed newest first', async () => {
    const registry = open();
    const names = await Promise.all([1, 2, 3].map(() => registry.run(spec, async () => {})));
    expect(names.sort()).toEqual(['convert-walks-1', 'convert-walks-2', 'convert-walks-3']);
    await until(() => registry.active().length === 0);
    now.ms -= 3_600_000; // The clock is set back. The order of the jobs must not change.
    const again = open();
    expect(await again.run(spec, async () => {})).toBe('convert-walks-4');
    expect(again.list().map(({ name }) => name)).toEqual([4, 3, 2, 1].map((n) => `convert-walks-${n}`));
  });

  test('the name of an existing folder is skipped', async () => {
    mkdirSync(path.join(folder, 'convert-walks-1'));
    writeFileSync(path.join(folder, 'convert-walks-1', 'mine'), 'keep');
    writeFileSync(path.join(folder, 'convert-walks-2'), 'a file');
    expect((await open().create(spec)).name).toBe('convert-walks-3');
    expect(readFileSync(path.join(folder, 'convert-walks-1', 'mine'), 'utf8')).toBe('keep');
  });

  test("every dataset gives a valid job name, and the job keeps the dataset's name", async () => {
    const registry = open();
    for (const dataset of ['Tänze (α) +1', '日本語', 'x'.repeat(128), '_', 'con']) {
      const job = await registry.create({ ...spec, dataset });
      expect(nameProblem('job', job.name)).toBeNull();
      expect(job.job.dataset).toBe(dataset);
    }
  });

  test('work that throws fails with its message; a bug fails without its message', async () => {
    const registry = open();
    const fine = await registry.run({ ...spec, steps: null }, async () => {});
    const known = await registry.run(spec, () => Promise.reject(badInput('2 of 4 clips failed: a, b')));
    const bug = await registry.run(spec, () => Promise.reject(new TypeError('x is undefined')));
    await until(() => registry.active().length === 0);
    expect(registry.get(fine)).toMatchObject({ status: 'done', progress: 1 });
    expect(registry.get(known)).toMatchObject({ status: 'failed', error: '2 of 4 clips failed: a, b' });
    expect(registry.get(bug)).toMatchObject({ status: 'failed', error: 'internal error: see the service log' });
    expect(complaints).toEqual([`job ${bug} failed because of a bug`]);
  });

  test('a stop aborts the work; the job is stopping until the work ends, then stopped', async () => {
    const registry = open();
    let job!: JobHandle;
    let aborted!: () => void;
    const name = await registry.run(spec, (handle) => {
      job = handle;
      return new Promise((resolve) => {
        aborted = resolve;
      });
    });
    registry.stop(name);
    registry.stop(name);
    expect(job.signal.aborted).toBe(true);
    expect(registry.get(name).status).toBe('stopping');
    await job.finish('stopped', 'stopped after 1 of 4 clips');
    aborted();
    await turn();
    expect(registry.get(name)).toMatchObject({ status: 'stopped', error: 'stopped after 1 of 4 clips' });
    registry.stop(name);
    expect(registry.get(name).status).toBe('stopped');
  });

  test('jobs of a queue run one after another; a job stopped while queued never starts', async () => {
    const registry = open();
    const ends: (() => void)[] = [];
    const began: string[] = [];
    const work = (job: JobHandle) => {
      began.push(job.name);
      return new Promise<void>((end) => ends.push(end));
    };
    const [a, b, c] = [1, 2, 3].map(() => registry.run(spec, work, 'convert'));
    const [first, second, third] = [await a!, await b!, await c!];
    const other = await registry.run(spec, work, 'another queue');
    await until(() => began.length === 2);
    expect(began).toEqual([first, other]);
    expect(registry.get(second).status).toBe('queued');
    registry.stop(second);
    await until(() => registry.get(second).status === 'stopped');
    expect(registry.get(second).started).toBeNull();
    ends[0]!();
    await until(() => registry.get(third).status === 'running');
    expect(registry.get(first).status).toBe('done');
    expect(began).toEqual([first, other, third]);
    for (const end of ends) end();
    await until(() => registry.active().length === 0);
    await registry.close();
  });

  test('a deleted jobs folder is created again; a job without its folder has an empty tail and can be deleted', async () => {
    const registry = open();
    const job = await registry.create(spec);
    await job.finish('done');
    rmSync(folder, { recursive: true });
    expect(await registry.tail(job.name, 10)).toEqual([]);
    await expect(registry.logFile(job.name)).rejects.toMatchObject({ code: 'bad_input' });
    const next = await registry.create(spec);
    expect(recordOf(next.name).status).toBe('queued');
    await registry.forget(job.name);
    expect(registry.list().map(({ name }) => name)).toEqual([next.name]);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file in its place');
    await expect(registry.create(spec)).rejects.toThrow('ENOTDIR');
    await next.finish('done');
  });

  test('property: states only go forward, and only the first end is used', async () => {
    const order: JobStatus[] = ['queued', 'running', 'stopping', 'done'];
    const rank = (status: JobStatus) => (hasEnded(status) ? 3 : order.indexOf(status));
    const action = fc.oneof(
      fc.constantFrom('begin', 'stop', 'done', 'failed', 'stopped').map((kind) => ({ kind, step: 0 })),
      fc.nat(10).map((step) => ({ kind: 'report', step })),
    );
    const registry = open();
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
        const job = await registry.create({ ...spec, steps: 10 });
        const ends: string[] = [];
        let before = job.job;
        for (const { kind, step } of actions) {
          if (kind === 'begin') job.begin();
          else if (kind === 'stop') registry.stop(job.name);
          else if (kind === 'report') job.report(step);
          else {
            ends.push(kind);
            void job.finish(kind as 'done');
          }
          now.ms += 700;
          const { job: after } = job;
          expect(rank(after.status)).toBeGreaterThanOrEqual(rank(before.status));
          expect(after.step ?? 0).toBeGreaterThanOrEqual(before.step ?? 0);
          expect(after.ended === null).toBe(!hasEnded(after.status));
          if (after.step !== null) expect(after.started).not.toBeNull();
          for (const value of [after.rate, after.eta, after.progress])
            if (value !== null) expect(Number.isFinite(value) && value >= 0).toBe(true);
          before = after;
        }
        await job.finish('lost');
        expect(job.job.status).toBe(ends[0] ?? 'lost');
        expect(recordOf(job.name).status).toBe(job.job.status);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the end of the service', () => {
  test('after a kill unfinished jobs are lost with the remedy; the others are unchanged', async () => {
    const before = open();
    const ended = await before.run(spec, async (job) => job.report(4));
    await until(() => before.active().length === 0);
    const running = await before.create(spec);
    running.begin();
    const stopping = await before.create(spec);
    before.stop(stopping.name);
    await before.create(spec);
    await until(() => recordOf(running.name).status === 'running' && recordOf(stopping.name).status === 'stopping');

    const after = open();
    expect(after.list().map(({ status, error }) => [status, error])).toEqual([
      ['lost', 'convert the missing clips of walks'],
      ['lost', 'convert the missing clips of walks'],
      ['lost', 'convert the missing clips of walks'],
      ['done', null],
    ]);
    expect(after.get(running.name).ended).not.toBeNull();
    expect(recordOf(running.name).status).toBe('lost');
    expect(after.get(ended)).toEqual(before.get(ended));
  });

  test('at an orderly stop of the service a job stops with the remedy in its error; an unresponsive job is lost', async () => {
    const registry = open();
    const heard = await registry.run(
      spec,
      (job) => new Promise((done) => job.signal.addEventListener('abort', () => done())),
    );
    const talking = await registry.create(spec);
    talking.signal.addEventListener('abort', () => void talking.finish('stopped', '3 of 4 clips to go'));
    const failing = await registry.create(spec);
    failing.signal.addEventListener('abort', () => void failing.finish('failed', 'the disk is full'));
    const deaf = await registry.run(spec, () => new Promise(() => {}));
    await registry.close();
    const error = 'convert the missing clips of walks';
    expect(recordOf(heard)).toMatchObject({ status: 'stopped', error });
    expect(recordOf(talking.name)).toMatchObject({ status: 'stopped', error });
    expect(recordOf(failing.name)).toMatchObject({ status: 'failed', error: 'the disk is full' });
    expect(recordOf(deaf)).toMatchObject({ status: 'lost', error });
    await expect(registry.create(spec)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['cut off', '{"name": "convert-walks-1", "kind"'],
    ['empty', ''],
    ['of another shape', '{"name": "convert-walks-1", "status": "resting"}'],
  ])('a record that is %s is kept, and its job is lost, now and after the next start', async (_, text) => {
    const before = open();
    const job = await before.create(spec);
    job.log('a line');
    await job.finish('done');
    writeFileSync(path.join(folder, job.name, 'job.json'), text);

    for (const registry of [open(), open()]) {
      expect(registry.list()).toMatchObject([
        { name: job.name, kind: 'convert', status: 'lost', error: expect.stringContaining('record unreadable') },
      ]);
      expect(await registry.tail(job.name, 5)).toEqual(['a line']);
    }
    const kept = readdirSync(path.join(folder, job.name)).filter((file) => file.startsWith('job.json.corrupt-'));
    expect(kept).toHaveLength(1);
    expect(readFileSync(path.join(folder, job.name, kept[0]!), 'utf8')).toBe(text);
    expect(complaints).toHaveLength(1);
  });

  test('a thousand old jobs are read at once and listed in milliseconds of CPU time', async () => {
    for (let k = 1; k <= 1000; k++) {
      const record = newRecord(`convert-walks-${k}`, spec, k, clock.wall());
      mkdirSync(path.join(folder, record.job.name));
      writeFileSync(
        path.join(folder, record.job.name, 'job.json'),
        formatRecord({ ...record, job: { ...record.job, status: 'done' } }),
      );
    }
    let registry = null as JobRegistry | null;
    expect(await cpuMs(() => (registry = open()))).toBeLessThan(3000);
    expect(await cpuMs(() => expect(registry!.list()[0]!.name).toBe('convert-walks-1000'))).toBeLessThan(100);
    expect(registry!.list()).toHaveLength(1000);
    const suggest = () =>
      expect(() => registry!.get('convert-walk-1000')).toThrow('did you mean "convert-walks-1000"?');
    expect(await cpuMs(suggest)).toBeLessThan(1000);
  });
});

describe('deleting a job', () => {
  test('an ended job is removed from list and disk; deleting a running job is a conflict', async () => {
    const registry = open();
    const changes: JobChange[] = [];
    const job = await registry.create(spec);
    await expect(registry.forget(job.name)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('queued'),
    });
    job.begin();
    await expect(registry.forget(job.name)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('running'),
    });
    await job.finish('failed', 'broken');
    registry.onChange((change) => changes.push(change));
    await registry.forget(job.name);
    expect(registry.list()).toEqual([]);
    expect(existsSync(path.join(folder, job.name))).toBe(false);
    expect(changes).toEqual([{ forgotten: job.name }]);
    expect(open().list()).toEqual([]);
    await expect(registry.forget(job.name)).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('deleting waits for a stopping job until the request is aborted', async () => {
    const registry = open();
    const job = await registry.create(spec);
    job.begin();
    registry.stop(job.name);
    const given = new AbortController();
    const impatient = registry.forget(job.name, given.signal);
    given.abort();
    await expect(impatient).rejects.toMatchObject({ name: 'AbortError' });
    const patient = registry.forget(job.name);
    expect(registry.get(job.name).status).toBe('stopping');
    await job.finish('stopped');
    await patient;
    expect(existsSync(path.join(folder, job.name))).toBe(false);
  });
});

describe('a disk that cannot be written to', () => {
  test('if a record cannot be written, the job continues, its state is published, and the failure is logged', async () => {
    const registry = open();
    const job = await registry.create(spec);
    rmSync(path.join(folder, job.name), { recursive: true });
    appendFileSync(path.join(folder, job.name), 'in the way');
    job.begin();
    job.log('lost line');
    await job.finish('done');
    expect(registry.get(job.name).status).toBe('done');
    expect(complaints.length).toBeGreaterThanOrEqual(2);
  });
});
