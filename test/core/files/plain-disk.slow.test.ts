import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeAtomic, writeAtomicSync } from '../../../src/core/files/atomic-file.ts';
import { linkOrCopy } from '../../../src/core/files/link-or-copy.ts';
import { type Holder, LockedError, takeLock } from '../../../src/core/files/pid-lock.ts';

// A slow test, because only those run in processes of their own: replaced modules would not reach files that share one.
/** The answers of exFAT and of shared folders of virtual machines. */
const refuse = (code: string) => {
  throw Object.assign(new Error(code), { code });
};
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    linkSync: () => refuse('EPERM'),
    fsyncSync: (fd: number) => (real.fstatSync(fd).isDirectory() ? refuse('EINVAL') : real.fsyncSync(fd)),
  };
});
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    link: async () => refuse('EPERM'),
    open: async (...args: Parameters<typeof real.open>) => {
      const handle = await real.open(...args);
      if ((await handle.stat()).isDirectory()) handle.sync = async () => refuse('EINVAL');
      return handle;
    },
  };
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plain-'));
  file = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('without hard links a lock is held once, and free after its release', async () => {
  const lock = await takeLock(file);
  expect(lock.isHeld()).toBe(true);
  await expect(takeLock(file)).rejects.toThrow(`in use by process ${process.pid}`);
  expect(readdirSync(folder)).toEqual(['lock']);
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('without hard links the lock of a dead process is taken over', async () => {
  const first = await takeLock(file);
  const record = JSON.parse(readFileSync(file, 'utf8')) as Holder;
  first.release();
  writeFileSync(file, JSON.stringify({ ...record, boot: 'before' }));
  const lock = await takeLock(file);
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(record);
  lock.release();
});

test('a lock without content yet, of a process that is writing it, is not taken over', async () => {
  writeFileSync(file, '');
  await expect(takeLock(file)).rejects.toThrow(LockedError);
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('without hard links a second path of a file is a copy, and never replaces another file', async () => {
  writeFileSync(file, 'content');
  const second = path.join(folder, 'second');
  await linkOrCopy(file, second);
  expect(readFileSync(second, 'utf8')).toBe('content');
  expect(statSync(second).ino).not.toBe(statSync(file).ino);
  await expect(linkOrCopy(file, second)).rejects.toMatchObject({ code: 'EEXIST' });
});

test('files are written on a disk that cannot sync folders', async () => {
  await writeAtomic(file, 'one');
  writeAtomicSync(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
});
