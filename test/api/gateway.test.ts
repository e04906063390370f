import { once } from 'node:events';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../src/protocol/route-table.ts';
import { finish, Listener, request } from '../support/client.ts';
import { requestText, sendRaw } from '../support/raw-http.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const TOKEN = 'k33p-this.secret';
/** Makes the local client look like a client from another address. */
const FOREIGN = { 'x-forwarded-for': '203.0.113.9' };

beforeAll(async () => {
  await studio.start(['--token', TOKEN, '--log-level', 'debug']);
});

const get = (path: string, headers: Record<string, string> = {}) =>
  sendRaw(studio.port, requestText('GET', path, headers));

describe('the token', () => {
  test('a token opened once in a browser becomes a cookie', async () => {
    const opened = await get(`/?token=${TOKEN}`, FOREIGN);
    expect([opened.status, opened.headers['location']]).toEqual([302, '/']);
    const cookie = opened.headers['set-cookie']!;
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const [pair = ''] = cookie.split(';');
    expect((await get('/', { ...FOREIGN, cookie: pair })).status).toBe(200);
    expect((await get('/api/robot', { ...FOREIGN, cookie: pair })).status).toBe(200);
    const listener = await Listener.open(studio.address, { ...FOREIGN, cookie: pair });
    await listener.nextFrame(() => true);
    listener.close();
  });

  test('without the token a remote client is refused everywhere', async () => {
    for (const path of ['/', '/api/robot', '/healthz', '/metrics', '/api/docs', '/assets/x.js', '/ws', '/none']) {
      expect([path, (await get(path, FOREIGN)).status]).toEqual([path, 401]);
    }
    await expect(Listener.open(studio.address, FOREIGN)).rejects.toThrow('401');
  });

  test('a wrong token in the address is refused, and a local client gets no cookie', async () => {
    expect((await get('/?token=wrong', FOREIGN)).status).toBe(401);
    const here = await get('/?token=wrong');
    expect([here.status, here.headers['set-cookie']]).toEqual([302, undefined]);
  });

  test('the log never contains the token or a query', async () => {
    await get(`/?token=${TOKEN}`, { ...FOREIGN, 'x-request-id': 'token-in-query' });
    await get('/healthz', { authorization: `Bearer ${TOKEN}`, 'x-request-id': 'token-in-header' });
    await expect.poll(() => studio.service.stderr()).toContain('token-in-header');
    expect(studio.service.stderr()).toContain('token-in-query');
    expect(studio.service.stderr()).not.toContain(TOKEN);
    // The only match is the placeholder in the message that explains how to send a token.
    expect(studio.service.stderr()).not.toMatch(/token=(?!<token>)/);
  });
});

test('each request is one log line with its id, route, status and duration', async () => {
  await get('/api/data/clips?dataset=none', { 'x-request-id': 'look-for-me' });
  await expect.poll(() => studio.service.stderr()).toContain('look-for-me');
  const lines = studio.service
    .stderr()
    .split('\n')
    .filter((line) => line.includes('look-for-me'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'debug',
    source: 'gateway',
    method: 'GET',
    path: '/api/data/clips',
    status: 400,
    ms: expect.any(Number),
  });
});

test('the documentation site is served below /docs/ with its search and the Python client', async () => {
  const redirect = await fetch(`${studio.address}/docs`, { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'docs/']);
  const home = await fetch(`${studio.address}/docs`);
  expect([home.url, home.headers.get('content-type')]).toEqual([`${studio.address}/docs/`, 'text/html; charset=utf-8']);
  expect(await home.text()).toContain('href="guides/first-run.html"');
  for (const file of [
    'guides/first-run.html',
    'site.css',
    'search.js',
    'search.json',
    'motion_studio.py',
    'examples/journey.sh',
  ])
    expect([file, (await fetch(`${studio.address}/docs/${file}`)).status]).toEqual([file, 200]);
  expect((await fetch(`${studio.address}/docs/nothing.html`)).status).toBe(404);
});

test('the OpenAPI document is valid, and its page, which is one of the site, lists every route', async () => {
  const response = await fetch(`${studio.address}/api/openapi.json`);
  expect(await new Validator().validate((await response.json()) as Record<string, unknown>)).toMatchObject({
    valid: true,
  });
  const page = await (await fetch(`${studio.address}/api/docs`)).text();
  expect(page).toContain('href="../docs/guides/first-run.html"');
  for (const { path } of allRoutes()) expect(page).toContain(path.replace('*}', '}'));
});

