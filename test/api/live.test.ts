import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { finish, Listener, request } from '../support/client.ts';
import { WALKER_MJCF } from '../support/models.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();

beforeAll(async () => {
  addWalker(studio.workspace);
  await studio.start();
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
});

test('a new client gets the state before its first frame', async () => {
  const listener = await Listener.open(studio.address);
  await listener.nextFrame(() => true);
  const topics = listener.events.slice(0, 6).map(({ topic }) => topic);
  expect(topics).toEqual(['client', 'owner', 'robot', 'focus', 'play', 'data']);
  expect(listener.order.indexOf('frame')).toBeGreaterThanOrEqual(6);
  expect(listener.events.map(({ payload }) => payload)).toContainEqual({ session: null, by: null });
  listener.close();
});

test('clips copied in by hand are listed and reported by an event', async () => {
  const listener = await Listener.open(studio.address);
  const folder = path.join(studio.workspace, 'data/walker/steps');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'a.csv'), walkerClip(100));
  await listener.nextEvent('data', ({ reason }) => reason === 'counts');
  await expect
    .poll(async () => (await request(studio.address, 'GET /api/data/datasets')).body.datasets, {
      timeout: 30_000,
      interval: 20,
    })
    .toMatchObject([{ name: 'steps', source: 1, converted: 0, missing: 1 }]);
  writeFileSync(path.join(folder, 'b.csv'), walkerClip(50));
  await expect
    .poll(async () => (await request(studio.address, 'GET /api/data/clips', { dataset: 'steps' })).body.clips, {
      timeout: 30_000,
      interval: 20,
    })
    .toMatchObject([
      { name: 'a', frames: 100 },
      { name: 'b', frames: 50 },
    ]);
  renameSync(path.join(folder, 'a.csv'), path.join(studio.workspace, 'a.csv'));
  await expect
    .poll(async () => (await request(studio.address, 'GET /api/data/clips', { dataset: 'steps' })).body.total, {
      timeout: 30_000,
    })
    .toBe(1);
  listener.close();
});

test('a clip of another robot is listed with its error, and loading it changes nothing', async () => {
  const folder = path.join(studio.workspace, 'data/walker/steps');
  mkdirSync(folder, { recursive: true });
  copyFileSync(path.join(studio.workspace, 'data/humanoid/samples/squat.csv'), path.join(folder, 'foreign.csv'));
  await expect
    .poll(async () => {
      const { clips } = (await request(studio.address, 'GET /api/data/clips', { dataset: 'steps', q: 'foreign' })).body;
      return clips?.[0]?.error ?? '';
    })
    .toContain('28 columns');
  const busy = await finish(studio.address, 'POST /api/data/load', { dataset: 'steps', clip: 'foreign' });
  expect(busy).toMatchObject({ state: 'failed' });
  expect(busy.error).toContain('11 columns');
});

test('a robot copied in by hand is listed, with the reason if it does not compile', async () => {
  const listener = await Listener.open(studio.address);
  const folder = path.join(studio.workspace, 'robots/broken');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'walker.xml'), WALKER_MJCF.replace('type="box"', 'type="bix"'));
  writeFileSync(
    path.join(folder, 'robot.yaml'),
    'version: 1\nid: broken\nname: Broken\nmodel: walker.xml\nroot_height: 1\nwiring: {anchor: trunk, keybodies: [], feet: []}\njoints: {}\n',
  );
  await listener.nextEvent('robots', ({ id }) => id === 'broken', 2000);
  const entry = async () =>
    (await request(studio.address, 'GET /api/robots')).body.robots.find(({ id }) => id === 'broken')?.error ?? '';
  await expect.poll(entry, { timeout: 30_000 }).toContain('bix');
  const busy = await finish(studio.address, 'POST /api/robot/select', { name: 'broken' });
  expect(busy.state).toBe('failed');
  expect((await request(studio.address, 'GET /api/robot')).body.id).toBe('walker');
  writeFileSync(
    path.join(folder, 'robot.yaml'),
    'version: 1\nid: broken\nnmae: Broken\nname: Broken\nmodel: walker.xml\nroot_height: 1\nwiring: {anchor: trunk, keybodies: [], feet: []}\njoints: {}\n',
  );
  await expect.poll(entry, { timeout: 30_000 }).toMatch(/robot\.yaml:3: nmae/);
  listener.close();
});

test('robot events are sent at most ten times a second, however often options change', async () => {
  const listener = await Listener.open(studio.address);
  const start = performance.now();
  for (let k = 0; k < 60; k++)
    await request(studio.address, 'POST /api/robot/joint/options', { show_wiring: k % 2 === 0 });
  const seconds = (performance.now() - start) / 1e3;
  const told = listener.events.filter(
    ({ topic, payload }) => topic === 'robot' && 'reason' in payload && payload.reason === 'options',
  );
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(10 * seconds + 2);
  listener.close();
});

test('closing while a clip is being loaded leaves nothing open', async () => {
  const folder = path.join(studio.workspace, 'data/walker/steps');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'long.csv'), walkerClip(20_000));
  await expect
    .poll(
      async () => (await request(studio.address, 'GET /api/data/clips', { dataset: 'steps', q: 'long' })).body.total,
    )
    .toBe(1);
  const { body } = await request(studio.address, 'POST /api/data/load', { dataset: 'steps', clip: 'long' });
  await request(studio.address, 'POST /api/data/close');
  await expect
    .poll(async () =>
      (await request(studio.address, 'GET /api/busy')).body.recent.some(({ task }) => task === body.task),
    )
    .toBe(true);
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
  expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({ open: false, error: null });
});
