import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLES } from '../../src/gateway/documents/examples/all-examples.ts';
import { RECORDED_ENVS } from '../../src/play/plan.ts';
import type { RouteSpec } from '../../src/protocol/route.ts';
import { allRoutes, ROUTES } from '../../src/protocol/route-table.ts';
import { finish, Listener, request } from '../support/client.ts';
import { configure, convertAll } from '../support/play-client.ts';
import { open, readAnswer, requestText } from '../support/raw-http.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';

const RUN = 'small/zero';
const VIEWERS = 100;
const VIEW = { authorization: 'Bearer look' };

const studio = useStudio();
const clients: Listener[] = [];
beforeAll(async () => {
  const { facts } = await preparedHumanoid();
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), facts.joints.length, RUN);
  await studio.start(['--token', 's3cret', '--view-token', 'look']);
  await convertAll(studio.address, 'samples');
});
afterAll(() => {
  for (const client of clients) client.close();
});

async function join(headers: Record<string, string> = {}): Promise<{ listener: Listener; id: string; role: string }> {
  const listener = await Listener.open(studio.address, headers);
  clients.push(listener);
  return { listener, ...(await listener.nextEvent('client', () => true)) };
}
const list = async (headers: Record<string, string> = {}) =>
  (await request(studio.address, 'GET /api/clients', {}, headers)).body.clients!;
/** The status of a raw request of a viewer: `fetch` refuses some methods and paths. */
async function status(method: string, path: string): Promise<number> {
  const socket = await open(studio.port);
  socket.write(requestText(method, path, VIEW));
  const answer = await readAnswer(socket);
  socket.destroy();
  return answer.status;
}

test('a client with the view token reads everything, and every action is refused before it is looked up', async () => {
  for (const path of ['/', '/api/robot', '/api/clients', '/healthz', '/metrics', '/api/openapi.json'])
    expect([path, await status('GET', path)]).toEqual([path, 200]);
  expect(await status('OPTIONS', '/api/robot/joint')).toBe(204);
  expect(await status('GET', '/api/none')).toBe(404);
  const acts = allRoutes().filter((route) => route.method !== 'GET');
  for (const { method, path } of acts) expect([path, await status(method, path)]).toEqual([path, 403]);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect(await status(method, '/api/none')).toBe(403);
  expect(await status('GET', '/tensorboard')).toBe(403);
});

test('the view token in the address sets a cookie, a wrong token does not', async () => {
  const visit = (token: string) => fetch(`${studio.address}/?token=${token}`, { redirect: 'manual' });
  const answer = await visit('look');
  expect(answer.status).toBe(302);
  expect(answer.headers.get('set-cookie')).toMatch(/^svc_studio_token=look; .*HttpOnly/);
  const act = await request(studio.address, 'POST /api/robot/joint/reset', {}, { cookie: 'svc_studio_token=look' });
  expect(act.status).toBe(403);
  expect(act.body.detail).toMatch(/view token/);
  const both = { cookie: 'svc_studio_token=look', authorization: 'Bearer s3cret' };
  expect((await request(studio.address, 'POST /api/robot/joint/reset', {}, both)).status).toBe(200);
});

test('a hundred viewers get the same frames as others, and none of their actions changes anything', async () => {
  const { listener: control, role } = await join();
  expect(role).toBe('control');
  const viewers = await Promise.all(Array.from({ length: VIEWERS }, () => join(VIEW)));
  expect(viewers.every((viewer) => viewer.role === 'view')).toBe(true);
  const before = control.frame?.header.seq ?? 0;
  const rows = Object.entries(ROUTES).filter(([, { method }]) => method !== 'GET');
  expect(rows.length).toBeLessThanOrEqual(VIEWERS);
  const state = await everything();
  await Promise.all(
    viewers.map(async ({ listener, id }, k) => {
      listener.socket.send(JSON.stringify({ type: 'rate', fps: 30 }));
      listener.socket.send(JSON.stringify({ type: 'joint', name: 'left_knee', value: k }));
      listener.socket.send(Buffer.from([k]));
      const [name, route] = rows[k % rows.length]!;
      expect([name, await act(name, route, id)]).toEqual([name, 403]);
    }),
  );
  const { seq } = (await control.nextFrame((frame) => frame.header.seq > before)).header;
  await Promise.all(viewers.map(({ listener }) => listener.nextFrame((frame) => frame.header.seq >= seq)));
  expect(await everything()).toEqual(state);
});

