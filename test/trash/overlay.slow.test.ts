import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hideFolder } from '../../src/core/files/atomic-file.ts';
import { TrashStore } from '../../src/trash/trash-store.ts';

// A slow test, because only those run in processes of their own: replaced modules would not reach files that share one.
/** Answers as overlayfs does for folders of an image: a new name is refused, also within the same parent folder. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const refused = (from: string) => {
    throw Object.assign(new Error('EXDEV'), { code: 'EXDEV', path: from });
  };
  return {
    ...real,
    rename: async (from: string, to: string) => (from.endsWith('/walks') ? refused(from) : real.rename(from, to)),
  };
});

const REMEDY = /walks cannot be deleted or renamed: .*overlay.* Put the workspace on a volume\.$/;

let root: string;
let store: TrashStore;
const at = (file: string) => path.join(root, file);
beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'overlay-'));
  mkdirSync(at('data/g1/walks'), { recursive: true });
  writeFileSync(at('data/g1/walks/a.csv'), 'rows');
  const unexpected = (error: unknown) => {
    throw error;
  };
  store = new TrashStore({ root, renameMarks: async () => {}, addMarks: async () => {}, onError: unexpected });
  await store.recover();
});
afterEach(() => rmSync(root, { recursive: true }));

test('a dataset of the image is not deleted, and the error names the remedy', async () => {
  const deleted = store.take({ kind: 'dataset', robot: 'g1', name: 'walks' }, [at('data/g1/walks')]);
  await expect(deleted).rejects.toMatchObject({ code: 'bad_input', message: expect.stringMatching(REMEDY) });
  expect(readFileSync(at('data/g1/walks/a.csv'), 'utf8')).toBe('rows');
  expect(readdirSync(at('data/g1'))).toEqual(['walks']);
  expect(store.list()).toEqual([]);
  await vi.waitFor(() => expect(readdirSync(at('.trash'))).toEqual([]));
});

test('what was moved before it is moved back', async () => {
  writeFileSync(at('data/g1/first.csv'), 'other rows');
  const places = ['data/g1/first.csv', 'data/g1/walks'].map(at);
  await expect(store.take({ kind: 'dataset', robot: 'g1', name: 'walks' }, places)).rejects.toThrow(REMEDY);
  expect(readFileSync(at('data/g1/first.csv'), 'utf8')).toBe('other rows');
  expect(store.list()).toEqual([]);
});

test('a folder of the image that would be removed for good stays', async () => {
  await expect(hideFolder(at('data/g1/walks'))).rejects.toThrow(REMEDY);
  expect(readdirSync(at('data/g1/walks'))).toEqual(['a.csv']);
});
