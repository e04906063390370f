import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TrainingLog } from '../../../src/jobs/detached/training-log.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-log-'));
});
afterAll(() => rm(folder, { recursive: true }));

const block = (iteration: number, total: number, reward: string) =>
  `${'#'.repeat(80)}\n\u001b[1m Learning iteration ${iteration}/${total} \u001b[0m\n\n` +
  `${'Mean reward:'.padStart(40)} ${reward}\n${'Mean episode length:'.padStart(40)} 87.50\n${'-'.repeat(80)}\n`;

test("progress is read from rsl_rl's console, and a resumed training counts from its first iteration", async () => {
  const file = path.join(folder, 'resumed.log');
  await writeFile(file, '[INFO] Logging experiment in directory: /logs/rsl_rl/wbc_g1/2026-01-01_größe\nloading…\n');
  const log = new TrainingLog(file);
  expect(await log.read()).toBeNull();
  expect([...log.folders]).toEqual(['/logs/rsl_rl/wbc_g1/2026-01-01_größe']);
  await appendFile(file, block(500, 700, '1.25'));
  expect(await log.read()).toEqual({ step: 1, steps: 200 });
  expect(log.figures).toEqual({ meanReward: 1.25, meanEpisodeLength: 87.5 });
  const next = block(501, 700, 'nan');
  await appendFile(file, next.slice(0, 95));
  expect(await log.read()).toMatchObject({ step: 1 });
  await appendFile(file, next.slice(95));
  expect(await log.read()).toMatchObject({ step: 2 });
  expect(log.figures.meanReward).toBeNaN();
});

test('a log without line ends does not fill the memory, and later lines are read', async () => {
  const file = path.join(folder, 'wide.log');
  await writeFile(file, `${'x'.repeat(3 << 20)}\n${block(0, 10, '0.5')}`);
  const log = new TrainingLog(file);
  expect(await log.read()).toEqual({ step: 1, steps: 10 });
  expect(log.figures.meanReward).toBe(0.5);
});

test('only the beginning and the end of a large unread log are read', async () => {
  const file = path.join(folder, 'large.log');
  const head = '[INFO] Logging experiment in directory: /logs/rsl_rl/a/b\n';
  const blocks = Array.from({ length: 60_000 }, (_, k) => block(100 + k, 80_100, '0.5'));
  blocks[30_000] += '[INFO] Logging experiment in directory: /nobody/looks/here\n';
  await writeFile(file, head + blocks.join(''));
  const log = new TrainingLog(file);
  expect(await log.read()).toEqual({ step: 60_000, steps: 80_000 });
  expect([...log.folders]).toEqual(['/logs/rsl_rl/a/b']);
  await appendFile(file, block(60_100, 80_100, '0.25'));
  expect(await log.read()).toMatchObject({ step: 60_001 });
  expect(log.figures.meanReward).toBe(0.25);
});

test('a large log whose first iteration comes late counts from that iteration', async () => {
  const file = path.join(folder, 'late.log');
  const blocks = Array.from({ length: 50_000 }, (_, k) => block(100 + k, 80_100, '0.5'));
  await writeFile(file, `${'a warning of the simulator\n'.repeat(100_000)}${blocks.join('')}`);
  const log = new TrainingLog(file);
  expect(await log.read()).toEqual({ step: 50_000, steps: 80_000 });
});

test('a log that was emptied is read from its new beginning', async () => {
  const file = path.join(folder, 'emptied.log');
  await writeFile(file, block(100, 200, '0.5') + block(101, 200, '0.5'));
  const log = new TrainingLog(file);
  expect(await log.read()).toEqual({ step: 2, steps: 100 });
  await writeFile(file, block(102, 200, '0.25'));
  expect(await log.read()).toEqual({ step: 3, steps: 100 });
  expect(log.figures.meanReward).toBe(0.25);
});