/** Names in the workspace, for the fields of the documented examples. */
const REAL: Readonly<Record<string, unknown>> = { dataset: 'samples', clip: 'squat', run: RUN, robot: 'humanoid' };
const real = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, REAL[key] ?? (value as unknown)]));

/** Sends the documented example of a row, with names that exist, as a viewer. @returns the status */
async function act(name: string, { method, path, body }: RouteSpec, client: string): Promise<number> {
  const { params = {}, body: given } = EXAMPLES[name] ?? {};
  const names: Readonly<Record<string, unknown>> = real(params);
  const place = path.replaceAll(/\{(\w+)\*?\}/g, (_, key: string) => encodeURIComponent(String(names[key] ?? 'x')));
  const json = body !== undefined;
  const response = await fetch(studio.address + place, {
    method,
    headers: { ...VIEW, 'x-client-id': client, ...(json ? { 'content-type': 'application/json' } : {}) },
    ...(json ? { body: JSON.stringify(real((given ?? {}) as object)) } : method === 'PUT' ? { body: 'bytes' } : {}),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Fields that the service fills in the background. */
const BACKGROUND = new Set(['scan', 'qa', 'score']);

/** What the service shows to everybody, and all files of the workspace outside of `.studio`. */
async function everything(): Promise<unknown> {
  const paths = [
    ...['robot', 'robots', 'robots/import', 'data/datasets', 'data/clips?dataset=samples', 'data/preview', 'presets'],
    ...['jobs', 'runs', 'play', 'recordings', 'evaluations', 'exports', 'trash', 'busy'],
  ];
  const replies = await Promise.all(
    paths.map(async (path) => {
      const reply = await fetch(`${studio.address}/api/${path}`, { headers: VIEW });
      const text = JSON.stringify(await reply.json(), (key, value: unknown) =>
        BACKGROUND.has(key) ? undefined : value,
      );
      return [path, reply.status, text];
    }),
  );
  const files = readdirSync(studio.workspace, { recursive: true, encoding: 'utf8' });
  return { replies, files: files.filter((file) => !file.startsWith('.studio')).sort() };
}

test('clients are listed with role and rate; the client that sends the request is marked', async () => {
  const { listener, id } = await join();
  await finish(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'squat' });
  await expect
    .poll(async () => (await list({ 'x-client-id': id })).find((client) => client.id === id)?.rate, { timeout: 10_000 })
    .toBeGreaterThan(1);
  const listed = await list({ 'x-client-id': id });
  expect(listed.filter(({ you }) => you).map((client) => client.id)).toEqual([id]);
  expect(listed.find((client) => client.id === id)).toMatchObject({ role: 'control', skipped: expect.any(Number) });
  expect((await list()).some(({ you }) => you)).toBe(false);
  listener.close();
  await expect.poll(async () => (await list()).some((client) => client.id === id)).toBe(false);
});

test('events name the client that caused them', async () => {
  const { id } = await join();
  const { listener: other, id: otherId } = await join();
  const mine = { 'x-client-id': id };
  await request(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'turn' }, mine);
  expect((await other.nextEvent('busy', ({ by }) => by === id)).label).toContain('turn');
  await other.nextEvent('data', ({ by, preview }) => by === id && preview?.clip === 'turn');
  await request(studio.address, 'POST /api/robot/joint/reset', {}, { 'x-client-id': otherId });
  await other.nextEvent('owner', ({ owner, by }) => owner === 'robots' && by === otherId);
  await other.nextEvent('robot', ({ reason, by }) => reason === 'pose' && by === otherId);
  await request(studio.address, 'POST /api/data/playing', { playing: true }, { 'x-client-id': 'invented' });
  await other.nextEvent('owner', ({ owner, by }) => owner === 'data' && by === null);
  const { listener: late } = await join();
  expect((await late.nextEvent('owner', () => true)).by).toBeNull();
});

test('a viewer reads the record of a recorded environment and cannot start another record', async () => {
  await configure(studio.address, { run: RUN, num_envs: RECORDED_ENVS + 8 });
  const read = async (path: string, env: number) =>
    (await fetch(`${studio.address}${path}?env=${env}`, { headers: VIEW })).status;
  for (const path of ['/api/plots/play', '/api/play/record']) {
    expect(await read(path, 0)).toBe(200);
    expect(await read(path, RECORDED_ENVS + 1)).toBe(409);
  }
  expect((await fetch(`${studio.address}/api/plots/play?env=${RECORDED_ENVS + 1}`)).status).toBe(200);
  expect(await read('/api/plots/play', RECORDED_ENVS + 1)).toBe(200);
});
