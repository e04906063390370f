import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Exports, type ExportsDeps } from '../../../src/app/exports/exports.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

test('a delete of an export that took too long deletes nothing', async () => {
  const folder = path.dirname(temporaryFile('bundle.json', '{}'));
  const late = new AbortController();
  const scan = async () => {
    late.abort();
    return [{ folder, record: { name: 'walk-unitree' } }];
  };
  const exports = new Exports({ scan } as unknown as ExportsDeps);
  await expect(exports.remove('walk-unitree', late.signal)).rejects.toThrow('aborted');
  expect(existsSync(folder)).toBe(true);
});
