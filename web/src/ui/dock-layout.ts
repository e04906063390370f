import { computed, signal } from '@preact/signals';
import type { remember, remembered } from './stored.ts';

/** What the dock shows below its transport. */
export type DockView = 'timeline' | 'plots' | 'job';

/** Shares of the page's height that a grown dock may take. */
export const DOCK_MIN = 0.2;
export const DOCK_MAX = 0.6;
const DOCK_DEFAULT = 0.5;

/** The parts of the page that it uses. */
export interface DockLayoutDeps {
  readonly remember: typeof remember;
  readonly remembered: typeof remembered;
}

/** What the dock shows and how high it is. */
export class DockLayout {
  readonly #deps: DockLayoutDeps;

  readonly dockView = signal<DockView>('timeline');

  readonly #share = signal(DOCK_DEFAULT);
  /** Share of the page's height, 0..1. */
  readonly dockShare = computed(() => this.#share.value);

  readonly setDockShare = (next: number): void => {
    this.#share.value = Math.min(DOCK_MAX, Math.max(DOCK_MIN, next));
    this.#deps.remember('dock', String(Number(this.#share.value.toFixed(3))));
  };

  readonly resetDockShare = (): void => {
    this.#share.value = DOCK_DEFAULT;
    this.#deps.remember('dock', null);
  };

  constructor(deps: DockLayoutDeps) {
    this.#deps = deps;
    const stored = Number(deps.remembered('dock') ?? Number.NaN);
    if (stored >= DOCK_MIN && stored <= DOCK_MAX) this.#share.value = stored;
  }
}
