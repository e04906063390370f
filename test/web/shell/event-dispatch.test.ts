import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SceneOwner, StudioEvent } from '../../../src/protocol/events.ts';
import { EventDispatch, type EventDispatchDeps } from '../../../web/src/shell/event-dispatch.ts';
import { ToastQueue } from '../../../web/src/ui/toast-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ME = { id: 'me', role: 'control', view_token: null } as const;

function page() {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const refresh = (what: string) => ({ refresh: async () => void done.push(what) });
  const toasts = new ToastQueue();
  const owner = signal<SceneOwner | null>(null);
  const deps: EventDispatchDeps = {
    datasets: refresh('datasets'),
    refreshListing: (pages) => void done.push(`listing ${pages.join()}`),
    visiblePages: { now: [2, 3] },
    takePreview: note('preview'),
    playClip: async () => void done.push('play clip'),
    takeJobs: note('jobs'),
    patchSession: (change) => void done.push(`focus ${change.focus}`),
    takePlay: note('play'),
    playSession: note('play session'),
    imports: refresh('imports'),
    robot: refresh('robot'),
    robots: refresh('robots'),
    showRobot: async () => void done.push('show robot'),
    takeLog: note('log'),
    refreshRuns: note('runs'),
    refreshPresets: note('all presets'),
    takePresets: note('presets'),
    takeBusy: note('busy'),
    takeRecording: (running) => void done.push(`recording ${running?.name}`),
    identity: signal(ME),
    takeIdentity: note('identity'),
    owner,
    toast: toasts.toast,
  };
  const { take } = new EventDispatch(deps);
  const event = (topic: StudioEvent['topic'], payload: unknown) => take({ topic, payload } as StudioEvent);
  return { event, done, owner, toasts };
}

test('each topic reaches the store that it concerns', () => {
  const { event, done } = page();
  for (const topic of ['log', 'busy', 'jobs', 'play', 'runs'] as const) event(topic, {});
  event('focus', { index: 3 });
  event('data', { preview: {}, reason: 'preview' });
  expect(done).toEqual(['log', 'busy', 'jobs', 'play', 'runs', 'focus 3', 'preview']);
});

test('selecting a robot refreshes what depends on it; a snapshot at connecting does not', () => {
  const { event, done } = page();
  event('robot', { reason: 'snapshot' });
  expect(done).toEqual([]);
  event('robot', { reason: 'select' });
  expect(done).toEqual(['robot', 'robots', 'datasets', 'all presets']);
});

test('a burst of changed files fetches the counts and the visible pages once', () => {
  const { event, done } = page();
  for (let k = 0; k < 20; k++) event('data', { reason: 'counts' });
  expect(done).toEqual([]);
  vi.advanceTimersByTime(150);
  expect(done).toEqual(['datasets', 'listing 2,3']);
});

test.each([
  ['another client', 'them'],
  ['a script without an id', null],
])('a scene taken over by %s is announced with a way back', (_, by) => {
  const { event, toasts, done, owner } = page();
  event('client', ME);
  event('owner', { owner: 'data', by: null });
  event('owner', { owner: 'play', by });
  const [toast] = toasts.toasts.value;
  expect(toast?.title).toBe('Play controls the scene now');
  toast?.action?.run();
  expect(done).toEqual(['identity', 'play clip']);
  expect(owner.value).toBe('play');
});

test('changes by this page, and the state at connecting, are not announced', () => {
  const { event, toasts, owner } = page();
  event('client', ME);
  event('owner', { owner: 'data', by: null });
  event('owner', { owner: 'play', by: 'me' });
  event('client', ME); // a new connection
  event('owner', { owner: 'robots', by: null });
  expect(owner.value).toBe('robots');
  expect(toasts.toasts.value).toEqual([]);
});

test('a new connection ends the recording that was shown; a recording that still runs is shown again', () => {
  const { event, done } = page();
  event('client', ME);
  event('recordings', { running: { name: 'a' } });
  event('client', ME);
  event('recordings', { running: { name: 'a' } });
  event('client', ME); // the service has restarted
  event('client', ME);
  expect(done.filter((one) => one !== 'identity')).toEqual([
    'recording a',
    'recording undefined',
    'recording a',
    'recording undefined',
  ]);
});
