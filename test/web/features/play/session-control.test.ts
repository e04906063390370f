import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { LiveSession } from '../../../../web/src/features/play/live-session.ts';
import { SessionControl } from '../../../../web/src/features/play/session-control.ts';
import { answering, settled } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

const SESSION = {
  id: 1,
  state: 'running',
  playing: true,
  num_envs: 3,
  focus: 0,
  pins: [],
  options: { ghost: 'off', speed: 1 },
  rewards: [{ name: 'survival', weight: 1, default: 1 }],
} as unknown as PlaySession;

function control(answers: Parameters<typeof answering>[0], session: PlaySession | null = SESSION) {
  const { call, calls } = answering({ 'GET /api/play': () => ({ session }), ...answers });
  const failures: string[] = [];
  const sessions = new LiveSession({ call, nextPicture: (draw) => draw() });
  sessions.takePlay({ session });
  const tinted = signal(false);
  const stored = new Map<string, string>();
  const store = new SessionControl({
    call,
    sessions,
    failed: (what) => failures.push(what),
    remembered: (key) => stored.get(key) ?? null,
    remember: (key, value) => void stored.set(key, String(value)),
    tinted,
  });
  return { store, sessions, failures, calls, tinted };
}

test('a pause is shown at once and rolled back if the service refuses it', async () => {
  const reply = deferred<unknown>();
  const { store, sessions, failures } = control({
    'POST /api/play/playing': () => reply.promise,
    'GET /api/play': () => deferred<never>().promise,
  });
  const done = store.setPlaying(false);
  expect(sessions.session.value).toMatchObject({ playing: false, state: 'paused' });
  reply.reject(new Error('the session is being built'));
  await done;
  expect(sessions.session.value).toMatchObject({ playing: true, state: 'running' });
  expect(failures).toEqual(['The session could not be paused']);
});

test('a refusal does not roll back a session that was replaced in the meantime', async () => {
  const reply = deferred<unknown>();
  const { store, sessions } = control({
    'POST /api/focus': () => reply.promise,
    'GET /api/play': () => deferred<never>().promise,
  });
  const done = store.focusEnv(2);
  sessions.takePlay({ session: { ...SESSION, id: 2, focus: 1 } });
  reply.reject(new Error('gone'));
  await done;
  expect(sessions.session.value).toMatchObject({ id: 2, focus: 1 });
});

test('options are sent one after the other, and the last reply is used', async () => {
  const first = deferred<unknown>();
  const replies: unknown[] = [first.promise, { options: { ghost: 'overlay', speed: 2 } }];
  const { store, sessions, calls } = control({ 'POST /api/play/options': () => replies.shift() });
  const both = [store.setOptions({ ghost: 'overlay' }), store.setOptions({ speed: 2 })];
  await settled();
  expect(calls).toHaveLength(1);
  expect(sessions.session.value?.options).toMatchObject({ ghost: 'overlay', speed: 2 });
  first.resolve({ options: { ghost: 'overlay', speed: 1 } });
  await Promise.all(both);
  expect(sessions.session.value?.options).toEqual({ ghost: 'overlay', speed: 2 });
});

test('the environment after the last is the first, and without a session none is focused', async () => {
  const { store, sessions } = control({ 'POST /api/focus': () => ({}) });
  store.focusNext(-1);
  expect(sessions.session.value?.focus).toBe(2);
  store.focusNext(1);
  expect(sessions.session.value?.focus).toBe(0);
  const { store: idle, calls } = control({}, null);
  idle.focusNext(1);
  expect(calls).toEqual([]);
});

test('a refused weight is reported and fetched again', async () => {
  const { store, sessions, failures } = control({});
  store.setWeight('survival', 4);
  expect(sessions.session.value?.rewards[0]?.weight).toBe(4);
  await settled();
  expect(failures).toEqual(['The weight of survival could not be set']);
  expect(sessions.session.value?.rewards[0]?.weight).toBe(1);
});

test('colouring by error also shows the ghost', async () => {
  const { store, sessions, tinted } = control({
    'POST /api/play/options': ({ body }) => ({ options: { ...SESSION.options, ...body } }),
  });
  store.setTint(true);
  expect([tinted.value, sessions.session.value?.options.ghost]).toEqual([true, 'overlay']);
});

test('watchers of the session are called at most once per picture', () => {
  const pictures: (() => void)[] = [];
  const { call } = answering({});
  const sessions = new LiveSession({ call, nextPicture: (draw) => pictures.push(draw) });
  let seen = 0;
  const stop = sessions.watchPlayHud(() => {
    seen += 1;
  });
  const frame = (sim_time: number) => ({ header: { owner: 'play', hud: { sim_time } } }) as never;
  for (let k = 0; k < 5; k++) sessions.followPlayFrame(frame(k));
  expect([pictures.length, seen, sessions.playHud.simTime]).toEqual([1, 1, 4]);
  pictures[0]!();
  expect(seen).toBe(2);
  stop();
});
