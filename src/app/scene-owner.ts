import type { SceneOwner } from '../protocol/events.ts';
import type { EventHub } from './event-hub.ts';

/** The current owner of the scene, and the owners before it. */
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

  /** Gives the scene back to the previous owner, or to `robots` if there is none. */
  release(owner: SceneOwner): void {
    if (owner === 'robots') return;
    const before = this.current;
    this.#stack = this.#stack.filter((other) => other !== owner);
    if (this.current !== before) this.#hub.publish('owner', { owner: this.current });
  }
}
