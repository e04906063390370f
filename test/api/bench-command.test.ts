import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Output } from '../../src/cli/commands/output.ts';
import { measure } from '../../src/cli/local/measure-machine.ts';

let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'bench-command-'));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

test('bench measures every kind of work and leaves nothing in the workspace', { timeout: 200_000 }, async () => {
  const cache = path.join(workspace, '.studio/cache');
  mkdirSync(cache, { recursive: true });
  let progress = '';
  let folders: string[] = [];
  const stderr = {
    write: (text: string) => {
      progress += text;
      folders = existsSync(cache) ? readdirSync(cache) : [];
    },
  };
  const sizes = { clips: 3, envs: 4, iterations: 3, clients: 2, framesMs: 300 };
  const measured = await measure(workspace, sizes, new Output({ stdout: stderr, stderr }, true));
  expect(Object.keys(measured)).toEqual([
    'env_steps_one_thread',
    'env_steps',
    'learned_steps',
    'converted_frames',
    'sent_frames',
  ]);
  for (const [name, value] of Object.entries(measured)) expect(value, name).toBeGreaterThan(0);
  expect(progress).toContain('convert-bench-1: done');
  // Its service worked on the disk of the workspace.
  expect(folders).toEqual([expect.stringMatching(/^bench-/)]);
  expect(readdirSync(cache)).toEqual([]);
});
