import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SceneOwner, StudioEvent } from '../../../src/protocol/events.ts';
import { EventDispatch, type EventDispatchDeps } from '../../../web/src/shell/event-dispatch.ts';
import { ToastQueue } from '../../../web/src/ui/toast-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function page(causedHere = false) {
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
    takeRecording: () => undefined,
    causedHere: () => causedHere,
    owner,
    toast: toasts.toast,
  };
  const { take, connected } = new EventDispatch(deps);
  const event = (topic: StudioEvent['topic'], payload: unknown) => take({ topic, payload } as StudioEvent);
  return { event, connected, done, owner, toasts };
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

test('the state after a new connection is not blamed on another client', () => {
  const { event, connected, owner, toasts } = page();
  event('owner', { owner: 'play' });
  connected(); // the service has restarted and shows the robot
  event('owner', { owner: 'robots' });
  expect([toasts.toasts.value, owner.value]).toEqual([[], 'robots']);
  event('owner', { owner: 'data' });
  expect(toasts.toasts.value).toHaveLength(1);
});

test('a scene taken by another client is announced with a way back; a change of our own is not', () => {
  const other = page();
  other.event('owner', { owner: 'data' }); // the first event reports the current owner, not a change
  other.event('owner', { owner: 'play' });
  const [toast] = other.toasts.toasts.value;
  expect(toast?.title).toBe('Play controls the scene now');
  toast?.action?.run();
  expect(other.done).toEqual(['play clip']);
  expect(other.owner.value).toBe('play');

  const own = page(true);
  own.event('owner', { owner: 'data' });
  own.event('owner', { owner: 'play' });
  expect(own.toasts.toasts.value).toEqual([]);
});