test('/healthz and /metrics report the state of the service', async () => {
  const { body } = await request(studio.address, 'GET /healthz');
  expect(body).toEqual({ ok: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/), uptime_s: expect.any(Number) });
  const listener = await Listener.open(studio.address);
  const { header: first } = await listener.nextFrame(() => true);
  const { header } = await listener.nextFrame(({ header: { seq } }) => seq >= first.seq + 2);
  await finish(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'squat' });
  let text = '';
  const value = (name: string) => Number(new RegExp(`^motion_studio_${name} (.*)$`, 'm').exec(text)?.[1]);
  // The checks of the clip run in the pool, too.
  await expect
    .poll(
      async () => {
        text = await (await fetch(`${studio.address}/metrics`)).text();
        // Clients of earlier tests may disconnect late.
        return ['pool_tasks_queued', 'pool_tasks_running', 'ws_clients'].map(value);
      },
      { timeout: 20_000 },
    )
    .toEqual([0, 0, 1]);
  expect(value('ws_frames_sent_total')).toBeGreaterThan(0);
  expect(value('ws_sent_bytes_total')).toBeGreaterThan(100);
  // Every frame since the client connected was either sent to it or replaced by a newer one.
  const ofClient = (name: string) => value(String.raw`ws_client_frames_${name}\{client="\d+"\}`);
  expect(ofClient('sent') + ofClient('dropped')).toBeGreaterThan(header.seq - first.seq);
  expect(value('ws_frames_dropped_total')).toBeGreaterThanOrEqual(ofClient('dropped'));
  expect(value('http_request_duration_seconds_count')).toBeGreaterThan(0);
  expect(value(String.raw`http_requests_total\{method="GET",route="/healthz",code="200"\}`)).toBeGreaterThan(0);
  expect(value('sim_frames_total')).toBeGreaterThanOrEqual(header.seq);
  expect(value('sim_restarts_total')).toBe(0);
  expect(value('sim_frame_interval_seconds_count')).toBeGreaterThan(0);
  const mean = value('sim_frame_interval_seconds_sum') / value('sim_frame_interval_seconds_count');
  expect(mean).toBeGreaterThan(0.001);
  expect(mean).toBeLessThan(5);
  expect(value('pool_tasks_completed_total')).toBeGreaterThan(0);
  expect(value('pool_threads')).toBeLessThanOrEqual(value('pool_threads_limit'));
  expect(text).toMatch(/^motion_studio_ws_client_frames_sent\{client="\d+"\} \d+$/m);
  expect(text).toMatch(/^motion_studio_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m);
  listener.close();
});

test('a slow action reports its progress in the reply, in the list and by events', async () => {
  const listener = await Listener.open(studio.address);
  const { body, headers } = await request(
    studio.address,
    'POST /api/robot/select',
    { name: 'humanoid' },
    { prefer: 'wait=30' },
  );
  expect(headers.get('preference-applied')).toBe('wait=30');
  expect(body.busy).toMatchObject({ task: body.task, state: 'done', progress: 1, error: null });
  const listed = (await request(studio.address, 'GET /api/busy')).body;
  expect([listed.active, listed.recent[0]]).toEqual([[], body.busy]);
  await listener.nextEvent('busy', ({ task, state }) => task === body.task && state === 'running');
  await listener.nextEvent('busy', ({ task, state }) => task === body.task && state === 'done');
  listener.close();
});

test('model and terrain keep their ETag until they change', async () => {
  for (const path of ['/api/robot/model', '/api/robot/model.bin', '/api/scene/terrain.bin']) {
    const first = await get(path);
    const tag = first.headers['etag']!;
    expect([path, first.status, tag]).toEqual([path, 200, expect.stringMatching(/^"[^"]+"$/)]);
    expect((await get(path, { 'if-none-match': tag })).status).toBe(304);
    const elsewhere = { ...FOREIGN, authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'br' };
    const packed = await fetch(studio.address + path, { headers: elsewhere });
    expect(packed.headers.get('content-encoding')).toBe('br');
    const plain = await fetch(studio.address + path);
    expect(Buffer.from(await packed.arrayBuffer()).equals(Buffer.from(await plain.arrayBuffer()))).toBe(true);
  }
});

test('the page is served compressed, with a policy that allows loading only from this service', async () => {
  const response = await fetch(studio.address, { headers: { 'accept-encoding': 'br' } });
  expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
  const [script = ''] = /(?<=src=")[^"]+\.js/.exec(await response.text()) ?? [];
  const loaded = await fetch(new URL(script, studio.address), { headers: { 'accept-encoding': 'br' } });
  expect(loaded.headers.get('content-encoding')).toBe('br');
  expect(loaded.headers.get('cache-control')).toContain('immutable');
});

test('on SIGTERM the service closes its sockets with 1001 and exits, even while a client has sent half a request', async () => {
  const stopping = studio.spawn([], { workspace: path.join(studio.folder, 'stopping') });
  const at = await stopping.ready;
  const listener = await Listener.open(at);
  await listener.nextFrame(() => true);
  const closed = once(listener.socket, 'close');
  const half = sendRaw(Number(new URL(at).port), 'GET /api/robot HTTP/1.1\r\nHost: x').catch(() => null);
  stopping.child.kill('SIGTERM');
  expect(((await closed) as [number])[0]).toBe(1001);
  expect(await stopping.exit).toEqual({ code: 0, signal: null });
  await half;
});
