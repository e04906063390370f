import { describe, expect, test } from 'vitest';
import { readNpz } from '../../../src/formats/npz.ts';
import { recordCsv, recordNpz } from '../../../src/play/record/record-file.ts';

const channel = (id: string) => ({ id, name: id, group: 'root', unit: 'm', lower: null, upper: null });
const record = {
  channels: [channel('root.pos.x'), channel('joint.a,b'), channel('reward.total')],
  refCols: [0, 1],
  data: Float32Array.of(1, 0.1, -2e-7, 3.14159274, 16777216, 1e30),
  ref: Float32Array.of(0.5, Number.NaN, 2, 3),
  meta: Float32Array.of(0, 7, 1, 0, 8, 2),
};

describe('a record as a file', () => {
  test('a record as CSV names its columns and keeps float32 exactly', () => {
    const lines = new TextDecoder().decode(recordCsv(record, 0, 2)).split('\n');
    expect(lines[0]).toBe('root.pos.x,"joint.a,b",reward.total,ref.root.pos.x,"ref.joint.a,b",clip,frame,step');
    expect(lines.slice(3)).toEqual(['']);
    const numbers = lines.slice(1, 3).map((line) => line.split(',').map((text) => Math.fround(Number(text))));
    expect(numbers).toEqual([
      [1, 0.1, -2e-7, 0.5, Number.NaN, 0, 7, 1].map(Math.fround),
      [3.14159274, 16777216, 1e30, 2, 3, 0, 8, 2].map(Math.fround),
    ]);
  });

  test('a record as CSV is the same whether written at once or row by row', () => {
    const rows = Buffer.concat([recordCsv(record, 0, 1), recordCsv(record, 1, 2)]);
    expect(rows.toString()).toBe(Buffer.from(recordCsv(record, 0, 2)).toString());
  });

  test('a record as npz has the same arrays', async () => {
    const { arrays } = await readNpz(
      Buffer.concat(recordNpz(record)),
      new Set(['data', 'ref', 'meta', 'channels', 'ref_cols']),
    );
    expect(arrays.get('data')).toMatchObject({ shape: [2, 3], data: record.data });
    expect(arrays.get('ref')).toMatchObject({ shape: [2, 2], data: record.ref });
    expect(arrays.get('meta')).toMatchObject({ shape: [2, 3], data: record.meta });
    expect(arrays.get('channels')?.data).toEqual(['root.pos.x', 'joint.a,b', 'reward.total']);
    expect([...(arrays.get('ref_cols')!.data as Int32Array)]).toEqual([0, 1]);
  });
});
