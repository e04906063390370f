import { beforeAll, expect, test } from 'vitest';
import { WALKER_MJCF } from '../support/models.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();

/** Number of rounds of each client. A tenth of them was enough to find all known races. */
const ROUNDS = 60;

beforeAll(async () => {
  addWalker(studio.workspace);
  await studio.start();
  await send('POST', '/api/robot/select', { name: 'walker' }, { prefer: 'wait=60' });
});

/** Responses with status 5xx, and refusals without a message. */
const bad: string[] = [];
const statuses = new Map<number, number>();

async function send(method: string, path: string, body?: object | string, headers: Record<string, string> = {}) {
  const response = await fetch(studio.address + path, {
    method,
    headers: { ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  if (response.status >= 500 || (response.status >= 400 && !/"detail":"\w/.test(text)))
    bad.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
  return response.status;
}

/** Sends the calls of one client one after another, ROUNDS times. */
async function client(...calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) for (const call of calls) await call();
}

test('concurrent uploads, listings, downloads and deletes of the same files get no 5xx', async () => {
  const clip = walkerClip(20);
  const upload = (file: string) => () => send('PUT', `/api/data/upload/races/${file}`, clip);
  const make = () => send('POST', '/api/data/new', { name: 'races' });
  const model = (file: string) => () => send('PUT', `/api/robots/import/upload/draft/${file}`, WALKER_MJCF);
  const get = (path: string) => () => send('GET', path);
  await make();
  await Promise.all([
    client(upload('one.csv'), upload('two.csv')),
    client(upload('two.csv'), upload('three.csv')),
    client(make, () => send('DELETE', '/api/data/datasets/races')),
    client(make, () => send('DELETE', '/api/data/datasets/races/clips/two')),
    client(get('/api/data/clips?dataset=races'), get('/api/data/datasets')),
    client(get('/api/data/download?dataset=races&clip=one'), get('/api/data/download?dataset=races&clip=two')),
    client(() => send('POST', '/api/data/load', { dataset: 'races', clip: 'one' }), get('/api/data/preview')),
    client(
      () => send('POST', '/api/data/scan', { dataset: 'races' }),
      () => send('POST', '/api/data/uploaded'),
    ),
    client(model('walker.xml'), model('meshes/a.stl')),
    client(() => send('DELETE', '/api/robots/import/draft')),
    client(get('/api/robots/import'), get('/api/robots/import/files?id=draft')),
    client(get('/api/robots/import'), get('/api/robots')),
  ]);
  const internal = studio.service
    .stderr()
    .split('\n')
    .filter((line) => line.includes('internal error'));
  expect([...bad, ...internal]).toEqual([]);
  // Calls did compete: some succeeded, others came too late.
  expect(statuses.get(200)).toBeGreaterThan(ROUNDS);
  expect(statuses.get(400)).toBeGreaterThan(10);
  expect(await send('GET', '/api/data/datasets')).toBe(200);
}, 120_000);
