import { computed, signal } from '@preact/signals';
import type { remember, remembered } from './stored.ts';

/** Contents of the dock below its transport. */
export type DockView = 'timeline' | 'plots' | 'job';

/** Limits of an enlarged dock, as shares of the page's height. */
export const DOCK_MIN = 0.2;
export const DOCK_MAX = 0.6;
const DOCK_DEFAULT = 0.5;

/** Dependencies of DockLayout. */
export interface DockLayoutDeps {
  readonly remember: typeof remember;
  readonly remembered: typeof remembered;
}

/** Contents and height of the dock. */
export class DockLayout {
  readonly #deps: DockLayoutDeps;

  readonly dockView = signal<DockView>('timeline');

  readonly #share = signal(DOCK_DEFAULT);
  /** Height of the dock as a share of the page's height, 0..1. */
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
