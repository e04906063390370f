import { expect, test } from 'vitest';
import type { LiveSession } from '../../../src/app/play/live-session.ts';
import { PlayTransport } from '../../../src/app/play/play-transport.ts';

/** Controls of a session of 4 environments whose actions take effect when the test calls `effects`. */
function slowSession() {
  const pins = new Map<number, string>();
  const live = {
    request: { numEnvs: 4, compare: null, motion: 'data/walker/walks' },
    playing: true,
    focus: 0,
    clips: ['walk'],
    plan: { library: { clips: [{ frames: 10 }] } },
    pins,
    pinned: (env: number, clip: number) => pins.set(env, `${clip}`),
    ring: () => {},
  };
  const effects: (() => void)[] = [];
  const published: number[] = [];
  const transport = new PlayTransport({
    require: () => live as unknown as LiveSession,
    act: () => new Promise((resolve) => effects.push(resolve)),
    changed: () => {},
    focused: (env) => published.push(env),
  });
  return { live, transport, effects, published };
}

test('a pin and a focus that take effect while the number of environments shrinks do not outlast it', async () => {
  const { live, transport, effects, published } = slowSession();
  const actions = [transport.focus(3), transport.pin({ clip: 'walk', env: 3 })];
  // when the session shrinks to 2 before the actions have taken effect
  live.request.numEnvs = 2;
  live.focus = Math.min(live.focus, 1);
  live.pins.delete(3);
  for (const happen of effects) happen();
  await Promise.all(actions);
  expect([live.focus, published, [...live.pins.keys()]]).toEqual([1, [1], []]);
});

test('a second toggle that comes before the first has taken effect toggles again', async () => {
  const { live, transport, effects } = slowSession();
  const toggles = [transport.setPlaying(undefined), transport.setPlaying(undefined)];
  for (const happen of effects) happen();
  expect(await Promise.all(toggles)).toEqual([false, true]);
  expect(live.playing).toBe(true);
});
