import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { Listener } from '../support/client.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';
import { call, memoryMib } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

const ROBOTS = 12;
const EVERY_MS = 100;
const SWITCHES = 200;
const MAX_GROWTH_MB = 200;

beforeEach(() => {
  for (let k = 0; k < ROBOTS; k++) {
    const id = `walker-${k}`;
    const folder = path.join(studio.workspace, 'robots', id);
    mkdirSync(folder, { recursive: true });
    // Each robot is a different model: its trunk has another mass.
    writeFileSync(path.join(folder, 'walker.xml'), WALKER_MJCF.replace('mass="10"', `mass="${10 + k}"`));
    writeFileSync(path.join(folder, 'robot.yaml'), formatYaml(walkerSpec({ id, name: id })));
  }
});

const rssMb = () => memoryMib(studio.service, 'VmRSS');

interface Listed {
  readonly selected: string;
  readonly robots: readonly { readonly model: object | null; readonly error: string | null }[];
}

test.skipIf(process.platform !== 'linux')(
  'selecting another robot every 100 ms ends with the last one, without memory growth',
  { timeout: 300_000 },
  async () => {
    const address = await studio.start();
    const listed = () => call<Listed>(address, '/api/robots');
    await expect
      .poll(async () => (await listed()).robots.filter(({ model }) => model).length, {
        timeout: 200_000,
        interval: 500,
      })
      .toBe(ROBOTS + 1);
    const select = (k: number) =>
      fetch(`${address}/api/robot/select`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `walker-${k % ROBOTS}` }),
      });
    const listener = await Listener.open(address);
    await select(0);
    await listener.nextEvent('robot', ({ id }) => id === 'walker-0');
    const before = rssMb();
    for (let k = 1; k < SWITCHES; k++) {
      expect((await select(k)).status).toBe(200);
      await sleep(EVERY_MS);
    }
    await call(address, '/api/robot/select', { name: 'walker-7' });
    expect((await listed()).selected).toBe('walker-7');
    const { version } = await call<{ version: number }>(address, '/api/robot/model');
    await listener.nextFrame(({ header }) => header.owner === 'robots' && header.model_version === version);
    expect(
      listener.events.filter(
        ({ topic, payload }) => topic === 'log' && 'level' in payload && payload.level === 'error',
      ),
    ).toEqual([]);
    expect(rssMb() - before).toBeLessThan(MAX_GROWTH_MB);
    listener.close();
  },
);
