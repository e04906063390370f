import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hideFolder, isTemp, removeFolder } from '../../../src/core/files/atomic-file.ts';
import { removeTree } from '../../../src/core/files/remove-tree.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'remove-tree-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a folder is removed with its content, but not the targets of links; a missing one is not an error', async () => {
  const folder = path.join(root, 'set');
  mkdirSync(path.join(folder, 'npz/original'), { recursive: true });
  mkdirSync(path.join(root, 'elsewhere'));
  writeFileSync(path.join(root, 'elsewhere/kept.csv'), 'kept');
  for (let k = 0; k < 500; k++) writeFileSync(path.join(folder, k % 2 === 0 ? 'npz' : '', `${k}.csv`), '');
  symlinkSync(path.join(root, 'elsewhere'), path.join(folder, 'npz/folder'));
  symlinkSync(path.join(root, 'elsewhere/kept.csv'), path.join(folder, 'file.csv'));
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
  expect(readFileSync(path.join(root, 'elsewhere/kept.csv'), 'utf8')).toBe('kept');
  await removeTree(folder);
  symlinkSync(path.join(root, 'elsewhere'), folder);
  await removeFolder(folder);
  expect(readdirSync(root)).toEqual(['elsewhere']);
  expect(readFileSync(path.join(root, 'elsewhere/kept.csv'), 'utf8')).toBe('kept');
});

test('a removed folder disappears at once and frees its name', async () => {
  const folder = path.join(root, 'set');
  mkdirSync(folder);
  for (let k = 0; k < 200; k++) writeFileSync(path.join(folder, `${k}.csv`), '');
  const hidden = await hideFolder(folder);
  mkdirSync(folder);
  expect([isTemp(path.basename(hidden)), readdirSync(hidden).length]).toEqual([true, 200]);
  await removeFolder(folder);
  await removeTree(hidden);
  expect(readdirSync(root)).toEqual([]);
});
