import { describe, expect, test } from 'vitest';
import {
  beginGeneration,
  bytesToCome,
  copyRows,
  createRecordRing,
  endRow,
  keptRows,
  openRecordRing,
  type RecordRing,
  rowStart,
  rowsWritten,
} from '../../../src/play/record/record-ring.ts';

const write = (ring: RecordRing, value: number) => {
  ring.rows.fill(value, rowStart(ring), rowStart(ring) + ring.width);
  endRow(ring);
};
const writeMany = (ring: RecordRing, from: number, to: number) => {
  for (let value = from; value < to; value += 1) write(ring, value);
};
const read = (ring: RecordRing, since: number | null) => {
  const range = keptRows(ring, since);
  const out = new Float32Array(range.end - range.start);
  return { ...range, whole: copyRows(ring, range, 1, 1, out), values: [...out] };
};

describe('the ring of a record', () => {
  test('the ring of a record keeps the latest rows', () => {
    const ring = createRecordRing(3, 100, 0);
    writeMany(ring, 0, 1000);
    expect(rowsWritten(ring)).toBe(1000);
    const { start, end, whole, values } = read(ring, null);
    expect([start, end, whole]).toEqual([900, 1000, true]);
    expect(values).toEqual(Array.from({ length: 100 }, (_, k) => 900 + k));
  });

  test('the ring of a record uses memory only for written rows', () => {
    const ring = createRecordRing(4, 100, 0);
    const all = ring.buffer.byteLength;
    expect(bytesToCome(ring)).toBe(all);
    writeMany(ring, 0, 10);
    expect(bytesToCome(ring)).toBe(all - 10 * 16);
    writeMany(ring, 10, 5000);
    expect(bytesToCome(ring)).toBeLessThan(100);
  });

  test('the ring of a record returns rows newer than a given one, never overwritten or future ones', () => {
    const ring = createRecordRing(2, 10, 0);
    writeMany(ring, 0, 50);
    expect(read(ring, 47).values).toEqual([47, 48, 49]);
    expect(read(ring, 5)).toMatchObject({ start: 40, end: 50 });
    expect(read(ring, 50).values).toEqual([]);
    expect(read(ring, 99)).toMatchObject({ start: 50, end: 50 });
  });

  test('the ring of a record shares its memory with another thread', () => {
    const ring = createRecordRing(2, 10, 4);
    const other = openRecordRing(ring.buffer, 2, 10);
    write(other, 7);
    expect(read(ring, null)).toMatchObject({ generation: 4, start: 0, end: 1, values: [7] });
  });

  test('the ring of a record is empty after a new generation starts', () => {
    const ring = createRecordRing(2, 10, 0);
    writeMany(ring, 0, 25);
    beginGeneration(ring, 1);
    expect(read(ring, null)).toMatchObject({ generation: 1, start: 0, end: 0 });
    write(ring, 3);
    expect(read(ring, null).values).toEqual([3]);
  });

  test('the ring of a record reports rows that were overwritten or discarded during a copy', () => {
    const ring = createRecordRing(2, 10, 0);
    writeMany(ring, 0, 20);
    const range = keptRows(ring, null);
    const out = new Float32Array(10);
    // The ring keeps some rows in addition to its history, so that a reader can lag behind the writer.
    writeMany(ring, 20, 20 + 60);
    expect(copyRows(ring, range, 0, 1, out)).toBe(true);
    expect([...out]).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    writeMany(ring, 80, 90);
    expect(copyRows(ring, range, 0, 1, out)).toBe(false);
    const later = keptRows(ring, null);
    beginGeneration(ring, 1);
    expect(copyRows(ring, later, 0, 1, out)).toBe(false);
  });
});
