import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { finish, request } from '../support/client.ts';
import { configure, convertAll } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();

const RUN = 'small/zero';

beforeAll(async () => {
  addWalker(studio.workspace);
  const walks = path.join(studio.workspace, 'data/walker/walks');
  mkdirSync(walks, { recursive: true });
  for (const clip of ['one', 'two']) writeFileSync(path.join(walks, `${clip}.csv`), walkerClip(40));
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), (await preparedHumanoid()).facts.joints.length, RUN);
  await studio.start();
});

async function remove(where: string): Promise<[status: number, detail: string | undefined]> {
  const response = await fetch(`${studio.address}${where}`, { method: 'DELETE' });
  return [response.status, ((await response.json()) as { detail?: string }).detail];
}

const USED_BY_SESSION = 'Stop it first (POST /api/play/stop).';
const USED_BY_PREVIEW = 'Close it first (POST /api/data/close).';

test('files of the play session cannot be deleted until it is stopped', async () => {
  await convertAll(studio.address, 'samples');
  await configure(studio.address, { run: RUN, checkpoint: '', motion: 'data/humanoid/samples' });
  expect(await remove(`/api/runs?run=${RUN}`)).toEqual([
    409,
    `the play session uses the run "${RUN}". ${USED_BY_SESSION}`,
  ]);
  expect(await remove('/api/data/datasets/samples')).toEqual([
    409,
    `the play session uses the dataset "samples". ${USED_BY_SESSION}`,
  ]);
  expect(await remove('/api/data/datasets/samples/clips/squat')).toEqual([
    409,
    `the play session uses the clip "squat" of the dataset "samples". ${USED_BY_SESSION}`,
  ]);
  expect(existsSync(path.join(studio.workspace, 'data/humanoid/samples/npz/squat.npz'))).toBe(true);
  await request(studio.address, 'POST /api/play/stop');
  expect(await remove('/api/data/datasets/samples/clips/squat')).toEqual([200, undefined]);
  expect(await remove(`/api/runs?run=${RUN}`)).toEqual([200, undefined]);
});

test('the clip of the open preview cannot be deleted until it is closed; other clips can', async () => {
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
  const load = await finish(studio.address, 'POST /api/data/load', { dataset: 'walks', clip: 'one' });
  expect(load).toMatchObject({ state: 'done' });
  expect(await remove('/api/robots/walker')).toEqual([
    409,
    `the open preview shows the robot "walker". ${USED_BY_PREVIEW}`,
  ]);
  expect(await remove('/api/data/datasets/walks')).toEqual([
    409,
    `the open preview shows the dataset "walks". ${USED_BY_PREVIEW}`,
  ]);
  expect(await remove('/api/data/datasets/walks/clips/one')).toEqual([
    409,
    `the open preview shows the clip "one" of the dataset "walks". ${USED_BY_PREVIEW}`,
  ]);
  expect(await remove('/api/data/datasets/walks/clips/two')).toEqual([200, undefined]);
  expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({ open: true, clip: 'one' });
  await request(studio.address, 'POST /api/data/close');
  expect(await remove('/api/data/datasets/walks/clips/one')).toEqual([200, undefined]);
  expect(await remove('/api/data/datasets/walks')).toEqual([200, undefined]);
  expect(await remove('/api/robots/walker')).toEqual([200, undefined]);
  expect((await request(studio.address, 'GET /api/robots')).body.selected).toBe('humanoid');
});
