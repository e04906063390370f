import { expect, test } from 'vitest';
import { type KeyPress, shortcutOf, shortcutsWith } from '../../../web/src/shell/keys.ts';

const SHORTCUTS = shortcutsWith([
  { id: 'robots', title: 'Robots', key: '1' },
  { id: 'data', title: 'Data', key: '2' },
]);

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});
const command = (key: string, more?: Partial<KeyPress>) => shortcutOf(press(key, more), SHORTCUTS)?.command;

test('arrow keys step a frame, and with Shift a second', () => {
  expect(command('ArrowRight')).toBe('step-forward');
  expect(command('ArrowLeft', { shiftKey: true })).toBe('second-back');
});

test('characters that need Shift on some keyboards work with and without it', () => {
  expect(command('?', { shiftKey: true })).toBe('help');
  expect(command('+', { shiftKey: true })).toBe('faster');
  expect(command('/')).toBe('search');
});

test('Ctrl and Command with K open the palette; other combinations are left to the browser', () => {
  expect(command('k', { ctrlKey: true })).toBe('palette');
  expect(command('k', { metaKey: true })).toBe('palette');
  for (const key of ['a', 'f', 'y', 'c', '1', '+', '-']) expect(command(key, { ctrlKey: true })).toBeUndefined();
});

test('Alt and a digit open an area even where Alt changes the character', () => {
  expect(command('¡', { altKey: true, code: 'Digit1' })).toBe('area-robots');
  expect(command('2', { altKey: true, code: 'Digit2' })).toBe('area-data');
});

test('the key left of 1 shows plots, even where it is a dead key for accents', () => {
  expect(command('`', { code: 'Backquote' })).toBe('plots');
  expect(command('Dead', { code: 'Backquote' })).toBe('plots');
  expect(command('Dead', { code: 'BracketLeft' })).toBeUndefined();
});

test('no two shortcuts share a key combination, and while typing only those with a modifier work', () => {
  const chords = SHORTCUTS.flatMap((shortcut) => shortcut.chords.map((chord) => JSON.stringify(chord)));
  expect(new Set(chords).size).toBe(chords.length);
  for (const { single, chords: own } of SHORTCUTS) {
    if (!single) expect(own.every((chord) => chord.ctrl || chord.alt || chord.key === 'Escape')).toBe(true);
  }
});
