import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StudioError } from '../../../src/core/errors.ts';
import { withParquet } from '../../../src/formats/parquet/read-parquet.ts';
import { dataFile } from '../../support/lerobot.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parquet-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a damaged directory is refused with the name of the file, whatever byte is wrong', async () => {
  const valid = Buffer.from(dataFile([{ episode: 0, features: { state: [[1], [2]] } }], 10, 'UNCOMPRESSED'));
  const file = path.join(folder, 'damaged.parquet');
  const read = () =>
    withParquet(file, async ({ columns, groups, read }) => (columns.has('state') ? read(['state'], groups[0]!) : []));
  const directory = valid.length - 8 - valid.readUInt32LE(valid.length - 8);
  let refused = 0;
  for (let at = directory; at < valid.length - 8; at += 1)
    for (const bits of [0x02, 0xff]) {
      const damaged = Buffer.from(valid);
      damaged[at]! ^= bits;
      writeFileSync(file, damaged);
      const error: unknown = await read().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) continue; // the byte is not needed
      refused += 1;
      expect(error, `byte ${at - directory} with ${bits}`).toBeInstanceOf(StudioError);
      expect((error as StudioError).message).toMatch(/^damaged\.parquet: /);
    }
  expect(refused).toBeGreaterThan(100);
});
