import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32c } from '../../../src/formats/event-file/crc32c.ts';
import { readEvents } from '../../../src/formats/event-file/read-events.ts';
import { scalarsRecord, versionRecord } from '../../../src/formats/event-file/write-events.ts';

type Row = [tag: string, step: number, value: number, wallTime: number];

function rowsOf(bytes: Uint8Array): { rows: Row[]; consumed: number; damage: string | null } {
  const rows: Row[] = [];
  const read = readEvents(bytes, (...row) => rows.push(row));
  return { rows, ...read };
}

test('crc32c gives the check value of RFC 3720', () => {
  expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
});

test('a file begins with the bytes that TensorBoard expects', () => {
  // length 24; then key 0x09 and a double, key 0x1a and 13 bytes of text
  const bytes = versionRecord(1.5);
  expect(bytes.length).toBe(16 + 24);
  expect(Buffer.from(bytes.subarray(0, 8)).toString('hex')).toBe('1800000000000000');
  expect(Buffer.from(bytes.subarray(12, 36)).toString('latin1').slice(9)).toBe('\x1a\x0dbrain.Event:2');
});

test('written scalars read back equal, including zeros, large steps and non-finite values', () => {
  const bytes = Buffer.concat([
    versionRecord(1e9),
    scalarsRecord(1e9 + 0.25, 0, [
      { tag: 'Loss/value', value: 0 },
      { tag: 'Train/mean_reward', value: -1.5 },
    ]),
    scalarsRecord(1e9 + 1, 2 ** 40, [{ tag: 'Größe', value: Number.NaN }]),
  ]);
  expect(rowsOf(bytes)).toEqual({
    rows: [
      ['Loss/value', 0, 0, 1e9 + 0.25],
      ['Train/mean_reward', 0, -1.5, 1e9 + 0.25],
      ['Größe', 2 ** 40, Number.NaN, 1e9 + 1],
    ],
    consumed: bytes.length,
    damage: null,
  });
});

test('reading a growing file in parts gives every scalar once, wherever it is cut', () => {
  const bytes = Buffer.concat([
    versionRecord(0),
    ...Array.from({ length: 5 }, (_, step) => scalarsRecord(step, step, [{ tag: 'a/b', value: step }])),
  ]);
  fc.assert(
    fc.property(fc.nat({ max: bytes.length }), (cut) => {
      const first = rowsOf(bytes.subarray(0, cut));
      const second = rowsOf(bytes.subarray(first.consumed));
      expect(first.damage ?? second.damage).toBeNull();
      expect([...first.rows, ...second.rows].map(([, step]) => step)).toEqual([0, 1, 2, 3, 4]);
    }),
  );
});

test('a damaged record is reported, and the records before it are kept', () => {
  const bytes = Buffer.concat([versionRecord(0), scalarsRecord(0, 7, [{ tag: 'a', value: 1 }]), versionRecord(0)]);
  const length = versionRecord(0).length;
  bytes[bytes.length - length + 20]! ^= 1;
  const { rows, consumed, damage } = rowsOf(bytes);
  expect(rows).toHaveLength(1);
  expect(consumed).toBe(bytes.length - length);
  expect(damage).toBe(`the record at byte ${consumed} has damaged content`);
});

test('arbitrary bytes never throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => rowsOf(bytes).consumed <= bytes.length));
});
