import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { configure, convertAll } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { type ServiceProcess, spawnService } from '../support/service-process.ts';
import { addSmallRun } from '../support/small-run.ts';
import { newWorkspace } from '../support/workspace.ts';

const RUN = 'small/zero';
let workspace: string;
let service: ServiceProcess;
let address: string;

beforeAll(async () => {
  workspace = newWorkspace();
  addSmallRun(path.join(workspace, 'logs/rsl_rl'), (await preparedHumanoid()).facts.joints.length, RUN);
  service = spawnService(['--workspace', workspace]);
  address = await service.ready;
  await convertAll(address, 'samples');
}, 60_000);
afterAll(async () => {
  service.child.kill('SIGTERM');
  await service.exit;
  rmSync(workspace, { recursive: true });
});

const rssMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))![1]) / 1024;
const round = async (envs: number) => {
  await configure(address, { run: RUN, num_envs: envs });
  await sleep(500);
  await request(address, 'POST /api/play/stop');
  await sleep(500);
};

test.skipIf(process.platform !== 'linux')(
  'ten sessions leave no more memory than the first, and 4096 environments are given back',
  async () => {
    await round(32);
    const first = rssMb();
    for (let k = 0; k < 9; k += 1) await round(32);
    expect(rssMb()).toBeLessThan(1.2 * first);
    await configure(address, { run: RUN, num_envs: 4096 });
    expect((await request(address, 'GET /api/play')).body.session).toMatchObject({ num_envs: 4096, capacity: 4096 });
    await request(address, 'POST /api/play/stop');
    await sleep(1000);
    expect(rssMb()).toBeLessThan(1.2 * first);
  },
  180_000,
);
