import { describe, expect, test } from 'vitest';
import type { Knob } from '../../../../src/protocol/schemas/presets.ts';
import { badgeText, parseText, valueText } from '../../../../web/src/features/tasks/knob-value.ts';

const knob = (type: Knob['type'], more: Partial<Knob> = {}): Knob => ({
  path: 'a.b',
  type,
  default: 0,
  value: 0,
  description: '',
  ...more,
});

test('values have a real minus sign, ranges an ellipsis', () => {
  expect(valueText(-0.05)).toBe('−0.05');
  expect(valueText([-0.5, 0.5], true)).toBe('−0.5 … 0.5');
  expect(valueText([64, 64])).toBe('64, 64');
  expect([badgeText(null), badgeText(true), badgeText('plane')]).toEqual(['none', 'on', 'plane']);
});

describe('typed values', () => {
  test.each([
    [knob('number'), '−0.05', -0.05],
    [knob('number'), ' 1e-3 ', 0.001],
    [knob('integer', { minimum: 1 }), '4', 4],
    [knob('integer'), '−4', -4],
    [knob('integer'), '10.000', 10_000],
    [knob('integer'), '10,000', 10_000],
    [knob('vector', { items: 'number', length: 2, ordered: true }), '0.3 … 1.6', [0.3, 1.6]],
    [knob('vector', { items: 'number', length: 2, ordered: true }), '-1, 1', [-1, 1]],
    [knob('vector', { items: 'number', length: 2, ordered: true }), '0.3...1.6', [0.3, 1.6]],
    [knob('vector', { items: 'integer' }), '128 128 64', [128, 128, 64]],
    [knob('vector', { items: 'string' }), 'trunk, left_foot', ['trunk', 'left_foot']],
    [knob('number', { or_number: true, items: 'number' }), '0.2', 0.2],
    [knob('number', { or_number: true, items: 'number' }), '0.1, 0.2', [0.1, 0.2]],
    [knob('vector', { items: 'number', length: 2, nullable: true }), '', null],
    [knob('string'), 'wbc_g1', 'wbc_g1'],
  ])('the typed value %#: %j %j', (of, text, value) => {
    expect(parseText(of, text)).toEqual({ value });
  });

  test.each([
    [knob('number'), 'abc', 'must be a number'],
    [knob('number'), '', 'must be a number'],
    [knob('number'), 'Infinity', 'must be a number'],
    [knob('number'), '1e999', 'must be a number'],
    [knob('number', { minimum: 0 }), '-1', 'must be a number ≥ 0'],
    [knob('number', { above: 0, maximum: 1 }), '0', 'must be a number > 0 and ≤ 1'],
    [knob('integer', { minimum: 1, maximum: 100 }), '2.5', 'must be an integer from 1 to 100'],
    [knob('integer', { minimum: 1, maximum: 100 }), '2.0', 'must be an integer from 1 to 100'],
    [knob('integer'), '', 'must be an integer'],
    [knob('vector', { items: 'number', length: 2, ordered: true }), '2 … 1', 'must begin with the lower number'],
    [knob('vector', { items: 'number', length: 2 }), '2', 'must be 2 numbers'],
    [knob('vector', { items: 'string', enum: ['trunk'] }), 'nose', '"nose" does not fit'],
    [knob('enum', { enum: ['plane', 'stairs'] }), 'moon', 'must be one of plane, stairs'],
  ])('the typed text %#: %j %j is not a value', (of, text, problem) => {
    expect(parseText(of, text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

test('the text of a field is read back as its value', () => {
  const range = knob('vector', { items: 'number', length: 2, ordered: true });
  for (const value of [
    [-0.5, 0.5],
    [0, 0],
    [-1e-7, 2e21],
  ])
    expect(parseText(range, valueText(value, true))).toEqual({ value });
});
