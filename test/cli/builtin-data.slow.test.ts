import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateClips } from '../../src/cli/builtin-clips.ts';
import { findPrepared, prepareRobot } from '../../src/robots/prepared-robot.ts';
import { BUILTIN } from '../../src/robots/robot-source.ts';

const BUILT = path.resolve(import.meta.dirname, '../../dist/builtin');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'builtin-data-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the build ships the clips that would be generated', async () => {
  const shipped = JSON.parse(readFileSync(path.join(BUILT, 'samples.json'), 'utf8')) as object;
  expect(shipped).toEqual(Object.fromEntries(await generateClips()));
});

test('the build ships the robot that would be compiled', async () => {
  const compiled = await prepareRobot(BUILTIN, path.join(folder, 'compiled'));
  const shipped = await findPrepared(BUILTIN, path.join(folder, 'copied'), path.join(BUILT, 'robots'));
  expect(shipped).toMatchObject({ key: compiled.key, facts: compiled.facts });
  const files = readdirSync(compiled.folder);
  expect(readdirSync(shipped!.folder)).toEqual(files);
  for (const file of files)
    expect(
      readFileSync(path.join(shipped!.folder, file)).equals(readFileSync(path.join(compiled.folder, file))),
      file,
    ).toBe(true);
});
