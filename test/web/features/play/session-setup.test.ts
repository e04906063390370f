import { expect, test } from 'vitest';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import { LiveSession } from '../../../../web/src/features/play/live-session.ts';
import { SessionSetup } from '../../../../web/src/features/play/session-setup.ts';
import { Loadable } from '../../../../web/src/ui/loadable.ts';
import { answering, settled } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

const run = (path: string, latest: string | null): Run =>
  ({ path, latest, unplayable: latest === null ? 'it has no checkpoint yet' : null }) as unknown as Run;

async function setup(answers: Parameters<typeof answering>[0], done = true) {
  const { call, calls } = answering({ 'GET /api/play': () => ({ session: null }), ...answers });
  const runs = new Loadable<readonly Run[]>(async () => [run('a/empty', null), run('a/one', 'model_9.pt')]);
  await runs.refresh();
  const sessions = new LiveSession({ call, nextPicture: () => {} });
  const shown: string[] = [];
  const focused: number[] = [];
  const store = new SessionSetup({
    call,
    runSlow: async (_, start) => (await start()).task !== '' && done,
    taskError: () => 'policy.onnx: not a model',
    sessions,
    runs,
    focusEnv: async (index) => void focused.push(index),
    toast: (_, title) => shown.push(title),
    failed: (what) => shown.push(what),
  });
  return { store, sessions, calls, shown, focused, runs };
}

test('without a choice the selection shows the first playable run with its newest checkpoint', async () => {
  const { store } = await setup({});
  expect(store.chosen.value).toMatchObject({ path: 'a/one', checkpoint: 'model_9.pt', numEnvs: 1, terminations: true });
});

test('choosing another run keeps the number of environments, but not the checkpoint', async () => {
  const { store } = await setup({});
  store.choose({ checkpoint: 'model_3.pt', num_envs: 8 });
  expect(store.chosen.value.checkpoint).toBe('model_3.pt');
  store.choose({ run: 'a/one' });
  expect(store.chosen.value).toMatchObject({ checkpoint: 'model_9.pt', numEnvs: 8 });
});

test('a chosen checkpoint stays with its run, whether another run becomes the newest or its own run disappears', async () => {
  const { store, runs } = await setup({});
  store.choose({ checkpoint: 'model_3.pt' });
  runs.set([run('a/two', 'model_1.pt'), run('a/one', 'model_9.pt')]); // a training has saved a checkpoint
  expect(store.chosen.value).toMatchObject({ path: 'a/one', checkpoint: 'model_3.pt' });
  runs.set([run('b/other', 'model_5.pt')]); // another robot was selected
  expect(store.chosen.value).toMatchObject({ path: 'b/other', checkpoint: 'model_5.pt' });
});

test('a link to a run shows its newest checkpoint, not the one that was chosen for another run', async () => {
  const { store, runs } = await setup({});
  store.choose({ checkpoint: 'model_3.pt' });
  const list = [run('a/one', 'model_9.pt'), run('a/two', 'model_1.pt')];
  runs.refresh = async () => runs.set(list);
  await store.openRunLink('a/two', null);
  expect(store.chosen.value).toMatchObject({ path: 'a/two', checkpoint: 'model_1.pt' });
});

test('a session that cannot be built shows the reason, which the next choice clears', async () => {
  const { store } = await setup({ 'POST /api/play/configure': () => ({ task: 'play-1' }) }, false);
  expect(await store.start()).toBe(false);
  expect([store.buildError.value, store.building.value]).toEqual(['policy.onnx: not a model', null]);
  store.choose({ num_envs: 2 });
  expect(store.buildError.value).toBeNull();
});

test('the selection shows a request while it is built, and the previous session if it is refused', async () => {
  const reply = deferred<unknown>();
  const { store, shown } = await setup({ 'POST /api/play/configure': () => reply.promise });
  const done = store.configure({ run: 'a/one', checkpoint: 'model_3.pt' });
  expect(store.chosen.value.checkpoint).toBe('model_3.pt');
  reply.reject(new Error('out of memory'));
  expect(await done).toBe(false);
  expect(store.chosen.value.checkpoint).toBe('model_9.pt');
  expect([store.buildError.value, shown]).toEqual(['out of memory', ['The session could not be built']]);
});

test('motion libraries of a run that is no longer selected are dropped', async () => {
  const old = deferred<unknown>();
  const replies: unknown[] = [old.promise, { libraries: [] }];
  const { store } = await setup({ 'GET /api/play/libraries': () => replies.shift() });
  const first = store.loadLibraries('a/empty');
  await store.loadLibraries('a/one');
  old.resolve({ libraries: [{ path: 'old' }] });
  await first;
  expect(store.libraries.value).toMatchObject({ run: 'a/one', value: [] });
  expect(store.noClips.value).toBe(true);
});

test('libraries that cannot be read are an error, and are fetched again on request', async () => {
  let broken = true;
  const { store } = await setup({
    'GET /api/play/libraries': () => {
      if (broken) throw new Error('busy');
      return { libraries: [{ path: 'data/g1/a', default: true }] };
    },
  });
  await store.loadLibraries('a/one');
  expect(store.libraries.value.error).toBe('busy');
  broken = false;
  await store.loadLibraries('a/one');
  await settled();
  expect(store.chosen.value.motion).toBe('data/g1/a');
});

test('a link to a run that does not exist is reported', async () => {
  const { store, shown } = await setup({});
  await store.openRunLink('gone/run', 1);
  expect(shown).toEqual(['The run gone/run was not found']);
});
