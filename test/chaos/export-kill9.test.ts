import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, watch } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { finish, request } from '../support/client.ts';
import { cannotMount } from '../support/full-disk.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

const RUN = 'small/zero';
let mounted: string | null = null;

afterEach(async () => {
  await studio.stop('SIGKILL');
  if (mounted !== null) spawnSync('umount', [mounted]);
  mounted = null;
});

/** Starts a service with a run and a clip. @returns the folder of the run's exports */
async function start(): Promise<string> {
  const runs = path.join(studio.workspace, 'logs/rsl_rl');
  const folder = addSmallRun(runs, (await preparedHumanoid()).facts.joints.length, RUN, { action: 0.1 });
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  const exports = path.join(folder, 'exports');
  mkdirSync(exports);
  return exports;
}
const asked = { run: RUN, format: 'unitree', clip: 'squat', selftest_s: null } as const;
const list = async () => (await request(studio.address, 'GET /api/exports')).body.exports;

test('an export that is killed half-way is not listed; the next export removes its files and is complete', async () => {
  const exports = await start();
  const begun = new Promise<void>((resolve) => {
    const watcher = watch(exports, () => {
      watcher.close();
      resolve();
    });
  });
  expect((await request(studio.address, 'POST /api/export', asked)).status).toBe(200);
  await begun;
  await studio.stop('SIGKILL');
  expect(readdirSync(exports)).toEqual([expect.stringMatching(/^\./)]);

  await studio.start();
  expect(await list()).toEqual([]);
  expect(await finish(studio.address, 'POST /api/export', { ...asked, selftest_s: 0.1 })).toMatchObject({
    state: 'done',
  });
  expect(await list()).toMatchObject([{ name: 'squat-unitree', selftest: { ok: true } }]);
  expect(readdirSync(exports)).toEqual(['squat-unitree']);
}, 120_000);

test.skipIf(cannotMount)(
  'an export to a full disk fails with one sentence, and nothing is listed',
  async () => {
    const exports = await start();
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'none', exports]).status).toBe(0);
    mounted = exports;
    const task = await finish(studio.address, 'POST /api/export', asked);
    expect(task).toMatchObject({ state: 'failed', error: expect.stringMatching(/disk|space/) });
    expect([await list(), readdirSync(exports)]).toEqual([[], []]);
    expect((await request(studio.address, 'GET /healthz')).status).toBe(200);
  },
  120_000,
);
