import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { clientFiles } from '../../scripts/clients.ts';
import type * as client from '../../src/protocol/client/studio-api.ts';
import { ROUTES } from '../../src/protocol/route-table.ts';
import type { Busy } from '../../src/protocol/schemas/busy.ts';
import type { Clip } from '../../src/protocol/schemas/data.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import type { PlayState } from '../../src/protocol/schemas/play.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const files = clientFiles();

test.each(Object.entries(files))(
  '%s is up to date with the route table (to update it: npm run clients)',
  (file, text) => {
    expect(readFileSync(path.join(ROOT, file), 'utf8') === text).toBe(true);
  },
);

test('both clients have a method for every route that programs call', () => {
  const pages = ['getPage', 'getDocs', 'getGuides', 'openTensorboard', 'openWebsocket'];
  const names = Object.keys(ROUTES).filter((name) => !pages.includes(name));
  const typescript = files['src/protocol/client/studio-api.ts']!;
  const python = files['clients/python/motion_studio.py']!;
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(names.filter((name) => !typescript.includes(`  async ${name}(`))).toEqual([]);
  expect(names.filter((name) => !python.includes(`    def ${snake(name)}(`))).toEqual([]);
});

test('types of the client equal those of the contracts', () => {
  type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;
  type Same<A, B> = Equal<Writable<A>, Writable<B>>;
  type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
  const same: [
    Same<client.Busy, Busy>,
    Same<client.Clip, Clip>,
    Same<client.Job, Job>,
    Same<client.PlayState, PlayState>,
  ] = [true, true, true, true];
  expect(same).toHaveLength(4);
});
