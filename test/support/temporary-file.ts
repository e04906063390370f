import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a file into a new folder, which is removed when the test has finished. @returns its path */
export function temporaryFile(name: string, content: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}
