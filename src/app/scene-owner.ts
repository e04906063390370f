import { currentActor } from '../core/actor.ts';
import type { SceneOwner, StudioEvent } from '../protocol/events.ts';
import type { EventHub } from './event-hub.ts';

/** The current owner of the scene, and the owners before it. */
export class OwnerStack {
  readonly #hub: EventHub;
  #stack: SceneOwner[] = ['robots'];
  /** the client that caused the last change */
  #by: string | null = null;

  constructor(hub: EventHub) {
    this.#hub = hub;
  }

  get current(): SceneOwner {
    return this.#stack.at(-1) ?? 'robots';
  }

  take(owner: SceneOwner): void {
    const before = this.current;
    this.#stack = [...this.#stack.filter((other) => other !== owner), owner];
    if (before !== owner) this.#publish();
  }

  /** Gives the scene back to the previous owner, or to `robots` if there is none. */
  release(owner: SceneOwner): void {
    if (owner === 'robots') return;
    const before = this.current;
    this.#stack = this.#stack.filter((other) => other !== owner);
    if (this.current !== before) this.#publish();
  }

  /** Returns the last change as an event for a new client. */
  snapshot(): StudioEvent {
    return { type: 'event', topic: 'owner', payload: { owner: this.current, by: this.#by } };
  }

  #publish(): void {
    this.#by = currentActor();
    this.#hub.publish('owner', { owner: this.current, by: this.#by });
  }
}
