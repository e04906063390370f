import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRunIdentities, readRunIdentity } from '../../../src/runs/params/read-identity.ts';
import { RunFacts } from '../../../src/runs/store/run-facts.ts';
import { scanRuns } from '../../../src/runs/store/scan-run.ts';

/** More than are read before a listing is answered. */
const MANY = 200;

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'facts-'));
  root = path.join(folder, 'runs');
});
afterEach(() => rmSync(folder, { recursive: true }));

const fileOf = (k: number) => path.join(root, `exp/run_${k}/params/task.yaml`);

function writeRun(k: number, text = `task: Wbc-Walker\nrobot: robot_${k}\njoint_names:\n  - hip\n  - knee\n`): void {
  mkdirSync(path.dirname(fileOf(k)), { recursive: true });
  writeFileSync(fileOf(k), text);
}

/** Facts of a service that starts now, and what it reads. */
function start() {
  const read: string[] = [];
  const problems: string[] = [];
  let report = () => {};
  const facts = new RunFacts({
    reader: {
      async identity(run) {
        read.push(`whole ${path.basename(run)}`);
        return readRunIdentity(run);
      },
      async quick(runs) {
        read.push(...runs.map((run) => `quick ${path.basename(run)}`));
        return readRunIdentities(runs, false);
      },
      async whole(runs) {
        read.push(...runs.map((run) => `whole ${path.basename(run)}`));
        return readRunIdentities(runs, true);
      },
    },
    index: path.join(folder, 'cache/runs.index'),
    onFacts: () => {},
    onRead: () => report(),
    onError: (message) => problems.push(message),
  });
  const list = async () => {
    const runs = scanRuns(root);
    await facts.read(runs, true);
    return new Map(runs.map((run) => [run.run, facts.newest(run)]));
  };
  const background = () => new Promise<void>((resolve) => (report = resolve));
  return { facts, list, read, problems, background };
}

test('after a restart no run is read again, except those that changed', async () => {
  for (let k = 0; k < MANY; k++) writeRun(k);
  const first = start();
  const ready = first.background();
  const before = await first.list();
  expect(before.get('run_7')).toMatchObject({ task: 'Wbc-Walker', robot: 'robot_7', jointNames: ['hip', 'knee'] });
  await ready;
  expect(first.read.filter((what) => what.startsWith('whole'))).toHaveLength(MANY);
  await first.facts.close();

  const second = start();
  writeRun(7, 'robot: another\n');
  rmSync(path.join(root, 'exp/run_8'), { recursive: true });
  const after = await second.list();
  expect(second.read).toEqual(['whole run_7']);
  expect(after.get('run_7')).toMatchObject({ robot: 'another', jointNames: null });
  expect(after.size).toBe(MANY - 1);
  expect(after.get('run_9')).toEqual(before.get('run_9'));
  await second.facts.close();
  expect([...first.problems, ...second.problems]).toEqual([]);
});

test('many unread runs are listed from parts of their files; damage elsewhere is found later', async () => {
  for (let k = 0; k < MANY; k++) writeRun(k);
  writeRun(3, 'robot: robot_3\nconfig:\n  a: [1,\nseed: 1\n');
  const { facts, list, background, read } = start();
  const ready = background();
  expect((await list()).get('run_3')).toMatchObject({ robot: 'robot_3', error: null });
  await ready;
  const now = await list();
  expect(now.get('run_3')).toMatchObject({ robot: null, error: expect.stringMatching(/^params\/task\.yaml:\d+: /) });
  expect(now.get('run_4')).toMatchObject({ robot: 'robot_4', error: null });
  expect(read).toHaveLength(2 * MANY);
  await facts.close();
});

test('a service that stops early reads the rest of each file after the restart, not its parts again', async () => {
  for (let k = 0; k < MANY; k++) writeRun(k);
  const first = start();
  await first.list();
  await first.facts.close();
  const second = start();
  const ready = second.background();
  expect((await second.list()).get('run_3')).toMatchObject({ robot: 'robot_3', error: null });
  await ready;
  expect(second.read.filter((what) => what.startsWith('quick'))).toEqual([]);
  expect(second.read.length).toBeGreaterThan(0);
  await second.facts.close();
});

test('a service that is killed after reading many runs does not read parts of them again', async () => {
  for (let k = 0; k < MANY; k++) writeRun(k);
  const killed = start();
  const ready = killed.background();
  await killed.list();
  await ready; // and never closed

  const second = start();
  await second.list();
  expect(second.read.filter((what) => what.startsWith('quick'))).toEqual([]);
  await second.facts.close();
  await killed.facts.close();
  expect([...killed.problems, ...second.problems]).toEqual([]);
});

test('a damaged index is reported and discarded', async () => {
  const index = path.join(folder, 'cache/runs.index');
  writeRun(0);
  const first = start();
  await first.list();
  await first.facts.close();
  const whole = readFileSync(index);
  const spoiled = Buffer.from(whole);
  spoiled[whole.indexOf('robot_0')] = 0x58;
  for (const content of [spoiled, whole.subarray(0, -1), Buffer.from('{}'), Buffer.alloc(100_000)]) {
    writeFileSync(index, content);
    const { facts, list, read, problems } = start();
    expect((await list()).get('run_0')).toMatchObject({ robot: 'robot_0' });
    expect(read).toEqual(['whole run_0']);
    expect(problems).toEqual([
      expect.stringMatching(/^the index of the runs is not used: .*; all runs are read again$/),
    ]);
    await facts.close();
    expect(readFileSync(index).equals(whole)).toBe(true);
  }
});
