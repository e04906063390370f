import { describe, expect, test } from 'vitest';
import { openPlayRecord, type PlayRecord } from '../../../../src/protocol/play-record.ts';
import {
  episodesOf,
  jointErrors,
  nextEvent,
  rewardFigures,
  sparkline,
  torquesAtLimit,
} from '../../../../web/src/features/play/record-metrics.ts';
import { RecordRing, snapshot } from '../../../../web/src/features/play/record-ring.ts';

const IDS = ['joint.knee', 'joint.hip', 'torque.knee', 'reward.alive', 'reward.total'];

/** Rows [start, end) at 5 rows/s, 2 s kept. Each value of row k is k, unless `value` gives another one. */
function reply(start: number, end: number, fresh: boolean, value = (row: number, _column: number) => row): PlayRecord {
  const record = openPlayRecord({
    epoch: 3,
    env: 0,
    fps: 5,
    start,
    end,
    fresh,
    cols: { data: 5, ref: 2, meta: 3 },
    events: [{ row: end - 1, kind: 'push' }],
    ...(fresh
      ? {
          channels: IDS.map((id) => ({ id, name: id, group: '', unit: '', lower: null, upper: 2 })),
          ref_cols: [0, 1],
          clips: ['walk'],
          history_s: 2,
        }
      : {}),
  });
  for (let row = start; row < end; row++) {
    for (let k = 0; k < 5; k++) record.data[(row - start) * 5 + k] = value(row, k);
    record.ref.set([row, row], (row - start) * 2);
    record.meta.set([0, row, row % 7], (row - start) * 3);
  }
  return record;
}

describe('the ring of rows', () => {
  test('the ring of rows keeps the last two seconds, however the rows are split', () => {
    const ring = new RecordRing();
    expect(ring.next).toBeNull();
    ring.take(reply(0, 3, true));
    let end = 3;
    for (const piece of [1, 4, 0, 2, 7, 1, 1, 9, 3]) {
      expect(ring.next?.since).toBeLessThanOrEqual(end);
      expect(ring.take(reply(end, end + piece, false))).toBe(piece > 0);
      end += piece;
      const view = ring.view()!;
      const rows = Math.min(10, end);
      expect([view.first, view.rows]).toEqual([end - rows, rows]);
      expect([...view.data]).toEqual(Array.from({ length: rows * 5 }, (_, k) => end - rows + Math.floor(k / 5)));
      expect(view.meta[view.meta.length - 2]).toBe(end - 1);
      expect(view.events.every(({ row }) => row >= view.first && row < end)).toBe(true);
    }
  });

  test('the ring of rows drops rows before a gap and ignores repeated rows', () => {
    const ring = new RecordRing();
    ring.take(reply(0, 4, true));
    ring.take(reply(2, 6, false));
    expect(ring.view()).toMatchObject({ first: 0, rows: 6 });
    ring.take(reply(8, 9, false));
    expect(ring.view()).toMatchObject({ first: 8, rows: 1 });
  });

  test('the ring of rows restarts with another epoch; equal channels stay the same object, so that charts are not rebuilt', () => {
    const ring = new RecordRing();
    ring.take(reply(0, 9, true));
    const { channels } = ring.view()!;
    ring.take(reply(40, 42, true));
    expect(ring.view()).toMatchObject({ first: 40, rows: 2 });
    expect(ring.view()!.channels).toBe(channels);
    expect(() => new RecordRing().take(reply(0, 1, false))).toThrow('channels are not known');
  });

  test('the ring of rows requests the newest rows again, because their events can arrive later', () => {
    const ring = new RecordRing();
    ring.take(reply(0, 9, true));
    expect(ring.next).toEqual({ epoch: 3, since: 0 });
    const again = reply(5, 9, false);
    expect(ring.take(again)).toBe(false); // the push in row 8 is known
    const late = { ...again, header: { ...again.header, events: [{ row: 6, kind: 'failure' as const }] } };
    expect(ring.take(late)).toBe(true);
    expect(ring.take(late)).toBe(false);
    expect(ring.view()!.events.map(({ row }) => row)).toEqual([8, 6]);
    expect(ring.view()!.rows).toBe(9);
  });

  test('the ring of rows accepts a reply longer than its capacity', () => {
    const ring = new RecordRing();
    ring.take(reply(0, 25, true));
    expect(ring.view()).toMatchObject({ first: 15, rows: 10 });
    expect(ring.view()!.data[0]).toBe(15);
  });

  test('a snapshot of the ring does not change when the ring does', () => {
    const ring = new RecordRing();
    ring.take(reply(0, 10, true));
    const held = snapshot(ring.view()!);
    for (let k = 10; k < 40; k++) ring.take(reply(k, k + 1, false));
    expect([held.first, held.data[0], held.data[49]]).toEqual([0, 0, 9]);
  });
});

describe('figures of the record', () => {
  const ring = new RecordRing();
  ring.take(
    reply(0, 10, true, (row, column) =>
      column === 0 ? row + 0.3 : column === 1 ? row - 0.4 : column === 2 ? row % 3 : 0.5,
    ),
  );
  const view = ring.view()!;

  test('rewards are per second, over the last second of the present episode', () => {
    const terms = [
      { name: 'alive', weight: 1, default: 1 },
      { name: 'none', weight: 0, default: 1 },
    ];
    const figures = rewardFigures(view, 10, terms);
    expect(figures.terms[0]!.value).toBeCloseTo(2.5); // 0.5 per step, 5 steps per second
    expect(figures.total).toBeCloseTo(2.5);
    expect(figures.terms[1]!.value).toBeNaN();
    expect(rewardFigures(null, 0, terms).total).toBeNaN();
  });

  test('the joint error is the root mean square over the joints', () => {
    expect(jointErrors(view)[4]).toBeCloseTo(Math.sqrt((0.09 + 0.16) / 2), 5);
  });

  test('torques are at their limit from 98 % on', () => {
    expect([...torquesAtLimit(view, 0, 4)]).toEqual([0, 0, 1, 0]);
  });

  test('an episode ends at its last step', () => {
    expect(episodesOf(view)).toEqual([
      { first: 0, end: 7 },
      { first: 7, end: 10 },
    ]);
  });

  test('events are found before and after a row', () => {
    expect([nextEvent(view, 3, 1), nextEvent(view, 9, 1), nextEvent(view, 9.5, -1)]).toEqual([9, null, 9]);
  });

  test('a small line keeps its peaks, and is aligned right while it is shorter than a minute', () => {
    const values = Float32Array.of(1, 9, Number.NaN, Number.NaN, 2, 3);
    const line = sparkline(values, 12, 6);
    expect(line.map(([, y]) => y)).toEqual([9, 3]);
    expect(line.every(([x]) => x > 0.5 && x <= 1)).toBe(true);
  });
});
