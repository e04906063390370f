import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();

test('uploads of robots are listed while a conversion holds the only thread of the pool', async () => {
  const { workspace } = studio;
  addWalker(workspace);
  writeFileSync(path.join(workspace, 'studio.yaml'), 'pool: {threads: 1}\n');
  mkdirSync(path.join(workspace, 'data/walker/long'), { recursive: true });
  writeFileSync(path.join(workspace, 'data/walker/long/walk.csv'), walkerClip(150_000));
  const address = await studio.start();
  await finish(address, 'POST /api/robot/select', { name: 'walker' });
  await fetch(`${address}/api/robots/import/upload/one/walker.xml`, { method: 'PUT', body: '<mujoco/>' });
  const listener = await Listener.open(address);
  const { job } = (await request(address, 'POST /api/data/convert', { dataset: 'long' })).body;
  const isJob = (status: string) => (payload: object) =>
    'jobs' in payload &&
    (payload.jobs as { name: string; status: string }[]).some((one) => one.name === job && one.status === status);
  await listener.nextEvent('jobs', isJob('running'));
  const state = await request(address, 'GET /api/robots/import');
  const files = await fetch(`${address}/api/robots/import/files?id=one`);
  const { status } = (await request(address, 'GET /api/jobs', {})).body.jobs.find(({ name }) => name === job)!;
  expect(state.body.unfinished).toMatchObject([{ id: 'one', files: 1, bytes: 9 }]);
  expect(files.status).toBe(200);
  expect(status).toBe('running');
  await listener.nextEvent('jobs', isJob('done'));
  listener.close();
});
