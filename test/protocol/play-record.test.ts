import { describe, expect, test } from 'vitest';
import { decodePlayRecord, openPlayRecord, type PlayRecordReplyHeader } from '../../src/protocol/play-record.ts';

const HEADER: PlayRecordReplyHeader = {
  epoch: 7,
  env: 2,
  fps: 50,
  start: 100,
  end: 103,
  fresh: true,
  cols: { data: 4, ref: 2, meta: 3 },
  channels: ['root.pos.x', 'joint.knee', 'torque.knee', 'reward.total'].map((id) => ({
    id,
    name: id,
    group: 'root',
    unit: 'm',
    lower: null,
    upper: null,
  })),
  ref_cols: [0, 1],
  clips: ['größer', 'walk'],
  history_s: 60,
  events: [{ row: 101, kind: 'push', text: '1.5 m/s' }],
};

function record(header = HEADER): ArrayBuffer {
  const { bytes, data, ref, meta } = openPlayRecord(header);
  if (data.length > 0) {
    data.set(data.map((_, k) => k));
    ref.set(ref.map((_, k) => (k === 3 ? Number.NaN : -k)));
    meta.set([1, 20, 5, 1, 21, 6, 1, 22, 7]);
  }
  return bytes.buffer as ArrayBuffer;
}

describe('a play record', () => {
  test('a decoded play record has the encoded header, data, reference with gaps and meta', () => {
    const read = decodePlayRecord(record());
    expect(read.header).toEqual(HEADER);
    expect([...read.data]).toEqual([...Array(12).keys()]);
    expect([...read.ref]).toEqual([-0, -1, -2, Number.NaN, -4, -5]);
    expect([...read.meta]).toEqual([1, 20, 5, 1, 21, 6, 1, 22, 7]);
  });

  test('a play record has the documented byte layout', () => {
    const bytes = record();
    const view = new DataView(bytes);
    const length = view.getUint32(0, true);
    const header = JSON.parse(Buffer.from(bytes, 4, length).toString('utf8'));
    expect(header.clips[0]).toBe('größer');
    const start = Math.ceil((4 + length) / 4) * 4;
    expect(view.getFloat32(start + 4 * 5, true)).toBe(5);
    expect(view.getFloat32(start + 4 * (12 + 1), true)).toBe(-1);
    expect(view.getFloat32(start + 4 * (12 + 6 + 4), true)).toBe(21);
    expect(bytes.byteLength).toBe(start + 4 * 27);
  });

  test('a play record may have no rows', () => {
    const read = decodePlayRecord(record({ ...HEADER, start: 103, end: 103, fresh: false, events: [] }));
    expect(read.data.length + read.ref.length + read.meta.length).toBe(0);
  });

  test.each([
    ['cut short within its rows', (bytes: ArrayBuffer) => bytes.slice(0, -4), /header requires/],
    [
      'with more than its rows',
      (bytes: ArrayBuffer) => Buffer.concat([Buffer.from(bytes), Buffer.alloc(4)]),
      /header requires/,
    ],
    ['cut short within its header', (bytes: ArrayBuffer) => bytes.slice(0, 40), /truncated/],
    ['of no bytes', () => new ArrayBuffer(0), /at least 4/],
  ])('a play record is refused %s', (_, spoil, message) => {
    const spoiled = spoil(record());
    const bytes = spoiled instanceof ArrayBuffer ? spoiled : new Uint8Array(spoiled).buffer;
    expect(() => decodePlayRecord(bytes)).toThrow(message);
  });

  test('a play record whose end is before its start is refused', () => {
    expect(() => openPlayRecord({ ...HEADER, start: 5, end: 4 })).toThrow(RangeError);
  });
});
