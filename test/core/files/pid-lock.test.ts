import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lutimesSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Holder, LockedError, startOf, takeLock } from '../../../src/core/files/pid-lock.ts';

const MODULE = new URL('../../../src/core/files/pid-lock.ts', import.meta.url).href;
let folder: string;
let file: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
  file = path.join(folder, 'lock');
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that tries to take the lock. @returns its output: the error, or `held`; after `held` the process
 *  keeps running */
async function contender(): Promise<{ child: ChildProcess; says: string }> {
  const script = `const { takeLock } = await import(${JSON.stringify(MODULE)});
    try { await takeLock(${JSON.stringify(file)}); console.log('held'); setInterval(() => {}, 1e6); }
    catch (error) { console.log(error.message); }`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, says: chunk.toString().trim() };
}

test('only one process has a lock, and another can take it after its release', async () => {
  const first = await takeLock(file);
  await expect(takeLock(file)).rejects.toThrow(LockedError);
  first.release();
  first.release();
  expect(readdirSync(folder)).toEqual([]);
  (await takeLock(file)).release();
});

test('a second process gets the process id of the first', async () => {
  const lock = await takeLock(file);
  expect((await contender()).says).toBe(`in use by process ${process.pid}`);
  lock.release();
});

test('exactly one of many processes takes over the lock of a killed one', async () => {
  const holder = await contender();
  expect(holder.says).toBe('held');
  holder.child.kill('SIGKILL');
  await once(holder.child, 'exit');
  const said = await Promise.all(Array.from({ length: 6 }, contender));
  expect(said.filter(({ says }) => says === 'held')).toHaveLength(1);
  expect(said.filter(({ says }) => says.startsWith('in use by process'))).toHaveLength(5);
  expect(readdirSync(folder)).toEqual(['lock']);
});

const record = (change: Partial<Holder>) => {
  writeFileSync(file, JSON.stringify({ ...mine, ...change }));
};
let mine: Holder;
beforeEach(async () => {
  const lock = await takeLock(file);
  mine = JSON.parse(readFileSync(file, 'utf8')) as Holder;
  lock.release();
});

test.runIf(existsSync('/proc/self/stat')).each<[string, Partial<Holder>]>([
  ['a process id used again by a later process', { start: '1' }],
  ['another boot of the machine', { boot: 'before' }],
])('a lock of %s is taken over', async (_name, change) => {
  record(change);
  (await takeLock(file)).release();
});

test('a holder on another machine is treated as alive until it has been silent for 15 s', async () => {
  record({ place: 'elsewhere', host: 'elsewhere', pid: 7 });
  await expect(takeLock(file)).rejects.toThrow(/^in use by process 7 on elsewhere \(last sign of life \d+ s ago\)$/);
  const before = Date.now() / 1000 - 16;
  utimesSync(file, before, before);
  (await takeLock(file)).release();
});

test('a takeover that was killed half-way does not block the next', async () => {
  record({ boot: 'before' });
  writeFileSync(`${file}.steal`, JSON.stringify({ ...mine, boot: 'before' }));
  (await takeLock(file)).release();
  expect(readdirSync(folder)).toEqual([]);
});

test('the release does not remove a lock of another process', async () => {
  const lock = await takeLock(file);
  rmSync(file);
  record({ place: 'elsewhere' });
  lock.release();
  expect(existsSync(file)).toBe(true);
});

test.runIf(existsSync('/proc/self/stat'))('a zombie process is not treated as alive', async () => {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(parent);
  const [chunk] = (await once(parent.stdout!, 'data')) as [Buffer];
  const zombie = Number(chunk.toString());
  // A shell may reap its child. `sleep` replaces the shell and never reaps children.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
  process.kill(zombie, 'SIGKILL');
  await expect.poll(() => /\) Z /.test(readFileSync(`/proc/${zombie}/stat`, 'utf8'))).toBe(true);
  expect(startOf(zombie)).toBeNull();
  expect(startOf(parent.pid!)).toMatch(/^\d+$/);
});

test.each([
  ['a process group instead of a process id', () => record({ pid: -1, start: null })],
  ['no process id', () => record({ pid: 0, start: null })],
  ['a record that is too large', () => writeFileSync(file, JSON.stringify({ ...mine, more: 'x'.repeat(5000) }))],
  ['a pipe', () => execFileSync('mkfifo', [file])],
  ['a link to a device', () => symlinkSync('/dev/zero', file)],
])('a lock file with %s has no owner, and is taken over once it has been silent', async (_, plant) => {
  plant();
  await expect(takeLock(file)).rejects.toThrow('another program has just written');
  lutimesSync(file, 1, 1);
  (await takeLock(file)).release();
});
