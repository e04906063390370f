import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DRAFT_FILE, latestDraft } from '../../../src/robot-import/uploads/draft-file.ts';

const root = mkdtempSync(path.join(tmpdir(), 'drafts-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a pipe in place of a draft is ignored without blocking', async () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    mkdirSync(path.join(root, id));
    execFileSync('mkfifo', [path.join(root, id, DRAFT_FILE)]);
  }
  expect(await latestDraft(root)).toBeNull();
});
