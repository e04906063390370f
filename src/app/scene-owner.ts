import type { SceneOwner } from '../protocol/events.ts';
import type { EventHub } from './event-hub.ts';

/** Who has the scene, and who had it before. */
export class OwnerStack {
  readonly #hub: EventHub;
  #stack: SceneOwner[] = ['robots'];

  constructor(hub: EventHub) {
    this.#hub = hub;
  }

  get current(): SceneOwner {
    return this.#stack.at(-1) ?? 'robots';
  }

  take(owner: SceneOwner): void {
    const before = this.current;
    this.#stack = [...this.#stack.filter((other) => other !== owner), owner];
    if (before !== owner) this.#hub.publish('owner', { owner });
  }

  /** `owner` has nothing to show any more: the one before it gets the scene, in the end `robots`. */
  release(owner: SceneOwner): void {
    if (owner === 'robots') return;
    const before = this.current;
    this.#stack = this.#stack.filter((other) => other !== owner);
    if (this.current !== before) this.#hub.publish('owner', { owner: this.current });
  }
}
