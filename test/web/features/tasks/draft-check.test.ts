import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DraftCheck } from '../../../../web/src/features/tasks/draft-check.ts';
import { SavedPresets } from '../../../../web/src/features/tasks/saved-presets.ts';
import type { Draft } from '../../../../web/src/features/tasks/task-drafts.ts';
import { answering } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

const draftOf = (more: Partial<Draft> = {}): Draft => ({
  kind: 'preset',
  name: 'rough',
  isNew: false,
  base: 'Wbc-G1',
  modules: [],
  description: '',
  edits: {},
  bad: {},
  ...more,
});

function checking(put: () => unknown) {
  const { call, calls } = answering({ 'PUT /api/presets/{name}': put });
  const draft = signal<Draft | null>(draftOf());
  const store = new DraftCheck({ drafts: { draft }, presets: new SavedPresets({ call }) });
  return { store, draft, calls, stop: store.startChecking() };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a draft is checked after a pause in the edits, not at every change', async () => {
  const { store, draft, calls, stop } = checking(() => ({ yaml: 'base: Wbc-G1', effect: null }));
  for (let k = 0; k < 5; k++) {
    draft.value = draftOf({ edits: { decimation: k } });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect([calls.length, store.isChecking.value]).toEqual([0, true]);
  await vi.advanceTimersByTimeAsync(300);
  expect([calls.length, store.isChecking.value, store.check.value?.yaml]).toEqual([1, false, 'base: Wbc-G1']);
  stop();
});

test('the result for an older draft is dropped', async () => {
  const old = deferred<unknown>();
  const replies = [old.promise, Promise.resolve({ yaml: 'new', effect: null })];
  const { store, draft, stop } = checking(() => replies.shift());
  await vi.advanceTimersByTimeAsync(300);
  draft.value = draftOf({ edits: { decimation: 8 } });
  await vi.advanceTimersByTimeAsync(300);
  old.resolve({ yaml: 'old', effect: null });
  await vi.advanceTimersByTimeAsync(0);
  expect(store.check.value?.yaml).toBe('new');
  stop();
});

test('a refusal is shown at the path that its message names, until the draft changes', async () => {
  const { store, draft, stop } = checking(() => {
    throw new Error('rewards.survival.weight: must be a number');
  });
  await vi.advanceTimersByTimeAsync(300);
  expect(store.problems.value).toEqual([
    { path: 'rewards.survival.weight', text: 'rewards.survival.weight: must be a number' },
  ]);
  draft.value = draftOf({ bad: { decimation: { text: 'x', problem: 'must be an integer' } } });
  expect(store.problems.value).toEqual([{ path: 'decimation', text: 'decimation: must be an integer' }]);
  stop();
});
