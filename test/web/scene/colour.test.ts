import { expect, test } from 'vitest';
import { parseHex, surfaceOf } from '../../../web/src/scene/colour.ts';

const SHELL = parseHex('#c3c9d1');
const DARK = parseHex('#2b2f36');

test('white and black become the shell and dark colours of the theme; greys lie between', () => {
  expect(surfaceOf([1, 1, 1, 1], SHELL, DARK).colour).toEqual(SHELL);
  expect(surfaceOf([0.05, 0.05, 0.05, 1], SHELL, DARK).colour).toEqual(DARK);
  const grey = surfaceOf([0.41, 0.41, 0.41, 1], SHELL, DARK).colour;
  expect(grey[0]).toBeGreaterThan(DARK[0]);
  expect(grey[0]).toBeLessThan(SHELL[0]);
});

test('hues of the model are kept, and strong ones glow slightly', () => {
  const accent = surfaceOf([0.3, 0.64, 1, 1], SHELL, DARK);
  expect(accent.colour).toEqual([0.3, 0.64, 1]);
  expect(accent.glow).toBeGreaterThan(0);
  expect(surfaceOf([0.5, 0.42, 0.35, 1], SHELL, DARK).glow).toBe(0);
});

test('shell and dark parts have the finishes of the design', () => {
  expect(surfaceOf([1, 1, 1, 1], SHELL, DARK)).toMatchObject({ roughness: 0.42, metalness: 0.18, clearcoat: 0.35 });
  expect(surfaceOf([0, 0, 0, 1], SHELL, DARK)).toMatchObject({ roughness: 0.52, metalness: 0.35, clearcoat: 0.2 });
  expect(surfaceOf([1, 1, 1, 0.4], SHELL, DARK).opacity).toBe(0.4);
});
