import { expect, test } from 'vitest';
import { settingUnit, variedSetting } from '../../src/protocol/condition-words.ts';

test('a condition with one setting varies it; a switch reads on or off', () => {
  expect(variedSetting({ name: 'a', friction: 0.3 })).toEqual({ field: 'friction', value: '0.3' });
  expect(variedSetting({ name: 'pushes', pushes: true })).toEqual({ field: 'pushes', value: 'on' });
  expect(variedSetting({ name: 'nominal' })).toBeNull();
  expect(variedSetting({ name: 'b', friction: 0.3, delay_steps: 1 })).toBeNull();
});

test('settings with a unit state it', () => {
  expect(['timestep', 'delay_steps', 'mass_scale', 'friction'].map(settingUnit)).toEqual([
    's',
    'control steps',
    '×',
    '',
  ]);
});
