import { expect, test } from 'vitest';
import { drawable } from '../../../web/src/scene/drawable.ts';

const header = (model_version: number, nbody: number, owner: 'robots' | 'import' = 'robots') => ({
  model_version,
  nbody,
  owner,
});
const WALKER = { robot: 'walker', version: 1, nbody: 7 };
const G1 = { robot: 'g1', version: 2, nbody: 30 };
const SHOWN = { ...WALKER, owner: 'robots' } as const;

test('the previous robot disappears with the first frame of another model, before the new model is loaded', () => {
  expect(drawable(header(1, 7), SHOWN, null)).toBe('model');
  expect(drawable(header(2, 30), SHOWN, null)).toBe('nothing');
  // an equal number of bodies does not make it the same robot
  expect(drawable(header(2, 7), SHOWN, null)).toBe('nothing');
});

test('a robot whose bodies are known is drawn as lines until its geometry arrives', () => {
  expect(drawable(header(2, 30), SHOWN, G1)).toBe('lines');
  expect(drawable(header(2, 30), null, G1)).toBe('lines');
  expect(drawable(header(2, 30), { ...G1, owner: 'robots' }, G1)).toBe('model');
});

test('after two quick selections, the lines of the first robot are not drawn for the second', () => {
  expect(drawable(header(3, 30), SHOWN, G1)).toBe('nothing');
});

test('a changed model of the same robot keeps the robot in the picture, also for the draft of an import', () => {
  expect(drawable(header(2, 7), SHOWN, { ...WALKER, version: 2 })).toBe('model');
  expect(drawable(header(2, 7, 'import'), { ...SHOWN, owner: 'import' }, null)).toBe('model');
  expect(drawable(header(2, 7, 'import'), SHOWN, null)).toBe('nothing');
});

test('nothing is drawn before the first frame', () => {
  expect(drawable(null, SHOWN, G1)).toBe('nothing');
});
