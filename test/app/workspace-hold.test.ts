import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WorkspaceHold } from '../../src/app/workspace-hold.ts';
import { keepingLogger } from '../support/log-lines.ts';

let root: string;
let own: string;
let lines: string[];
let hold: WorkspaceHold;
beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'hold-'));
  own = path.join(root, '.studio');
  mkdirSync(own);
  lines = [];
  hold = await WorkspaceHold.take(root, own, keepingLogger(lines, 'service'));
});
afterEach(() => {
  hold.release();
  rmSync(root, { recursive: true });
});

/** Calls `problem` often enough that a failing renewal is retried several times. */
async function askOften(): Promise<void> {
  for (let k = 0; k < 20; k += 1) {
    hold.problem();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a lock that cannot be renewed is logged once, and renewed as soon as possible', async () => {
  rmSync(own, { recursive: true });
  writeFileSync(own, 'a file in its place');
  await askOften();
  expect(lines).toEqual([expect.stringContaining("the workspace's lock was not renewed: ")]);
  rmSync(own);
  const isBack = () => hold.problem() === null && existsSync(path.join(own, 'lock'));
  await expect.poll(isBack).toBe(true);
});
