import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { SavedPresets } from '../../../../web/src/features/tasks/saved-presets.ts';
import { TaskDrafts } from '../../../../web/src/features/tasks/task-drafts.ts';
import { answering } from '../../answers.ts';

const LIST = {
  tasks: [{ name: 'Wbc-G1', preset: null }],
  presets: [
    {
      name: 'rough',
      base: 'Wbc-G1',
      modules: [],
      description: '',
      overrides: { rewards: { survival: { weight: 2 } } },
      error: null,
    },
  ],
  modules: [],
};

async function drafts(answers: Parameters<typeof answering>[0] = {}) {
  const { call, calls } = answering({ 'GET /api/presets': () => LIST, ...answers });
  const presets = new SavedPresets({ call });
  await presets.presets.refresh();
  const robotId = signal('g1');
  const shown: string[] = [];
  const store = new TaskDrafts({
    presets,
    robotId,
    toast: (_, title) => shown.push(title),
    failed: (what) => shown.push(what),
  });
  store.chosen.value = { kind: 'preset', name: 'rough' };
  return { store, presets, robotId, shown, calls };
}

test('a draft equal to its file is treated as saved', async () => {
  const { store } = await drafts();
  store.setKnob('rewards.survival.weight', 3, 1);
  expect(store.isUnsaved('preset', 'rough')).toBe(true);
  store.setKnob('rewards.survival.weight', 2, 1);
  expect(store.isUnsaved('preset', 'rough')).toBe(false);
});

test('setting a knob back to its original value removes the edit', async () => {
  const { store } = await drafts();
  store.setKnob('rewards.survival.weight', 1, 1);
  expect(store.draft.value?.edits).toEqual({});
  expect(store.isUnsaved('preset', 'rough')).toBe(true);
});

test('invalid text is kept for correction, and a valid value replaces it', async () => {
  const { store } = await drafts();
  store.setBadText('decimation', 'many', 'must be an integer');
  expect(store.draft.value?.bad['decimation']?.text).toBe('many');
  store.setKnob('decimation', 8, 4);
  expect(store.draft.value).toMatchObject({ bad: {}, edits: { decimation: 8 } });
});

test('drafts belong to their robot and are restored when it is selected again', async () => {
  const { store, robotId } = await drafts();
  store.setKnob('decimation', 8, 4);
  robotId.value = 'h1';
  expect(store.unsaved.value).toEqual([]);
  robotId.value = 'g1';
  expect(store.draft.value?.edits['decimation']).toBe(8);
});

test('a draft that the service refuses to save is kept, with a report', async () => {
  const { store, shown } = await drafts();
  store.setKnob('decimation', 8, 4);
  await store.save(store.draft.value!);
  expect([store.saving.value, store.isUnsaved('preset', 'rough')]).toEqual([false, true]);
  expect(shown).toEqual(['rough could not be saved']);
});

test('saving an outdated draft clears it and its outdated state', async () => {
  const { store, presets, shown } = await drafts({ 'PUT /api/presets/{name}': () => ({}) });
  store.setKnob('decimation', 8, 4);
  presets.takePresets({ kind: 'preset', name: 'rough', reason: 'changed' });
  expect(store.isOutdated.value).toBe(true);
  await store.save(store.draft.value!);
  expect([store.isOutdated.value, store.unsaved.value]).toEqual([false, []]);
  expect(shown).toEqual(['rough saved']);
});

test('a discarded new preset is no longer selected', async () => {
  const { store } = await drafts();
  store.begin('preset', 'fresh', { base: 'Wbc-G1', modules: [], edits: {}, description: '' });
  expect(store.chosen.value?.name).toBe('fresh');
  store.discard(store.draft.value!);
  expect([store.chosen.value, store.unsaved.value]).toEqual([null, []]);
});

test('deleting a preset that the service refuses to delete returns the reason', async () => {
  const { store } = await drafts();
  expect(await store.remove(store.draft.value!)).toContain('DELETE /api/presets');
  expect(store.chosen.value?.name).toBe('rough');
});

test('the knobs of a task with the same modules are fetched once, and again when a module changes', async () => {
  const { presets, calls } = await drafts({ 'GET /api/presets/schema': () => ({ knobs: [] }) });
  const schemas = () => calls.filter((call) => call === 'GET /api/presets/schema').length;
  expect(presets.schemaOf('Wbc-G1', ['longer'])).toBe(presets.schemaOf('Wbc-G1', ['longer']));
  expect(schemas()).toBe(1);
  presets.takePresets({ kind: 'module', name: 'longer', reason: 'saved' });
  expect(presets.schemaOf('Wbc-G1', ['longer']).state.value.loading).toBe(true);
});
