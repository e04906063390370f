import { expect, test } from 'vitest';
import { footName, setFoot, toggleKeybody } from '../../../../web/src/features/robot-import/wiring.ts';

const wiring = { anchor: 'trunk', keybodies: ['trunk', 'right'], feet: ['left', 'right'] };

test('key bodies are added and removed in the order of the model', () => {
  const order = ['trunk', 'left', 'right'];
  expect(toggleKeybody(wiring, 'left', order).keybodies).toEqual(['trunk', 'left', 'right']);
  expect(toggleKeybody(wiring, 'trunk', order).keybodies).toEqual(['right']);
});

test('a foot moved to the place of another swaps places with it', () => {
  expect(setFoot(wiring, 0, 'right').feet).toEqual(['right', 'left']);
  expect(setFoot(wiring, 1, 'heel').feet).toEqual(['left', 'heel']);
  expect(setFoot(wiring, 0, null).feet).toEqual(['right']);
  expect(setFoot({ ...wiring, feet: [] }, 0, 'left').feet).toEqual(['left']);
  expect(setFoot({ ...wiring, feet: ['left'] }, 1, 'left').feet).toEqual(['left']); // one body cannot be two feet
});

test('two feet are called left and right, more feet are numbered', () => {
  expect([footName(0, 2), footName(1, 2)]).toEqual(['left foot', 'right foot']);
  expect(footName(2, 4)).toBe('foot 3');
});
