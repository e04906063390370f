import { expect, test } from 'vitest';
import {
  ago,
  bytes,
  clock,
  count,
  dateTime,
  fixed,
  ofField,
  rate,
  sentence,
  span,
  times,
  whole,
} from '../../../web/src/ui/format.ts';

test('negative numbers have a real minus sign, and zero never has one', () => {
  expect(fixed(-0.34, 2)).toBe('−0.34');
  expect(fixed(-0.001, 2)).toBe('0.00'); // rounds to zero
  expect(fixed(Number.NaN, 2)).toBe('–');
  expect(whole(-12_345)).toBe('−12,345');
});

test('a time is shown in minutes and seconds, and never shows 60 seconds', () => {
  expect(clock(131.466)).toBe('2:11');
  expect(clock(115.43, 2)).toBe('1:55.43');
  expect(clock(59.999, 2)).toBe('1:00.00');
  expect(clock(null)).toBe('–');
});

test('sizes in bytes change unit before they need four digits', () => {
  expect(bytes(999)).toBe('999 B');
  expect(bytes(57_900)).toBe('57.9 kB');
  expect(bytes(999_700)).toBe('1.0 MB');
  expect(bytes(2_744_000_000)).toBe('2.7 GB');
});

test('one object is singular, any other number plural', () => {
  expect(count(1, 'clip')).toBe('1 clip');
  expect(count(0, 'clip')).toBe('0 clips');
  expect(count(1427, 'clip')).toBe('1,427 clips');
});

test('rates and speeds show no needless decimals', () => {
  expect([rate(30), rate(29.97), rate(null)]).toEqual(['30', '29.97', '–']);
  expect([times(1), times(0.05)]).toEqual(['1×', '0.05×']);
});

test('an age is given in the coarsest useful unit', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const before = (s: number) => ago(new Date(now - 1000 * s).toISOString(), now);
  expect([before(1), before(40), before(190), before(7300), before(200_000)]).toEqual([
    'just now',
    '40 s ago',
    '3 min ago',
    '2 h ago',
    '2 d ago',
  ]);
  expect(span(125)).toBe('2 min 5 s');
});

test('an instant shows its day and year, so that a run of another year is told from one of today', () => {
  const text = dateTime('2024-03-17T11:34:56Z');
  expect(text).toMatch(/2024/);
  expect(text).toMatch(/17/);
  expect(text).toMatch(/\d:\d\d/);
  expect(dateTime('never')).toBe('–');
});

test('a remaining time of hours is given in hours', () => {
  expect([span(58), span(36_000)]).toEqual(['58 s', '10 h 0 min']);
});

test('a sentence starts with a capital; names and formulas stay unchanged', () => {
  expect(sentence('height of the anchor')).toBe('Height of the anchor');
  expect(sentence('one')).toBe('One');
  for (const text of ['left_knee goes beyond its limit', 'exp(-x) of the error', 'Kept', ''])
    expect(sentence(text)).toBe(text);
});

test('an error at its field does not repeat the name that the API gives the field', () => {
  expect(ofField('run_name: "walk" is taken')).toBe('"walk" is taken');
  expect(ofField('source: no such folder. Check the path')).toBe('No such folder. Check the path');
  expect(ofField('Enter a name.')).toBe('Enter a name.');
});
