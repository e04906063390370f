import { expect, test } from 'vitest';
import { JSON_NUMBER_BYTES, writeJsonNumber } from '../../../src/recording/mcap/json-number.ts';
import { RowMessage } from '../../../src/recording/mcap/row-message.ts';
import { randomFrom } from '../../support/random.ts';

function written(value: number): number | null {
  const out = Buffer.alloc(JSON_NUMBER_BYTES + 2, ' ');
  out[0] = out[JSON_NUMBER_BYTES + 1] = 0x7c;
  writeJsonNumber(out, 1, value);
  expect(`${value}: ${out}`).toMatch(/: \|.*\|$/);
  return JSON.parse(out.subarray(1, -1).toString()) as number | null;
}

test('float32 numbers of all sizes and signs are written as JSON with the digits of a float32', () => {
  const random = randomFrom(3);
  for (let k = 0; k < 20_000; k += 1) {
    const value = Math.fround((2 * random() - 1) * 10 ** (12 * random() - 5));
    const error = Math.abs(written(value)! - value);
    expect(error).toBeLessThanOrEqual(Math.max(5.1e-11, 6e-8 * Math.abs(value)));
  }
  const edges = [
    0, 1, -1, 9999, 9999.9995, 0.99999994, -0.5, 1e-12, 123456.78, 3.4028235e38, -3.4028235e38, 16_777_216,
  ];
  for (const value of edges.map(Math.fround))
    expect(Math.fround(written(value)!)).toBeCloseTo(value, Math.abs(value) < 1 ? 10 : -30);
  for (const value of edges.map(Math.fround).filter((one) => Math.abs(one) >= 1))
    expect(Math.fround(written(value)!)).toBe(value);
  for (const value of [Number.NaN, Infinity, -Infinity]) expect(written(value)).toBeNull();
});

test('a row is JSON with its head, names and numbers, also if names need escapes', () => {
  const message = new RowMessage({ session: 3, env: 12, clip: 'a "quoted" clip ä' }, ['left_knee', 'x"y'], {
    frame: 4,
    step: 5,
    first: 1,
  });
  const out = Buffer.alloc(message.bytes + 4);
  message.write(out, 2, Float32Array.of(9, -0.25, 1.5, 9, 5771, 123_456));
  expect(JSON.parse(out.subarray(2, -2).toString())).toEqual({
    session: 3,
    env: 12,
    clip: 'a "quoted" clip ä',
    frame: 5771,
    step: 123_456,
    values: { left_knee: -0.25, 'x"y': 1.5 },
  });
});

test('a row without a clip has null', () => {
  const message = new RowMessage({ session: 1, env: 0, clip: null }, [], { frame: 0, step: 0, first: 0 });
  const out = Buffer.alloc(message.bytes);
  message.write(out, 0, Float32Array.of(0));
  expect(JSON.parse(out.toString())).toEqual({ session: 1, env: 0, clip: null, frame: 0, step: 0, values: {} });
});
