import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SETTINGS_SECTIONS } from '../../../src/cli/settings.ts';
import { readSettings } from '../../../src/core/settings.ts';
import { builtinOptions } from '../../../src/jobs/trainers/builtin-trainer.ts';
import { fillCommand } from '../../../src/jobs/trainers/command-template.ts';
import { ExternalTrainer, type TrainingWords } from '../../../src/jobs/trainers/external-trainer.ts';

const words: TrainingWords = {
  ...{
    task: 'Wbc-G1',
    robot: 'g1',
    dataset: 'walks',
    datasetFolder: '/w/data/g1/walks',
    npzFolder: '/w/npz',
    motionFile: '/w/a.npz',
  },
  ...{ numEnvs: 8, maxIterations: 3, runName: 'mine', seed: 7, logger: 'tensorboard', resume: null, extra: [] },
};
const resume = { run: '2026-01-01_a', runFolder: '/w/logs/rsl_rl/wbc_g1/2026-01-01_a', checkpoint: 'model_50.pt' };

describe('commands', () => {
  test('a placeholder becomes its arguments, or its text within a word; other braces stay', () => {
    const template = ['run', '{extra}', '--seed={seed}', '{resume}', '{"a": {seed}}', '{other}'];
    expect(fillCommand(template, { extra: ['a b', ''], seed: '7', resume: [] })).toEqual([
      'run',
      'a b',
      '',
      '--seed=7',
      '{"a": 7}',
      '{other}',
    ]);
  });

  test('inserted text is not expanded again', () => {
    expect(fillCommand(['{extra}', '{task}'], { extra: ['{task}'], task: '{extra}' })).toEqual(['{task}', '{extra}']);
  });

  test('a command with a NUL character is refused', () => {
    expect(() => fillCommand(['{extra}'], { extra: ['a\0'] })).toThrow(/extra: .*NUL/);
  });

  test('resume arguments are those of rsl_rl or of the settings; folders are relative to the workspace', () => {
    const command = ['train', '{task}', '{resume}', '{extra}'];
    const trainer = new ExternalTrainer('x', { command, cwd: '../other', logs: 'runs' }, '/work/space');
    expect(trainer.logs).toBe('/work/other/runs');
    expect(trainer.order(words)).toEqual({
      command: ['train', 'Wbc-G1'],
      cwd: '/work/other',
      env: { PYTHONUNBUFFERED: '1' },
    });
    expect(trainer.order({ ...words, resume }).command.slice(2)).toEqual([
      '--agent.resume',
      'True',
      '--agent.load-run',
      '2026-01-01_a$',
      '--agent.load-checkpoint',
      'model_50.pt$',
    ]);
    const own = new ExternalTrainer('x', { command, resume: ['--from={checkpoint_path}'] }, '/work/space');
    expect(own.order({ ...words, resume }).command.at(-1)).toBe(`--from=${resume.runFolder}/model_50.pt`);
    expect([own.takes('resume'), own.takes('seed')]).toEqual([true, false]);
  });
});

describe('an available trainer', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-trainers-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('a trainer is available if its folder exists, and its program in PATH, in its own PATH, or as a file', async () => {
    writeFileSync(path.join(folder, 'train'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(path.join(folder, 'text'), '');
    const problem = (command: string, more: object = {}, searchPath = '/usr/bin:/bin') =>
      new ExternalTrainer('x', { command: [command], ...more }, folder).problem(searchPath);
    expect(await problem('sh')).toBeNull();
    expect(await problem('train')).toContain('"train" is not installed');
    expect(await problem('train', {}, folder)).toBeNull();
    expect(await problem('train', { env: { PATH: folder } })).toBeNull();
    expect(await problem('./train')).toBeNull();
    expect(await problem('./text')).toContain('not installed');
    expect(await problem('sh', { cwd: 'nowhere' })).toContain('trainers.x.cwd');
  });
});

test('the built-in trainer accepts its arguments in both spellings', () => {
  expect(builtinOptions([])).toEqual({ profile: 'builtin', threads: 0, saveInterval: null });
  expect(builtinOptions(['--profile=task', '--threads', '3', '--save-interval=25'])).toEqual({
    profile: 'task',
    threads: 3,
    saveInterval: 25,
  });
  for (const bad of [['--profile'], ['--profile=fast'], ['--threads=0'], ['--threads', '1e3'], ['x'], ['--thread=1']])
    expect(() => builtinOptions(bad)).toThrow(/^extra: /);
});

/** Creates a settings file that is removed after the test. */
function settingsFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'studio.yaml');
}

test('the trainers of the documentation are valid settings', async () => {
  const text = readFileSync(new URL('../../../docs/trainers.md', import.meta.url), 'utf8');
  const example = /```yaml\n(.*?)```/s.exec(text)![1]!;
  const file = settingsFile();
  writeFileSync(file, example);
  const { trainers } = await readSettings(SETTINGS_SECTIONS, file, 'studio.yaml', true);
  const orders = Object.entries(trainers).map(([name, settings]) =>
    new ExternalTrainer(name, settings, '/w').order(words),
  );
  expect(Object.keys(trainers)).toEqual(['wbc-mjlab', 'mjlab', 'unitree']);
  for (const { command } of orders) expect(command.filter((word) => /\{[a-z_]+\}/.test(word))).toEqual([]);
  expect(orders[2]!.command).toContain('--motion_file=/w/a.npz');
});

test('a number of environments that no launch accepts is refused at the start with its line', async () => {
  const file = settingsFile();
  writeFileSync(file, "trainers:\n  x:\n    command: [run, '{num_envs}']\n    num_envs: 100000\n");
  await expect(readSettings(SETTINGS_SECTIONS, file, 'studio.yaml', true)).rejects.toThrow(
    /^studio\.yaml:4: trainers\.x\.num_envs: .*65,?536/,
  );
});

test('an unknown placeholder is refused at the start with its line', async () => {
  const file = settingsFile();
  writeFileSync(file, 'trainers:\n  x:\n    command:\n      - run\n      - --n={num_env}\n');
  await expect(readSettings(SETTINGS_SECTIONS, file, 'studio.yaml', true)).rejects.toThrow(
    /^studio\.yaml:5: trainers\.x\.command.1.*: unknown placeholder \{num_env\}; .*\{num_envs\}/,
  );
});
