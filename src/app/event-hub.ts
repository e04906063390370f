import type { EventPayloads, StudioEvent, Topic } from '../protocol/events.ts';

/** Sends every event for clients. Listeners are called at once, in the order of their subscriptions. */
export class EventHub {
  readonly #listeners = new Set<(event: StudioEvent) => void>();

  publish<T extends Topic>(topic: T, payload: EventPayloads[T]): void {
    const event = { type: 'event', topic, payload } as StudioEvent;
    for (const listener of this.#listeners) listener(event);
  }

  /** @returns ends the subscription */
  subscribe(listener: (event: StudioEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
