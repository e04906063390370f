import { expect, test } from 'vitest';
import { assumedWords } from '../../../../web/src/features/data/shared/assumed-words.ts';

test('an assumption is shown in words, and a guess is marked', () => {
  expect(assumedWords({ what: 'fps', value: 30, from: 'guess' })).toEqual({
    name: 'Source rate',
    value: '30 fps (assumed)',
    title: 'assumed: the file does not state it',
  });
  expect(assumedWords({ what: 'units', value: 'cm', from: 'format' })).toMatchObject({ value: 'centimetres' });
  expect(assumedWords({ what: 'quaternion', value: 'exponential_map', from: 'format' }).value).toBe('exponential map');
});
