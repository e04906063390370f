import { expect, test } from 'vitest';
import { numericColumns, orderedRows } from '../../../../web/src/features/evaluate/table-order.ts';

interface Row {
  readonly clip: string;
  readonly success: number | null;
}
const row = (clip: string, success: number | null): Row => ({ clip, success });
const clip = { value: (one: Row) => one.clip };
const success = { value: (one: Row) => one.success };

test('a column with numbers and missing values is numeric, one with texts is not', () => {
  const rows = [row('walk', null), row('run', 0.5)];
  expect(numericColumns(rows, [clip, success])).toEqual([false, true]);
});

test('the values of a large table are read once per column and row', () => {
  const rows = Array.from({ length: 10_000 }, (_, k) => row(`clip ${k}`, k));
  let reads = 0;
  const counted = {
    value: (one: Row) => {
      reads++;
      return one.success;
    },
  };
  numericColumns(rows, [counted]);
  expect(reads).toBe(10_000);
  orderedRows(rows, counted, true);
  expect(reads).toBe(20_000);
});

test('rows are ordered by numbers and by the numbers in names; missing values are last in both directions', () => {
  const rows = [row('clip 10', null), row('clip 9', 0.2), row('clip 1', 0.7)];
  const names = (list: readonly Row[]) => list.map((one) => one.clip);
  expect(names(orderedRows(rows, clip, false))).toEqual(['clip 1', 'clip 9', 'clip 10']);
  expect(names(orderedRows(rows, success, false))).toEqual(['clip 9', 'clip 1', 'clip 10']);
  expect(names(orderedRows(rows, success, true))).toEqual(['clip 1', 'clip 9', 'clip 10']);
  expect(names(rows)).toEqual(['clip 10', 'clip 9', 'clip 1']); // unchanged
});
