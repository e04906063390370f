import { expect, test } from 'vitest';
import { assumedWords, readWords } from '../../../../web/src/features/data/shared/assumed-words.ts';

test('an assumption is shown as text, and a guess is marked as one', () => {
  expect(assumedWords({ what: 'fps', value: 30, from: 'guess' })).toEqual({
    name: 'Frame rate',
    value: '30 fps (assumed)',
    title: 'Assumed, because the file does not state it. Use Change to correct it',
  });
  expect(assumedWords({ what: 'units', value: 'cm', from: 'format' })).toMatchObject({ value: 'centimetres' });
  expect(assumedWords({ what: 'quaternion', value: 'exponential_map', from: 'format' }).value).toBe('exponential map');
});

test('options that override assumptions are listed as set', () => {
  expect(readWords({ fps: 60, units: 'cm', joint_order: ['a', 'b'] }).map(({ name, value }) => [name, value])).toEqual([
    ['Frame rate', '60 fps (set)'],
    ['Root position', 'centimetres (set)'],
    ['Joint order', 'own order (set)'],
  ]);
});
