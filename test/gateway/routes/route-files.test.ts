import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RouteSpec } from '../../../src/protocol/route.ts';
import { importsOf } from '../../support/imports.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Files that all routes share. */
const SHARED = ['handle.ts', 'all-handlers.ts', 'route-example.ts', 'all-examples.ts'];

const filesOf = (folder: string) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => !SHARED.includes(name))
    .sort();
const contracts = filesOf('src/protocol/routes');

test('every contract file has a handler file and an examples file of the same name', () => {
  expect(filesOf('src/gateway/routes')).toEqual(contracts);
  expect(filesOf('src/gateway/documents/examples')).toEqual(contracts);
});

test.each(contracts)('the handlers of %s serve exactly the contracts of that file', async (name) => {
  const text = readFileSync(path.join(ROOT, 'src/gateway/routes', name), 'utf8');
  const served = [...text.matchAll(/\bhandle[A-Z]?[a-z]*\(\s*(\w+),/g)].map(([, contract]) => contract!);
  const declared: Record<string, RouteSpec> = await import(path.join(ROOT, 'src/protocol/routes', name));
  expect(served.sort()).toEqual(Object.keys(declared).sort());
  expect(importsOf(text).filter((specifier) => specifier.includes('protocol/routes/'))).toEqual([
    `../../protocol/routes/${name}`,
  ]);
});

test.each(contracts)('the contracts of %s have one tag, which no other file uses', async (name) => {
  const tagsOf = async (file: string) => {
    const routes: Record<string, RouteSpec> = await import(path.join(ROOT, 'src/protocol/routes', file));
    return [...new Set(Object.values(routes).map(({ tag }) => tag))];
  };
  const own = await tagsOf(name);
  expect(own).toHaveLength(1);
  const others = await Promise.all(contracts.filter((file) => file !== name).map(tagsOf));
  expect(others.flat()).not.toContain(own[0]);
});
