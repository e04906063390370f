import { describe, expect, test } from 'vitest';
import { reduceWindow } from '../../../../web/src/features/plots/reduce.ts';

const wave = (frames: number) => Float32Array.from({ length: frames }, (_, k) => Math.sin(k / 40));

describe('reduction', () => {
  test('a short window shows every frame and one more on each side', () => {
    const { times, values } = reduceWindow([wave(100)], 50, 0.21, 0.39, 400);
    expect(times[0]).toBeCloseTo(0.2);
    expect(times.at(-1)).toBeCloseTo(0.4);
    expect(times).toHaveLength(11);
    expect(values[0]![3]).toBe(wave(100)[13]);
  });

  test.each([1, 7, 100, 999])('a spike of one frame at %i of 13,065 is never lost', (at) => {
    const column = wave(13_065);
    const frame = Math.floor((at / 1000) * 13_000);
    column[frame] = 9;
    column[frame + 1] = -9;
    const { times, values } = reduceWindow([column], 50, 0, 261.28, 600);
    expect(times.length).toBeLessThan(2 * 620);
    const [points] = values;
    const high = points!.indexOf(9);
    expect(points).toContain(-9);
    // 22 frames per bucket
    expect(Math.abs(times[high]! - frame / 50)).toBeLessThan(22 / 50);
  });

  test('minimum and maximum are in the order of their frames', () => {
    const up = Float32Array.from({ length: 1000 }, (_, k) => k);
    const points = reduceWindow([up], 50, 0, 20, 100).values[0]!;
    expect(points.slice(0, 4)).toEqual([0, 9, 10, 19]);
    const down = Float32Array.from({ length: 1000 }, (_, k) => -k);
    expect(reduceWindow([down], 50, 0, 20, 100).values[0]!.slice(0, 2)).toEqual([-0, -9]);
  });

  test('columns share the same times', () => {
    const { times, values } = reduceWindow([wave(5000), wave(5000).reverse()], 50, 10, 90, 300);
    expect(values.map((points) => points.length)).toEqual([times.length, times.length]);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  test('frames stay in the same buckets while a window moves by less than one bucket', () => {
    const column = wave(5000);
    const a = reduceWindow([column], 50, 10, 90, 300);
    const b = reduceWindow([column], 50, 10.02, 90.02, 300);
    const shared = a.times.filter((time) => b.times.includes(time));
    expect(shared.length).toBeGreaterThan(a.times.length - 4);
    for (const time of shared) expect(a.values[0]![a.times.indexOf(time)]).toBe(b.values[0]![b.times.indexOf(time)]);
  });

  test('non-finite frames leave a gap, and finite frames beside them stay', () => {
    const column = wave(4000).fill(Number.NaN, 1000, 2000);
    column[999] = 7;
    const { times, values } = reduceWindow([column], 50, 0, 80, 200);
    expect(values[0]).toContain(7);
    const inside = values[0]!.filter((_, k) => times[k]! > 20.5 && times[k]! < 39.5);
    expect(inside.length).toBeGreaterThan(50);
    expect(inside.every((value) => value === null)).toBe(true);
  });

  test('without frames there are no points', () => {
    expect(reduceWindow([new Float32Array(0)], 50, 0, 1, 100)).toEqual({ times: [], values: [[]] });
  });
});
