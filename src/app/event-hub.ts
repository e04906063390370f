import type { EventPayloads, StudioEvent, Topic } from '../protocol/events.ts';

/** Where every event of the service goes through. Listeners run at once, in the order they came. */
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
