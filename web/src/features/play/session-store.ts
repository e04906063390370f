import { computed, signal } from '@preact/signals';
import type { Frame } from '../../../../src/protocol/frame.ts';
import type { PlaySession, PlayState } from '../../../../src/protocol/schemas/play.ts';
import { call } from '../../net/api.ts';

/** The play session as the service last told; null before it did. Part of the shell: what is done with it comes later. */
export const playState = signal<PlayState | null>(null);
export const session = computed(() => playState.value?.session ?? null);
/** A session whose environments stand: it can be played, also while the next one is being built. */
export const isLive = computed(() => session.value?.state === 'running' || session.value?.state === 'paused');

export function takePlay(news: PlayState): void {
  playState.value = news;
}

/** Shows a change at once; the service's own word follows. */
export function patchSession(change: Partial<PlaySession>): void {
  const now = session.peek();
  if (now !== null) playState.value = { session: { ...now, ...change } };
}

export async function refreshPlay(): Promise<void> {
  takePlay(await call('GET /api/play'));
}

/** What moves with every frame of a session, outside signals. */
export const playHud = { simTime: 0, realtimeFactor: Number.NaN, clip: '', frame: Number.NaN };
const watchers = new Set<() => void>();
let told = false;

/** Told at most once a displayed picture when the figures of the scene moved. @returns ends it */
export function watchPlayHud(watcher: () => void): () => void {
  watchers.add(watcher);
  watcher();
  return () => watchers.delete(watcher);
}

/** Reads the figures from a frame of the play scene. */
export function followPlayFrame({ header: { owner, hud } }: Frame): void {
  if (owner !== 'play') return;
  playHud.simTime = hud.sim_time ?? playHud.simTime;
  playHud.realtimeFactor = hud.realtime_factor ?? Number.NaN;
  playHud.clip = hud.clip ?? '';
  playHud.frame = hud.frame ?? Number.NaN;
  if (told) return;
  told = true;
  requestAnimationFrame(() => {
    told = false;
    for (const watcher of watchers) watcher();
  });
}
