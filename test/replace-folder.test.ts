import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFolder } from '../scripts/replace-folder.mjs';

let parent: string;
let docs: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'replace-folder-'));
  docs = path.join(parent, 'docs');
});
afterEach(() => rmSync(parent, { recursive: true }));

const put = (folder: string, name: string, text: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
const index = () => readFileSync(path.join(docs, 'index.html'), 'utf8');

test('the old files are served until all new ones are written; then only the new ones are left', () => {
  put(docs, 'index.html', 'old');
  put(docs, 'gone.html', 'old');
  replaceFolder(docs, (fresh) => {
    put(fresh, 'index.html', 'new');
    expect([index(), readdirSync(docs).length]).toEqual(['old', 2]);
  });
  expect([index(), readdirSync(docs), readdirSync(parent)]).toEqual(['new', ['index.html'], ['docs']]);
});

test('a build that fails keeps the old files', () => {
  put(docs, 'index.html', 'old');
  const fails = () =>
    replaceFolder(docs, (fresh) => {
      put(fresh, 'index.html', 'half');
      throw new Error('no space left');
    });
  expect(fails).toThrow('no space left');
  expect(index()).toBe('old');
});

test('what a killed build left is removed, and its old files come back if they were moved away', () => {
  put(`${docs}.old`, 'index.html', 'old');
  put(`${docs}.new`, 'stale.html', 'half');
  replaceFolder(docs, (fresh) => {
    expect([index(), readdirSync(fresh)]).toEqual(['old', []]);
    put(fresh, 'index.html', 'new');
  });
  expect([index(), existsSync(`${docs}.old`), existsSync(`${docs}.new`)]).toEqual(['new', false, false]);
});
