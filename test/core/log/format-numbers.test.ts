import { expect, test } from 'vitest';
import { bytesText, countText, namesText, spanText } from '../../../src/core/log/format-numbers.ts';

test('time spans have about three digits and change their unit at 100', () => {
  const texts = [0.0042, 9.99, 9.996, 99.94, 99.96, 3600, 5997, 5999, 86_400].map(spanText);
  expect(texts).toEqual([
    '0.00 s',
    '9.99 s',
    '10.0 s',
    '99.9 s',
    '1.7 min',
    '60.0 min',
    '1 h 40 min',
    '1 h 40 min',
    '24 h 0 min',
  ]);
});

test('sizes use decimal units and never show 1000 of a unit', () => {
  expect([1, 999, 1000, 999_960, 3.4e9].map(bytesText)).toEqual(['1 byte', '999 bytes', '1.0 kB', '1.0 MB', '3.4 GB']);
});

test('a count of one is singular; of many names the first eight are shown', () => {
  expect([countText(1, 'clip'), countText(0, 'clip'), countText(12_345, 'clip')]).toEqual([
    '1 clip',
    '0 clips',
    '12,345 clips',
  ]);
  expect(namesText(['a', 'b'])).toBe('a, b');
  expect(namesText([...'abcdefghij'])).toBe('a, b, c, d, e, f, g, h and 2 more');
});
