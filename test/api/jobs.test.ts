import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio({ each: true });

/** Enough clips that a conversion takes seconds even on a fast machine; progress is reported five times a second. */
const CLIPS = 200;
const ROWS = 3000;
const HINT = 'the service ended during this job. Convert the missing clips of dataset steps to continue.';

let listener: Listener;

async function start(): Promise<void> {
  await studio.start();
  listener = await Listener.open(studio.address);
}

beforeEach(async () => {
  addWalker(studio.workspace);
  const folder = path.join(studio.workspace, 'data/walker/steps');
  mkdirSync(folder, { recursive: true });
  const clip = walkerClip(ROWS);
  for (let k = 0; k < CLIPS; k++) writeFileSync(path.join(folder, `step_${k}.csv`), clip);
  await start();
  expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({ state: 'done' });
});
afterEach(async () => {
  listener.close();
});

async function convert(more: object = {}): Promise<string> {
  const { status, body } = await request(studio.address, 'POST /api/data/convert', { dataset: 'steps', ...more });
  expect(status, body.detail).toBe(200);
  return body.job;
}

async function jobOf(name: string, tail = 200): Promise<Job & { log: string[] }> {
  const response = await fetch(`${studio.address}/api/jobs/${name}?tail=${tail}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Job & { log: string[] };
}

async function act(name: string, method: 'POST' | 'DELETE', row = '') {
  const init = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
  const response = await fetch(`${studio.address}/api/jobs/${name}${row}`, { method, ...init });
  return { status: response.status, body: (await response.json()) as { ok?: boolean; detail?: string } };
}

const seen = (name: string, wanted: (job: Job) => boolean, withinMs = 30_000) =>
  listener.nextEvent(
    'jobs',
    (payload) => 'jobs' in payload && payload.jobs.some((job) => job.name === name && wanted(job)),
    withinMs,
  );

const converted = () => {
  const folder = path.join(studio.workspace, 'data/walker/steps/npz');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.npz'))
    .map((file) => path.join(folder, file));
};

async function expectAllWhole(): Promise<void> {
  for (const file of converted()) await readMotionNpz(readFileSync(file));
}

test('after a kill during a conversion the job is lost, and converting the missing clips completes it', async () => {
  const name = await convert();
  await seen(name, (job) => job.status === 'running' && (job.step ?? 0) >= 3);
  await studio.stop('SIGKILL');
  listener.close();
  const before = converted().length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(CLIPS);

  await start();
  expect(await jobOf(name)).toMatchObject({
    status: 'lost',
    error: HINT,
    kind: 'convert',
    dataset: 'steps',
    steps: CLIPS,
    eta: null,
  });
  await expectAllWhole();
  expect((await request(studio.address, 'GET /api/jobs')).body.jobs.map((job) => [job.name, job.status])).toEqual([
    [name, 'lost'],
  ]);
  expect(await act(name, 'POST', '/stop')).toEqual({ status: 200, body: { ok: true } });

  const again = await convert();
  expect(again).not.toBe(name);
  await seen(again, (job) => job.status === 'done');
  expect(await jobOf(again)).toMatchObject({ status: 'done', progress: 1, error: null, steps: CLIPS - before });
  expect(converted()).toHaveLength(CLIPS);
  await expectAllWhole();
  expect(await act(name, 'DELETE')).toEqual({ status: 200, body: { ok: true } });
  await listener.nextEvent('jobs', (payload) => 'forgotten' in payload && payload.forgotten === name);
  expect(readdirSync(path.join(studio.workspace, 'jobs'))).toEqual([again]);
});

test('SIGTERM to the service stops a running conversion, and the job names the way to continue', async () => {
  const name = await convert();
  await seen(name, (job) => job.status === 'running' && (job.step ?? 0) >= 1);
  expect(await studio.stop()).toEqual({ code: 0, signal: null });
  await start();
  const job = await jobOf(name);
  expect(['stopped', 'lost']).toContain(job.status);
  expect(job).toMatchObject({ error: HINT, eta: null });
  expect(Date.parse(job.ended!)).toBeGreaterThanOrEqual(Date.parse(job.started!));
  await expectAllWhole();
});

test('a stop ends a conversion between two clips; DELETE of the running job is 409, DELETE of the stopping job waits', async () => {
  const name = await convert();
  await seen(name, (job) => (job.step ?? 0) >= 1);
  expect(await act(name, 'DELETE')).toMatchObject({ status: 409 });
  expect(await act(name, 'POST', '/stop')).toEqual({ status: 200, body: { ok: true } });
  await seen(name, (job) => job.status === 'stopped');
  const { step, log } = await jobOf(name);
  expect(converted()).toHaveLength(step!);
  expect(log.length).toBeGreaterThanOrEqual(step!);

  const next = await convert();
  await seen(next, (job) => job.status === 'running');
  await act(next, 'POST', '/stop');
  expect(await act(next, 'DELETE')).toEqual({ status: 200, body: { ok: true } });
  expect(await act(next, 'DELETE')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining(`did you mean`) },
  });
});

test('job events report progress and remaining time, and the whole log is served as text', async () => {
  const name = await convert();
  await seen(name, (job) => job.status === 'done');
  const told = listener.events.flatMap((event) =>
    event.topic === 'jobs' && 'jobs' in event.payload ? event.payload.jobs.filter((job) => job.name === name) : [],
  );
  const steps = told.map((job) => job.step ?? 0);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(told.at(-1)).toMatchObject({ status: 'done', step: CLIPS, steps: CLIPS, progress: 1 });
  const { log, started, ended } = await jobOf(name, 10_000);
  expect(told.length).toBeLessThanOrEqual(5 + (5 * (Date.parse(ended!) - Date.parse(started!))) / 1e3);
  const whole = await fetch(`${studio.address}/api/jobs/${name}/log`);
  expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect((await whole.text()).trimEnd().split('\n')).toEqual(log);
  expect(statSync(path.join(studio.workspace, 'jobs', name, 'output.log')).size).toBe(
    Number(whole.headers.get('content-length')),
  );
  for (let k = 0; k < CLIPS; k++) expect(log.filter((line) => line.startsWith(`step_${k}:`))).toHaveLength(1);
});
