import { computed, signal } from '@preact/signals';
import type { Frame } from '../../../../src/protocol/frame.ts';
import type { PlaySession, PlayState } from '../../../../src/protocol/schemas/play.ts';
import type { call } from '../../net/api.ts';

export interface SessionDeps {
  readonly call: typeof call;
  /** runs `draw` once before the browser draws the next frame */
  readonly nextPicture: (draw: () => void) => void;
}

/** The play session as the service last reported it. The class is small because it is loaded with the first part of the
 *  page. */
export class LiveSession {
  readonly #deps: SessionDeps;
  /** null before the first report */
  readonly playState = signal<PlayState | null>(null);
  readonly session = computed(() => this.playState.value?.session ?? null);
  /** True if a session runs or is paused, also while the next session is being built. */
  readonly isLive = computed(() => {
    const state = this.session.value?.state;
    return state === 'running' || state === 'paused';
  });
  /** Simulation time and real-time factor. They change with every frame, so they are not a signal. */
  readonly playHud = { simTime: 0, realtimeFactor: Number.NaN, clip: '', frame: Number.NaN };
  readonly #watchers = new Set<() => void>();
  #scheduled = false;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Updates the state with a `play` event or the reply to a request. */
  readonly takePlay = (news: PlayState): void => {
    this.playState.value = news;
  };

  /** Changes fields of the session on this page until the next report of the service replaces them. */
  readonly patchSession = (change: Partial<PlaySession>): void => {
    const now = this.session.peek();
    if (now !== null) this.playState.value = { session: { ...now, ...change } };
  };

  /** Reads the session from the service. @throws Error with the service's message */
  readonly refreshPlay = async (): Promise<void> => {
    this.takePlay(await this.#deps.call('GET /api/play'));
  };

  /** Calls `watcher` now, and then at most once per drawn frame when `playHud` changes. @returns a function that
   *  unsubscribes */
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
