import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeFolders, makeFoldersSync } from '../../../src/core/files/make-folders.ts';

let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'make-folders-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.each([
  ['makeFolders', makeFolders],
  ['makeFoldersSync', async (...args: Parameters<typeof makeFoldersSync>) => makeFoldersSync(...args)],
] as const)('%s', (_, make) => {
  test('creates missing folders up to the given number of levels', async () => {
    await make(at('a', 'b', 'c'), 3);
    await make(at('a', 'b', 'c'), 1);
    await make(at('a', 'd'), 5);
    expect([at('a', 'b', 'c'), at('a', 'd')].map((made) => statSync(made).isDirectory())).toEqual([true, true]);
  });

  test('creates nothing if more levels are missing', async () => {
    await expect(make(at('gone', 'b', 'c'), 2)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(existsSync(at('gone'))).toBe(false);
    await expect(make('/proc/none/such', Number.POSITIVE_INFINITY)).rejects.toThrow('/proc');
  });

  test('a file or dangling link in the way is an error', async () => {
    writeFileSync(at('file'), '');
    symlinkSync(at('nowhere'), at('link'));
    await expect(make(at('file'), 1)).rejects.toMatchObject({ code: 'ENOTDIR', path: at('file') });
    await expect(make(at('file', 'b'), 2)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(make(at('link'), 1)).rejects.toMatchObject({ code: 'EEXIST', path: at('link') });
  });
});
