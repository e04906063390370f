import { mkdir, mkdtemp, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppContext } from '../../../src/app/app-context.ts';
import { createTrainers } from '../../../src/app/training/trainers.ts';
import type { Logger } from '../../../src/core/logger.ts';

let folder: string;
let workspace: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'motion-studio-trainers-')));
  workspace = path.join(folder, 'workspace');
  await mkdir(path.join(workspace, 'logs/rsl_rl'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

function trainersIn(root: string) {
  const logger = { child: () => logger, warn: (_: unknown, text: string) => expect.fail(text), info() {} };
  return createTrainers(
    { places: { runs: path.join(root, 'logs/rsl_rl') }, root, logger: logger as unknown as Logger } as AppContext,
    {
      localLimit: 1,
      maxMinutes: 1,
      trainers: { mjlab: { command: ['train'], cwd: '../mjlab' } },
      launchers: {},
      environment: {},
      stateFolder: path.join(folder, 'state'),
    },
  );
}

test('the run of a trainer that resolves links is found in a workspace and a cwd that are links', async () => {
  await symlink(workspace, path.join(folder, 'link'));
  await mkdir(path.join(folder, 'disk/mjlab'), { recursive: true });
  await symlink(path.join(folder, 'disk/mjlab'), path.join(folder, 'mjlab'));
  const { runOf } = trainersIn(path.join(folder, 'link'));
  expect(runOf(path.join(workspace, 'logs/rsl_rl/g1/own'))).toBe('g1/own');
  // mjlab prints the folder before it exists.
  const outside = path.join(folder, 'disk/mjlab/logs/rsl_rl/g1/outside');
  expect(runOf(outside)).toBe('g1/outside');
  await vi.waitFor(async () => expect(await readlink(path.join(workspace, 'logs/rsl_rl/g1/outside'))).toBe(outside));
  expect(runOf(path.join(folder, 'elsewhere/logs/rsl_rl/g1/run'))).toBeNull();
});
