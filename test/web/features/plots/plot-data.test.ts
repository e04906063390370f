import { describe, expect, test } from 'vitest';
import { decodeFloats } from '../../../../web/src/features/data/shared/plot-reply.ts';
import { csvOf, fileName, shortest } from '../../../../web/src/features/plots/csv.ts';
import { clipSource, PlotData } from '../../../../web/src/features/plots/plot-data.ts';
import { plotReply } from './reply.ts';

const plotted = (...reply: Parameters<typeof plotReply>) => new PlotData(clipSource([plotReply(...reply)]));

describe('decoding', () => {
  test('values are decoded bit for bit, including non-finite ones', () => {
    const values = new Float32Array([1.5, -0.1, Number.NaN, Number.POSITIVE_INFINITY, 1e-38]);
    const decoded = decodeFloats(Buffer.from(values.buffer).toString('base64'));
    expect([...decoded]).toEqual([...values]);
  });

  test('rows by channels are converted to columns', () => {
    const data = plotted(
      ['a', 'b', 'c'],
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    );
    expect([...data.column(0)]).toEqual([1, 4]);
    expect([...data.column(2)]).toEqual([3, 6]);
    expect(data.indexOf('b')).toBe(1);
    expect(data.indexOf('z')).toBe(-1);
    expect(data.refColumn(0)).toBeNull();
  });

  test('a channel whose reference is NaN throughout does not have a reference', () => {
    const reply = plotReply(
      ['a', 'b'],
      [
        [1, 2],
        [3, 4],
      ],
      [
        [7, Number.NaN],
        [Number.NaN, Number.NaN],
      ],
    );
    const data = new PlotData(clipSource([reply]));
    expect([...data.refColumn(0)!]).toEqual([7, Number.NaN]);
    expect(data.refColumn(1)).toBeNull();
  });

  test('a record has references for some channels, by their columns', () => {
    const data = new PlotData({
      title: 'Env 0',
      fps: 50,
      frames: 2,
      channels: plotReply(['a', 'b', 'c'], []).channels,
      columns: [0, 1, 2].map((at) => ({ values: Float32Array.of(1, 2, 3, 4, 5, 6), at, stride: 3 })),
      refLabel: 'reference',
      refs: [1, null, 0].map((at) => (at === null ? null : { values: Float32Array.of(7, 8, 9, 10), at, stride: 2 })),
      nowLabel: 'live',
    });
    expect([0, 1, 2].map((channel) => data.hasRef(channel))).toEqual([true, false, true]);
    expect([...data.refColumn(0)!]).toEqual([8, 10]);
    expect([...data.refColumn(2)!]).toEqual([7, 9]);
    expect(data.refColumn(1)).toBeNull();
    expect([...data.column(2)]).toEqual([3, 6]);
  });

  test('groups that arrive one by one are merged into channels of one clip, with references if present', () => {
    const root = plotReply(
      ['root.pos.z', 'root.pos.x'],
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    );
    const torques = plotReply(['torque.knee'], [[9], [10]]);
    const data = new PlotData(clipSource([root, torques]));
    expect(data.channels.map(({ id }) => id)).toEqual(['root.pos.z', 'root.pos.x', 'torque.knee']);
    expect([...data.column(1)]).toEqual([2, 4]);
    expect([...data.column(2)]).toEqual([9, 10]);
    expect([...data.refColumn(0)!]).toEqual([5, 7]);
    expect(data.hasRef(2)).toBe(false);
    expect(data.refLabel).toBe('raw source');
  });

  test('data of another length is refused with both lengths', () => {
    const reply = plotReply(['a', 'b'], [[1, 2]]);
    expect(() => new PlotData(clipSource([{ ...reply, frames: 2 }]))).toThrow('2 values, expected 2 × 2');
  });

  test('extents ignore non-finite values, and gaps list them', () => {
    const data = plotted(['a'], [[1], [Number.NaN], [Number.POSITIVE_INFINITY], [5], [Number.NaN]]);
    expect(data.extent(0)).toEqual({ min: 1, max: 5, mean: 3 });
    expect(data.gaps(0)).toEqual([
      { first: 1, end: 3 },
      { first: 4, end: 5 },
    ]);
    expect(plotted(['a'], [[Number.NaN]]).extent(0)).toBeNull();
  });
});

describe('CSV', () => {
  test('the CSV has the selected channels and their references over the selected frames', () => {
    const data = plotted(
      ['joint.a', 'odd,name'],
      [
        [0.1, 1],
        [0.2, Number.NaN],
        [0.3, 3],
      ],
      [
        [0.5, Number.NaN],
        [0.25, Number.NaN],
        [0.125, Number.NaN],
      ],
    );
    expect(csvOf({ data, channels: [0, 1], reference: true, first: 1, end: 9 })).toBe(
      'frame,time,joint.a,ref.joint.a,"odd,name"\n1,0.02,0.2,0.25,nan\n2,0.04,0.3,0.125,3\n',
    );
    expect(csvOf({ data, channels: [0], reference: false, first: 0, end: 1 })).toBe('frame,time,joint.a\n0,0,0.1\n');
  });

  test('values in the CSV are the shortest text that gives the same float32', () => {
    const words = new Uint32Array(2000);
    for (let k = 0; k < words.length; k++) words[k] = Math.imul(k + 1, 2654435761);
    for (const value of new Float32Array(words.buffer)) {
      if (!Number.isFinite(value)) continue;
      expect(Math.fround(Number(shortest(value)))).toBe(value);
    }
    expect(shortest(Math.fround(0.1))).toBe('0.1');
    expect(shortest(Number.NEGATIVE_INFINITY)).toBe('-inf');
  });

  test('file names contain no separators', () => {
    expect(fileName('a/b:c', 'csv')).toBe('a_b_c.csv');
    expect(fileName('', 'png')).toBe('clip.png');
  });
});
