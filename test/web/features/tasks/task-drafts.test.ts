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

/** The list after the weight of survival was saved as `weight`. */
const listWith = (weight: number) => ({
  ...LIST,
  presets: [{ ...LIST.presets[0]!, overrides: { rewards: { survival: { weight } } } }],
});

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

test('a draft is outdated once another page or program has changed its file, however that became known', async () => {
  let list: object = LIST;
  const { store, presets } = await drafts({ 'GET /api/presets': () => list });
  const read = async (next: object) => {
    list = next;
    await presets.presets.refresh(); // after an event or a reconnect
  };
  store.setKnob('rewards.survival.weight', 8, 1);
  await read({ ...LIST });
  expect(store.isOutdated.value).toBe(false); // only another file changed
  await read(listWith(7));
  expect(store.isOutdated.value).toBe(true);
  store.discard(store.draft.value!);
  expect([store.isOutdated.value, store.draft.value?.edits]).toEqual([false, { 'rewards.survival.weight': 7 }]);
  store.setKnob('rewards.survival.weight', 8, 1);
  expect(store.isOutdated.value).toBe(false);
  await read({ ...LIST, presets: [] }); // deleted
  expect(store.isOutdated.value).toBe(true);
});

test('a new preset is outdated if a preset of its name appears', async () => {
  let list: object = { ...LIST, presets: [] };
  const { store, presets } = await drafts({ 'GET /api/presets': () => list });
  store.begin('preset', 'rough', { base: 'Wbc-G1', modules: [], edits: {}, description: '' });
  expect(store.isOutdated.value).toBe(false);
  list = LIST;
  await presets.presets.refresh();
  expect(store.isOutdated.value).toBe(true);
});

test('saving an outdated draft clears it and its outdated state; the saved file is not a change by others', async () => {
  let list: object = LIST;
  const outdated: boolean[] = [];
  const { store, presets, shown } = await drafts({
    'GET /api/presets': () => list,
    'PUT /api/presets/{name}': async () => {
      list = listWith(8);
      await presets.presets.refresh(); // the event may arrive before the reply
      outdated.push(store.isOutdated.value);
      return {};
    },
  });
  store.setKnob('rewards.survival.weight', 8, 1);
  list = listWith(7);
  await presets.presets.refresh();
  expect(store.isOutdated.value).toBe(true);
  await store.save(store.draft.value!);
  expect(outdated).toEqual([false]);
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
  presets.takePresets({ kind: 'module', name: 'longer' });
  expect(presets.schemaOf('Wbc-G1', ['longer']).state.value.loading).toBe(true);
});

test('a change made while the draft is saved stays unsaved, and counts as a change of the saved file', async () => {
  let list: object = LIST;
  const { store } = await drafts({
    'GET /api/presets': () => list,
    'PUT /api/presets/{name}': () => {
      list = listWith(8);
      store.setKnob('decimation', 8, 4); // typed during the request
      return {};
    },
  });
  store.setKnob('rewards.survival.weight', 8, 1);
  await store.save(store.draft.value!);
  expect(store.draft.value).toMatchObject({ isNew: false, edits: { 'rewards.survival.weight': 8, decimation: 8 } });
  expect([store.isUnsaved('preset', 'rough'), store.isOutdated.value]).toEqual([true, false]);
  store.reset('decimation');
  expect(store.hasUnsaved.value).toBe(false);
});

test('a saved draft is dropped although another robot was selected during the save', async () => {
  const { store, robotId } = await drafts({
    'PUT /api/presets/{name}': () => {
      robotId.value = 'h1';
      return {};
    },
  });
  store.setKnob('decimation', 8, 4);
  expect(store.hasUnsaved.value).toBe(true);
  await store.save(store.draft.value!);
  expect(store.hasUnsaved.value).toBe(false);
});
