import { expect, test } from 'vitest';
import { numberIn } from '../../../web/src/ui/number-field.ts';

test('numbers are read in the forms that people type; invalid ones are refused with their range', () => {
  expect(numberIn(' 59,94 ', 1, 1000)).toEqual({ value: 59.94, error: null });
  expect(numberIn('', 1, 1000)).toEqual({ value: null, error: null });
  expect(numberIn('8.5', 1, 1024, true).error).toBe('must be an integer from 1 to 1024');
  expect(numberIn('0', 1, 1000).error).toBe('must be a number from 1 to 1000');
});

test('an integer may have separators of thousands; a decimal point or comma in it is refused, never dropped', () => {
  const read = (text: string) => numberIn(text, 1, 10_000_000, true).value;
  for (const text of ['10000', '10,000', '10.000', ' 10 000 ', '10\u202f000', "10'000", '1e4'])
    expect([text, read(text)]).toEqual([text, 10_000]);
  expect(read('1,234,567')).toBe(1_234_567);
  for (const text of ['10,00', '10.0', '1,2345', '1,234.567', '0,001', '2,5', '1000,000', ',000'])
    expect([text, read(text)]).toEqual([text, null]);
});

test('a number that may have decimals takes a comma as its decimal point', () => {
  expect(numberIn('1,000', 1, 1000).value).toBe(1);
});
