import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { configure, convertAll } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { memoryMib } from '../support/service-process.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const RUN = 'small/zero';

beforeAll(async () => {
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), (await preparedHumanoid()).facts.joints.length, RUN);
  await studio.start();
  await convertAll(studio.address, 'samples');
}, 60_000);

/** Threads end, and the kernel reclaims their memory, some time after the response. */
const SOON = { timeout: 30_000, interval: 100 };
const rssMb = () => memoryMib(studio.service, 'VmRSS');
const round = async (envs: number) => {
  await configure(studio.address, { run: RUN, num_envs: envs });
  await request(studio.address, 'POST /api/play/stop');
};

test.skipIf(process.platform !== 'linux')(
  'ten sessions keep no more memory than the first, and the memory of 4096 environments is released',
  async () => {
    await round(32);
    const first = rssMb();
    for (let k = 0; k < 9; k += 1) await round(32);
    await expect.poll(rssMb, SOON).toBeLessThan(1.2 * first);
    await configure(studio.address, { run: RUN, num_envs: 4096 });
    expect((await request(studio.address, 'GET /api/play')).body.session).toMatchObject({
      num_envs: 4096,
      capacity: 4096,
    });
    await request(studio.address, 'POST /api/play/stop');
    await expect.poll(rssMb, SOON).toBeLessThan(1.2 * first);
  },
  180_000,
);
