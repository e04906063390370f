import { signal } from '@preact/signals';
import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { setPlayOptions } from '../../../../src/protocol/routes/play.ts';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { call } from '../../net/api.ts';
import { LatestSender } from '../../net/latest-sender.ts';
import { ownAction } from '../../net/scene-owner.ts';
import { remember, remembered } from '../../ui/stored.ts';
import { failed } from '../../ui/toasts.ts';
import { tinted } from '../../viewport/view-state.ts';
import { patchSession, playHud, playState, refreshPlay, session } from './session-store.ts';

/** Shows a change at once, asks for it, and takes it back where the service refuses. */
async function change<R>(what: string, shown: Partial<PlaySession>, ask: () => Promise<R>): Promise<R | null> {
  const before = session.peek();
  if (before === null) return null;
  ownAction();
  patchSession(shown);
  try {
    return await ask();
  } catch (error) {
    const undone = Object.fromEntries(Object.keys(shown).map((key) => [key, before[key as keyof PlaySession]]));
    if (session.peek()?.id === before.id) patchSession(undone as Partial<PlaySession>);
    failed(what, error);
    // the session may have gone, or be another's by now
    refreshPlay().catch((again: unknown) => failed('The session could not be read', again));
    return null;
  }
}

export async function setPlaying(playing: boolean): Promise<void> {
  await change(
    playing ? 'The session could not be resumed' : 'The session could not be paused',
    { playing, state: playing ? 'running' : 'paused' },
    () => call('POST /api/play/playing', { body: { playing } }),
  );
}

export function togglePlaying(): void {
  const now = session.peek();
  if (now !== null) void setPlaying(!now.playing);
}

/** Pauses, then one control step. */
export async function step(): Promise<void> {
  const reply = await change('The session could not be stepped', { playing: false, state: 'paused' }, () =>
    call('POST /api/play/step'),
  );
  if (reply !== null) playHud.simTime = reply.sim_time;
}

export async function restart(): Promise<void> {
  await change('The environments could not be restarted', {}, () => call('POST /api/play/restart'));
}

export async function stopSession(): Promise<void> {
  ownAction();
  playState.value = { session: null };
  try {
    await call('POST /api/play/stop');
    await refreshPlay();
  } catch (error) {
    failed('The session could not be stopped', error);
    refreshPlay().catch((again: unknown) => failed('The session could not be read', again));
  }
}

export async function focusEnv(index: number): Promise<void> {
  const now = session.peek();
  if (now === null || index < 0 || index >= now.num_envs || index === now.focus) return;
  await change(`Environment ${index} could not be focused`, { focus: index }, () =>
    call('POST /api/focus', { body: { index } }),
  );
}

/** The environment before (−1) or after (+1) the focused one; round and round. */
export function focusNext(direction: 1 | -1): void {
  const now = session.peek();
  if (now !== null) void focusEnv((now.focus + direction + now.num_envs) % now.num_envs);
}

/** Pins a clip to the focused environment, where it loops; null lets it draw clips again. */
export async function pinClip(clip: string | null): Promise<void> {
  const now = session.peek();
  if (now === null) return;
  const others = now.pins.filter(({ env }) => env !== now.focus);
  const pins = clip === null ? others : [...others, { env: now.focus, clip }];
  await change(clip === null ? 'The clip could not be unpinned' : `${clip} could not be pinned`, { pins }, () =>
    call('POST /api/play/clip', { body: { clip, env: now.focus } }),
  );
}

/** The last change of options: the next one is sent after it. */
let settled: Promise<unknown> = Promise.resolve();

export async function setOptions(options: BodyOf<typeof setPlayOptions>): Promise<void> {
  const now = session.peek();
  if (now === null) return;
  const shown = { ...now.options, ...options } as PlaySession['options'];
  const before = settled;
  const sent = change('The option could not be set', { options: shown }, () =>
    before.then(() => call('POST /api/play/options', { body: options })),
  );
  settled = sent;
  const reply = await sent;
  if (reply !== null && settled === sent) patchSession({ options: reply.options });
}

/** Bodies are compared with the ghost, which therefore must be there. */
export function setTint(on: boolean): void {
  tinted.value = on;
  if (on && session.peek()?.options.ghost === 'off') void setOptions({ ghost: 'overlay' });
}

const GHOSTS = ['off', 'overlay', 'beside'] as const;

export function cycleGhost(): void {
  const now = session.peek()?.options.ghost ?? 'off';
  void setOptions({ ghost: GHOSTS[(GHOSTS.indexOf(now) + 1) % GHOSTS.length]! });
}

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 4, 8] as const;

/** The next speed of the menu above (+1) or below (−1) the present one. */
export function changeSpeed(direction: 1 | -1): void {
  const now = session.peek()?.options.speed ?? 1;
  const next = direction > 0 ? SPEEDS.find((s) => s > now + 1e-6) : SPEEDS.findLast((s) => s < now - 1e-6);
  if (next !== undefined) void setOptions({ speed: next });
}

/** m/s */
export const PUSH_MOST = 3;
const storedPush = Number(remembered('push') ?? Number.NaN);
export const pushSpeed = signal(storedPush > 0 && storedPush <= PUSH_MOST ? storedPush : 1.5);

export function setPushSpeed(speed: number): void {
  pushSpeed.value = speed;
  remember('push', String(speed));
}

/** Pushes the focused environment into a direction of chance. */
export async function push(): Promise<void> {
  const now = session.peek();
  if (now === null) return;
  await change('The robot could not be pushed', {}, () =>
    call('POST /api/play/push', { body: { speed: pushSpeed.peek(), env: now.focus } }),
  );
}

const weights = new LatestSender<string, number, readonly PlaySession['rewards'][number][]>(
  async (name, weight) => (await call('POST /api/play/rewards', { body: { rewards: { [name]: weight } } })).rewards,
  (_, rewards) => patchSession({ rewards: [...rewards] }),
  (name, error) => {
    failed(`The weight of ${name} could not be set`, error);
    refreshPlay().catch((again: unknown) => failed('The session could not be read', again));
  },
);

/** Live: counts from the next step. */
export function setWeight(name: string, weight: number): void {
  const now = session.peek();
  if (now === null || !Number.isFinite(weight)) return;
  patchSession({ rewards: now.rewards.map((term) => (term.name === name ? { ...term, weight } : term)) });
  weights.push(name, weight);
}

/** Gives every term the weight of the run. */
export async function resetWeights(): Promise<void> {
  const now = session.peek();
  if (now === null) return;
  const rewards = now.rewards.map((term) => ({ ...term, weight: term.default }));
  await change('The weights could not be reset', { rewards }, () =>
    call('POST /api/play/rewards', {
      body: { rewards: Object.fromEntries(rewards.map(({ name, weight }) => [name, weight])) },
    }),
  );
}
