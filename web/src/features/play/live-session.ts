import { computed, signal } from '@preact/signals';
import type { Frame } from '../../../../src/protocol/frame.ts';
import type { PlaySession, PlayState } from '../../../../src/protocol/schemas/play.ts';
import type { call } from '../../net/api.ts';

export interface SessionDeps {
  readonly call: typeof call;
  /** runs `draw` once before the next picture */
  readonly nextPicture: (draw: () => void) => void;
}

/** The play session as the service last reported it. This class is small because the shell loads it with the page. */
export class LiveSession {
  readonly #deps: SessionDeps;
  /** null before the first report */
  readonly playState = signal<PlayState | null>(null);
  readonly session = computed(() => this.playState.value?.session ?? null);
  /** Whether a session runs or is paused. Stays true while the next session is being built. */
  readonly isLive = computed(() => {
    const state = this.session.value?.state;
    return state === 'running' || state === 'paused';
  });
  /** Changes with every frame, so it is not a signal. */
  readonly playHud = { simTime: 0, realtimeFactor: Number.NaN, clip: '', frame: Number.NaN };
  readonly #watchers = new Set<() => void>();
  #scheduled = false;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Applies a `play` event or reply. */
  readonly takePlay = (news: PlayState): void => {
    this.playState.value = news;
  };

  /** Changes fields of the session on this page; the next report of the service replaces them. */
  readonly patchSession = (change: Partial<PlaySession>): void => {
    const now = this.session.peek();
    if (now !== null) this.playState.value = { session: { ...now, ...change } };
  };

  /** @throws the service's error */
  readonly refreshPlay = async (): Promise<void> => {
    this.takePlay(await this.#deps.call('GET /api/play'));
  };

  /** Calls `watcher` now, and at most once per picture when `playHud` changes. @returns a function that unsubscribes */
  readonly watchPlayHud = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    watcher();
    return () => this.#watchers.delete(watcher);
  };

  /** Updates `playHud` from a frame of the play scene. */
  readonly followPlayFrame = ({ header: { owner, hud } }: Frame): void => {
    if (owner !== 'play') return;
    this.playHud.simTime = hud.sim_time ?? this.playHud.simTime;
    this.playHud.realtimeFactor = hud.realtime_factor ?? Number.NaN;
    this.playHud.clip = hud.clip ?? '';
    this.playHud.frame = hud.frame ?? Number.NaN;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#deps.nextPicture(this.#notify);
  };

  readonly #notify = (): void => {
    this.#scheduled = false;
    for (const watcher of this.#watchers) watcher();
  };
}
