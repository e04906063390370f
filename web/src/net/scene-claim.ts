import { signal } from '@preact/signals';
import type { SceneOwner } from '../../../src/protocol/events.ts';

/** A change of the scene within this time after an action of this page is attributed to that action. */
const OWN_MS = 5000;

/** The owner of the scene, and whether this page caused its last change. */
export class SceneClaim {
  readonly owner = signal<SceneOwner | null>(null);
  readonly #now: () => number;
  #lastOwn = Number.NEGATIVE_INFINITY;

  /** @param now monotonic clock, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records that this page requests something that may change the scene's owner. */
  readonly ownAction = (): void => {
    this.#lastOwn = this.#now();
  };

  readonly causedHere = (): boolean => this.#now() - this.#lastOwn < OWN_MS;
}
