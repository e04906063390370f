import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StudioError } from '../../../src/core/errors.ts';
import {
  createAtomic,
  createFolderAtomic,
  fileError,
  heldError,
  hideFolder,
  isTemp,
  sweepTemps,
  writeAtomic,
  writeAtomicSync,
} from '../../../src/core/files/atomic-file.ts';
import { threadEntry } from '../../../src/workers/thread-entry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'atomic-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a write replaces the whole content and leaves nothing beside it', async () => {
  const target = path.join(folder, 'state.json');
  await writeAtomic(target, 'a longer first text');
  writeAtomicSync(target, 'second');
  expect(readFileSync(target, 'utf8')).toBe('second');
  await writeAtomic(target, new Uint8Array([0xff, 0x00]));
  expect([...readFileSync(target)]).toEqual([0xff, 0x00]);
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('threads that write into one folder at the same moment do not get in each other’s way', async () => {
  const [threads, files] = [6, 150];
  const start = new Int32Array(new SharedArrayBuffer(4));
  const { url, execArgv } = threadEntry('atomic-writer', import.meta.url);
  const workers = Array.from({ length: threads }, (_, k) => {
    const workerData = { folder, name: `thread-${k}`, files, start };
    return new Worker(url, { execArgv, workerData });
  });
  const ends = Promise.all(workers.map((worker) => once(worker, 'exit')));
  await Promise.all(workers.map((worker) => once(worker, 'online')));
  Atomics.store(start, 0, 1);
  Atomics.notify(start, 0);
  expect(await ends).toEqual(Array(threads).fill([0]));
  expect(readdirSync(folder)).toHaveLength(threads * files);
});

test('an unfinished file is invisible, and a discarded one leaves no trace', async () => {
  const file = await createAtomic(path.join(folder, 'clip.csv'));
  await file.write(Buffer.from('1,2'));
  expect(readdirSync(folder).every(isTemp)).toBe(true);
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
  await expect(file.write(Buffer.from('x'))).rejects.toThrow('after its end');
});

test('discarding after the commit keeps the file', async () => {
  const file = await createAtomic(path.join(folder, 'clip.csv'));
  await file.write(Buffer.from('1,'));
  await file.write(Buffer.from('2'));
  await file.commit();
  await file.discard();
  expect(readFileSync(file.target, 'utf8')).toBe('1,2');
});

test('a folder in place of the file makes the write fail, and no temporary file is left', async () => {
  mkdirSync(path.join(folder, 'state.json', 'x'), { recursive: true });
  await expect(writeAtomic(path.join(folder, 'state.json'), 'x')).rejects.toThrow();
  expect(() => writeAtomicSync(path.join(folder, 'state.json'), 'x')).toThrow();
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('a full disk is reported as such; other errors are passed on', () => {
  expect(fileError(Object.assign(new Error('x'), { code: 'ENOSPC' }))).toMatchObject({ code: 'disk_full' });
  const other = Object.assign(new Error('x'), { code: 'EACCES' });
  expect(fileError(other)).toBe(other);
});

test('a folder without write permission is reported as bad input', async () => {
  const why = (code: string) => heldError(Object.assign(new Error('x'), { code }), '/runs/one');
  expect(why('EROFS')).toMatchObject({
    code: 'bad_input',
    message: 'the folder one cannot be deleted or renamed: its disk is read-only',
  });
  expect(why('EACCES')).toMatchObject({ code: 'bad_input', message: expect.stringContaining('permissions') });
  expect(why('ENOSPC')).toMatchObject({ code: 'disk_full' });
  expect(why('EIO')).toMatchObject({ code: 'EIO' });
  await expect(hideFolder(path.join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
  // The kernel refuses this for every user, including root.
  if (process.platform === 'linux') await expect(hideFolder('/proc')).rejects.toMatchObject({ code: 'bad_input' });
});

test('the sweep removes unfinished files at any depth, follows no link and removes nothing else', async () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
  const temp = '.7-1-abc.studio-tmp';
  mkdirSync(path.join(folder, 'a/b'), { recursive: true });
  for (const place of [folder, path.join(folder, 'a/b'), outside]) writeFileSync(path.join(place, temp), '');
  mkdirSync(path.join(folder, '.7-2-abc.studio-tmp/half'), { recursive: true });
  writeFileSync(path.join(folder, 'a/notes.studio-tmp'), '');
  symlinkSync(outside, path.join(folder, 'link'));
  expect(await sweepTemps(folder)).toBe(0); // the unfinished files are younger than this process
  const later = Date.now() + 60_000;
  expect(await sweepTemps(folder, later)).toBe(3);
  expect(readdirSync(outside)).toEqual([temp]);
  expect(readdirSync(path.join(folder, 'a'))).toEqual(['b', 'notes.studio-tmp']);
  expect(readdirSync(folder)).toEqual(['a', 'link']);
  expect(await sweepTemps(path.join(folder, 'missing'), later)).toBe(0);
  rmSync(outside, { recursive: true });
});

test('a folder becomes visible only when complete', async () => {
  const target = path.join(folder, 'samples');
  await createFolderAtomic(target, async (inside) => {
    await writeAtomic(path.join(inside, 'a.csv'), '1');
    expect(readdirSync(folder).every(isTemp)).toBe(true);
  });
  expect(readdirSync(target)).toEqual(['a.csv']);
  await expect(
    createFolderAtomic(path.join(folder, 'other'), async () => {
      throw new Error('half-way');
    }),
  ).rejects.toThrow('half-way');
  expect(readdirSync(folder)).toEqual(['samples']);
});

test.each([0, 0o022, 0o777])(
  'a private file is accessible only to its owner, whatever the umask (%o), also after a rewrite',
  async (mask) => {
    const target = path.join(folder, 'keys');
    writeFileSync(target, 'old', { mode: 0o644 });
    const before = process.umask(mask);
    try {
      await writeAtomic(target, 'new', 0o600);
    } finally {
      process.umask(before);
    }
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readFileSync(target, 'utf8')).toBe('new');
  },
);

test.skipIf(
  spawnSync('sh', ['-c', 'test "$(id -u)" = 0 && mount -t tmpfs -o size=64k none /mnt && umount /mnt']).status !== 0,
)('on a full disk the old content stays and no temporary file is left', async () => {
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder]).status).toBe(0);
  try {
    const target = path.join(folder, 'record.json');
    await writeAtomic(target, 'old');
    const big = Buffer.alloc(1 << 20);
    await expect(writeAtomic(target, big)).rejects.toThrow(StudioError);
    expect(() => writeAtomicSync(target, big)).toThrow('no space left');
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['record.json']);
  } finally {
    spawnSync('umount', [folder]);
  }
});
