import type { EventPayloads, StudioEvent, Topic } from '../protocol/events.ts';

/** Sends events to all listeners, which forward them to clients. Listeners are called synchronously, in the order of
 *  subscription. */
export class EventHub {
  readonly #listeners = new Set<(event: StudioEvent) => void>();

  publish<T extends Topic>(topic: T, payload: EventPayloads[T]): void {
    const event = { type: 'event', topic, payload } as StudioEvent;
    for (const listener of this.#listeners) listener(event);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StudioEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
