import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeyed, naturalKey } from '../../../src/data/listing/natural-order.ts';

const sorted = (names: readonly string[]) =>
  names
    .map((name) => ({ name, key: naturalKey(name) }))
    .sort(compareKeyed)
    .map(({ name }) => name);

test('numbers in names are ordered by value, and upper and lower case are equal', () => {
  expect(sorted(['walk10', 'Walk9', 'walk2_b', 'walk2', 'walk1_subject10', 'walk1_subject2', 'arm'])).toEqual([
    'arm',
    'walk1_subject2',
    'walk1_subject10',
    'walk2',
    'walk2_b',
    'Walk9',
    'walk10',
  ]);
});

test('leading zeros do not change the value, but give a fixed order', () => {
  expect(sorted(['clip10', 'clip009', 'clip9', 'clip09'])).toEqual(['clip009', 'clip09', 'clip9', 'clip10']);
});

test('numbers come before letters, and numbers may have any number of digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), fc.bigInt({ min: 0n, max: 10n ** 60n }), (a, b) => {
      const inOrder = a < b ? [a, b] : [b, a];
      expect(sorted([`x${a}`, `x${b}`])).toEqual(inOrder.map((value) => `x${value}`));
      expect(sorted(['xa', `x${a}`])).toEqual([`x${a}`, 'xa']);
    }),
  );
});
