import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { findPrepared, PREPARED_FILES, prepareRobot, sweepPrepared } from '../../src/robots/prepared-robot.ts';
import { BUILTIN, type RobotSource } from '../../src/robots/robot-source.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';

let root: string;
let cache: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'prepared-'));
  cache = path.join(root, 'cache');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a compiled robot is found by its content until the content or the cache changes', async () => {
  const folder = path.join(root, 'walker');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'walker.xml'), WALKER_MJCF);
  writeFileSync(path.join(folder, 'robot.yaml'), formatYaml(walkerSpec()));
  const source: RobotSource = { kind: 'folder', id: 'walker', folder };
  expect(await findPrepared(source, cache)).toBeNull();
  const prepared = await prepareRobot(source, cache);
  expect(await findPrepared(source, cache)).toEqual(prepared);
  expect(readdirSync(prepared.folder).sort()).toEqual(Object.values(PREPARED_FILES).sort());
  writeFileSync(path.join(prepared.folder, PREPARED_FILES.physics), 'cut off');
  expect(await findPrepared(source, cache)).toBeNull();
  await prepareRobot(source, cache);
  writeFileSync(path.join(folder, 'walker.xml'), WALKER_MJCF.replace('mass="10"', 'mass="11"'));
  expect(await findPrepared(source, cache)).toBeNull();
});

test('the cache keeps the robots used last, up to its limit, and deletes files of killed processes', () => {
  const entry = (name: string, bytes: number, usedAt: number) => {
    mkdirSync(path.join(cache, name), { recursive: true });
    writeFileSync(path.join(cache, name, 'model.bin'), Buffer.alloc(bytes));
    utimesSync(path.join(cache, name), usedAt, usedAt);
  };
  entry('oldest', 10, 1000);
  entry('older', 400, 2000);
  entry('newer', 500, 3000);
  entry('newest', 400, 4000);
  entry('half.tmp', 10, 5000);
  writeFileSync(path.join(cache, 'stray'), 'x');
  sweepPrepared(cache, 1000);
  expect(readdirSync(cache).sort()).toEqual(['newer', 'newest']);
  sweepPrepared(path.join(root, 'none'));
  expect(readdirSync(path.join(root, 'none'))).toEqual([]);
});

test('a robot that the build has compiled is copied into the cache once its files are complete', async () => {
  const shipped = path.join(root, 'shipped');
  const { key, facts, folder } = await prepareRobot(BUILTIN, shipped);
  const found = await findPrepared(BUILTIN, cache, shipped);
  expect(found).toEqual({ facts, key, folder: path.join(cache, key) });
  for (const name of Object.values(PREPARED_FILES))
    expect(readFileSync(path.join(found!.folder, name)).equals(readFileSync(path.join(folder, name))), name).toBe(true);
  // The copy is found without the build.
  expect(await findPrepared(BUILTIN, cache, path.join(root, 'none'))).toEqual(found);
  rmSync(cache, { recursive: true });
  writeFileSync(path.join(folder, PREPARED_FILES.terrain), 'cut off');
  expect(await findPrepared(BUILTIN, cache, shipped)).toBeNull();
});
