import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { EventHub } from '../../../src/app/event-hub.ts';
import { Jobs } from '../../../src/app/jobs/jobs.ts';
import { jobsHandlers } from '../../../src/gateway/routes/jobs.ts';
import type { EventPayloads } from '../../../src/protocol/events.ts';
import type { Job } from '../../../src/protocol/schemas/jobs.ts';
import { type KernelServer, serveKernel, silentLogger } from '../../gateway/kernel-server.ts';

let folder: string;
let jobs: Jobs;
let told: EventPayloads['jobs'][];
let server: KernelServer<App>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'jobs-area-'));
  told = [];
  const hub = new EventHub();
  hub.subscribe((event) => event.topic === 'jobs' && told.push(event.payload));
  jobs = new Jobs({ folder, hub, logger: silentLogger() });
  server = await serveKernel({
    routes: jobsHandlers.map(({ contract }) => contract),
    handlers: jobsHandlers,
    context: { jobs } as unknown as App,
  });
});
afterEach(async () => {
  server.close();
  await jobs.close();
  rmSync(folder, { recursive: true, force: true });
});

const spec = { kind: 'convert', dataset: 'walks', params: {}, steps: 1000 } as const;

async function ask<T = Job & { log: string[] }>(name: string, method = 'GET') {
  const init = method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {};
  const response = await fetch(`${server.address}/api/jobs${name}`, { method, ...init });
  return { status: response.status, body: (await response.json()) as T & { detail?: string } };
}

describe('jobs events', () => {
  test('a thousand reports of a job in a second become a few events, and its end is always one event', async () => {
    const job = await jobs.registry.create(spec);
    const begin = performance.now();
    for (let step = 1; step <= 1000; step++) {
      job.report(step);
      if (step % 10 === 0) await sleep(10);
    }
    await job.finish('done');
    await expect.poll(() => told.at(-1)).toMatchObject({ jobs: [{ name: job.name, status: 'done', step: 1000 }] });
    const seconds = (performance.now() - begin) / 1000;
    expect(told.length).toBeGreaterThanOrEqual(4);
    // Five events per second, and in addition the first event, the last progress and the end.
    expect(told.length).toBeLessThanOrEqual(5 * seconds + 3);
  });

  test('several jobs share events, and a forgotten job causes no event', async () => {
    const [a, b] = await Promise.all([jobs.registry.create(spec), jobs.registry.create(spec)]);
    a.report(1);
    b.report(2);
    await b.finish('failed', 'no');
    await jobs.forget(b.name, new AbortController().signal);
    a.report(3);
    await expect.poll(() => told.at(-1)).toMatchObject({ jobs: [{ name: a.name, step: 3 }] });
    const forgotten = told.findIndex((payload) => 'forgotten' in payload);
    expect(told[forgotten]).toEqual({ forgotten: b.name });
    for (const payload of told.slice(forgotten + 1)) expect(JSON.stringify(payload)).not.toContain(b.name);
    await a.finish('done');
  });
});

describe('over HTTP', () => {
  test('the list of jobs is newest first; a single job includes the last 200 lines of its log by default', async () => {
    const job = await jobs.registry.create(spec);
    for (let k = 0; k < 300; k++) job.log(`clip ${k}`);
    const other = await jobs.registry.create(spec);
    const list = await ask<{ jobs: Job[] }>('');
    expect(list.body.jobs.map(({ name, status }) => [name, status])).toEqual([
      [other.name, 'queued'],
      [job.name, 'queued'],
    ]);
    const { body } = await ask(`/${job.name}`);
    expect(body).toMatchObject({ name: job.name, kind: 'convert', dataset: 'walks', steps: 1000, progress: null });
    expect(body.log).toHaveLength(200);
    expect(body.log.at(-1)).toBe('clip 299');
    expect((await ask(`/${job.name}?tail=2`)).body.log).toEqual(['clip 298', 'clip 299']);
    expect((await ask(`/${job.name}?tail=0`)).body.log).toEqual([]);
    expect(await ask(`/${job.name}?tail=10001`)).toMatchObject({
      status: 400,
      body: { detail: 'tail: must be an integer from 0 to 10000' },
    });
  });

  test('an unknown job is 400 on every route, with the nearest name', async () => {
    const { name } = await jobs.registry.create(spec);
    const near = name.replace('walks', 'walk');
    for (const [row, method] of [
      ['', 'GET'],
      ['/log', 'GET'],
      ['/stop', 'POST'],
      ['', 'DELETE'],
    ]) {
      const { status, body } = await ask(`/${near}${row}`, method);
      expect([status, body.detail]).toEqual([400, `name: unknown job "${near}"; did you mean "${name}"?`]);
    }
    for (const odd of ['__proto__', '..%2f..%2fetc', '%00', 'x'.repeat(300)])
      expect((await ask(`/${odd}`)).status).toBe(400);
  });

  test('DELETE of a running job is 409; after a stop, DELETE waits for the end of the job', async () => {
    const job = await jobs.registry.create(spec);
    job.begin();
    expect(await ask(`/${job.name}`, 'DELETE')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Stop it first') },
    });
    job.signal.addEventListener('abort', () => void sleep(100).then(() => job.finish('stopped')));
    expect(await ask(`/${job.name}/stop`, 'POST')).toEqual({ status: 200, body: { ok: true } });
    expect((await ask(`/${job.name}`)).body.status).toBe('stopping');
    expect(await ask(`/${job.name}`, 'DELETE')).toEqual({ status: 200, body: { ok: true } });
    expect(job.job.status).toBe('stopped');
    expect((await ask(`/${job.name}`)).status).toBe(400);
  });

  test('stopping an ended job succeeds and changes nothing', async () => {
    const job = await jobs.registry.create(spec);
    await job.finish('failed', 'no clips');
    expect(await ask(`/${job.name}/stop`, 'POST')).toEqual({ status: 200, body: { ok: true } });
    expect((await ask(`/${job.name}`)).body).toMatchObject({ status: 'failed', error: 'no clips' });
  });

  test('the whole log is served as text, also if it is large or empty', async () => {
    const job = await jobs.registry.create(spec);
    const whole = () => fetch(`${server.address}/api/jobs/${job.name}/log`);
    expect(await (await whole()).text()).toBe('');
    job.log('ä first');
    await jobs.logFile(job.name);
    const line = `${'x'.repeat(99)}\n`;
    appendFileSync(path.join(folder, job.name, 'output.log'), line.repeat(300_000));
    const response = await whole();
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text.length).toBe('ä first\n'.length + 30_000_000);
    expect(text.startsWith('ä first\n')).toBe(true);
    expect(text.endsWith(line)).toBe(true);
  });
});
