import { expect, test } from 'vitest';
import { EditHistory } from '../../../../web/src/features/data/edit/edit-history.ts';

test('undo and redo step through the values; a new value discards the undone ones', () => {
  const history = new EditHistory('a');
  expect([history.canUndo.value, history.canRedo.value]).toEqual([false, false]);
  history.undo();
  history.redo();
  expect(history.now.value).toBe('a');
  history.push('b');
  history.push('c');
  history.undo();
  expect([history.now.value, history.canUndo.value, history.canRedo.value]).toEqual(['b', true, true]);
  history.undo();
  history.redo();
  expect(history.now.value).toBe('b');
  history.push('d');
  expect([history.now.value, history.canRedo.value]).toEqual(['d', false]);
  history.undo();
  expect(history.now.value).toBe('b');
});
