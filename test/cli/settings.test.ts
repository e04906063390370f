import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SETTINGS_SECTIONS } from '../../src/cli/settings.ts';
import { defaultSettings, readSettings } from '../../src/core/settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const read = (text: string) => {
  writeFileSync(path.join(folder, 'studio.yaml'), text);
  return readSettings(SETTINGS_SECTIONS, path.join(folder, 'studio.yaml'), 'studio.yaml', false);
};

/** A file with every setting, as in the documentation. */
const FULL = `
stream: {fps: 30, max_mbps: 100}
play: {max_envs: 64}
sim: {threads: 2}
pool: {threads: 1}
limits: {json_mib: 0.5, upload_gib: 1}
jobs: {local_limit: 2}
qa: {foot_sliding: {speed: 0.3}}
train: {max_minutes: 60}
trainers:
  wbc-mjlab: {command: [uv, run, wbc-mjlab-train, --task, '{task}', '{extra}'], cwd: ../wbc-mjlab, env: {}, logs: logs/rsl_rl}
launchers:
  gpu: {kind: slurm, partition: gpu, gres: 'gpu:1', time: '24:00:00', sbatch: []}
`;

test('without a settings file, or with an empty one, all settings have their defaults', async () => {
  const missing = await readSettings(SETTINGS_SECTIONS, path.join(folder, 'studio.yaml'), 'studio.yaml', false);
  expect(missing).toEqual(defaultSettings(SETTINGS_SECTIONS));
  expect(await read('# all defaults\n')).toEqual(missing);
  expect(missing).toMatchObject({
    stream: { fps: 60, maxMbps: 400 },
    play: { maxEnvs: 4096 },
    jobs: { localLimit: 1 },
    train: { maxMinutes: 240 },
  });
  expect(missing.limits).toEqual({ jsonBytes: 1_048_576, uploadBytes: 4_294_967_296, connections: 4096 });
});

test('settings of the file are used', async () => {
  const settings = await read(FULL);
  expect(settings).toMatchObject({
    stream: { fps: 30, maxMbps: 100 },
    play: { maxEnvs: 64 },
    sim: { threads: 2 },
    limits: { jsonBytes: 524_288, uploadBytes: 2 ** 30 },
    qa: { foot_sliding: { speed: 0.3 } },
    launchers: { gpu: { kind: 'slurm', time: '24:00:00' } },
  });
  expect(settings.trainers['wbc-mjlab']?.command[0]).toBe('uv');
});

test.each([
  ['\nstream: {fps: 0}', 'studio.yaml:2: stream.fps: must be a number from 1 to 1000'],
  ['jobs:\n  local_limits: 2', 'studio.yaml:2: jobs.local_limits: is not a known field; did you mean "local_limit"?'],
  ['qa:\n  foot_slide: {}', 'studio.yaml:2: qa.foot_slide: is not a known field; did you mean "foot_sliding"?'],
  ['trainers:\n  mine: {}', 'studio.yaml:2: trainers.mine.command: is missing'],
  ['trainers:\n  mine: {command: []}', 'studio.yaml:2: trainers.mine.command: must be a list of at least 1 item'],
  ['trainers:\n  builtin: {command: [x]}', 'studio.yaml:2: trainers.builtin: is the name of the built-in item'],
  ['launchers:\n\n  a/b: {kind: slurm}', 'studio.yaml:3: launchers.a/b: must begin with a letter or digit'],
  ['launchers:\n  a: {kind: ssh}', 'studio.yaml:2: launchers.a.kind: must be "slurm"'],
  ['train: {max_minutes: 0}', 'studio.yaml:1: train.max_minutes: must be a number from 1 to 43200'],
  ['limits: {json_mib: .inf}', 'studio.yaml:1: limits.json_mib: must be a finite number'],
])('the setting %j is refused with its line', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('a folder in the place of the settings file is refused', async () => {
  await expect(readSettings(SETTINGS_SECTIONS, folder, 'studio.yaml', false)).rejects.toThrow(
    /^studio\.yaml: is a folder\. A file/,
  );
});

test('a file given by --config must exist', async () => {
  await expect(
    readSettings(SETTINGS_SECTIONS, path.join(folder, 'none.yaml'), 'none.yaml', true),
  ).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
