import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openRegularFile,
  openRegularFileSync,
  readRegularFile,
  readRegularFileSync,
} from '../../../src/core/files/read-regular-file.ts';

let folder: string;
const at = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'regular-file-'));
  writeFileSync(at('small'), 'text');
  writeFileSync(at('empty'), '');
  writeFileSync(at('huge'), '');
  truncateSync(at('huge'), 2 ** 40);
  mkdirSync(at('folder'));
  symlinkSync(at('small'), at('link'));
  symlinkSync('/dev/zero', at('zeros'));
  symlinkSync(at('nowhere'), at('dangling'));
  execFileSync('mkfifo', [at('pipe')]);
});
afterEach(() => rmSync(folder, { recursive: true }));

const readers = [
  ['read', readRegularFile],
  ['readSync', async (...args: Parameters<typeof readRegularFileSync>) => readRegularFileSync(...args)],
] as const;

describe.each(readers)('%s', (_, read) => {
  test('a file within the limit is read completely', async () => {
    expect((await read(at('small'), 4)).toString()).toBe('text');
    expect((await read(at('empty'), 4)).length).toBe(0);
  });

  test.each([
    ['small', 3, 'is 4 bytes large, the limit is 3'],
    ['huge', 1 << 20, 'is 1099511627776 bytes large'],
    ['folder', 10, 'is a folder, expected a regular file'],
    ['link', 10, 'is a link'],
    ['zeros', 10, 'is a link'],
    ['pipe', 10, 'is a pipe'],
  ])('%s is refused at once', async (name, limit, message) => {
    await expect(read(at(name), limit)).rejects.toThrow(message);
  });

  test('links are followed only on request, and only to regular files', async () => {
    expect((await read(at('link'), 10, { followLinks: true })).toString()).toBe('text');
    await expect(read(at('zeros'), 10, { followLinks: true })).rejects.toThrow('is a device');
    await expect(read(at('dangling'), 10, { followLinks: true })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a missing file gives the error of the system', async () => {
    await expect(read(at('nowhere'), 10)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('appending creates the file, but never through a link', async () => {
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY;
  closeSync(openRegularFileSync(at('new'), {}, flags));
  await (await openRegularFile(at('newer'), {}, flags)).close();
  expect(readRegularFileSync(at('new'), 10).length).toBe(0);
  for (const name of ['link', 'dangling', 'pipe']) {
    expect(() => openRegularFileSync(at(name), {}, flags)).toThrow('expected a regular file');
    await expect(openRegularFile(at(name), {}, flags)).rejects.toThrow('expected a regular file');
  }
  expect(() => readRegularFileSync(at('nowhere'), 10)).toThrow('ENOENT');
});
