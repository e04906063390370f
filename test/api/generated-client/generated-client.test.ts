import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useStudio } from '../../support/use-studio.ts';

const studio = useStudio();

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '../../..');
/** Inside the repository, so that the client finds the packages of the repository. */
const CACHE = path.join(ROOT, 'node_modules/.cache');

let folder: string;

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(path.join(CACHE, 'generated-client-'));
  await studio.start();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  skipLibCheck: true,
};

test('a client generated from the live document compiles strictly and works', async () => {
  const schema = path.join(folder, 'schema.ts');
  await execa(process.execPath, [path.join(HERE, 'generate.mjs'), `${studio.address}/api/openapi.json`, schema]);
  const smoke = path.join(folder, 'smoke.mts');
  await execa('cp', [path.join(HERE, 'smoke.mts'), smoke]);
  const config = path.join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [schema, smoke] }));
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const compiled = await execa(process.execPath, [compiler, '-p', config], { reject: false });
  expect(compiled.stdout).toBe('');
  const ran = await execa(process.execPath, ['--import', 'tsx', smoke, studio.address], { reject: false });
  expect(ran.stderr).toBe('');
  expect(ran.stdout).toBe('all calls as expected');
}, 120_000);
