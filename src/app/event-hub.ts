import { currentActor } from '../core/actor.ts';
import { ATTRIBUTED_TOPICS, type EventPayloads, type StudioEvent, type Topic } from '../protocol/events.ts';

const ATTRIBUTED: ReadonlySet<Topic> = new Set(ATTRIBUTED_TOPICS);

/** Sends events to all listeners, which forward them to clients. Listeners are called synchronously, in the order of
 *  subscription. */
export class EventHub {
  readonly #listeners = new Set<(event: StudioEvent) => void>();

  /** Publishes an event. Payloads of attributed topics get `by`, the client whose request caused the event. */
  publish<T extends Topic>(topic: T, payload: EventPayloads[T]): void {
    const by = ATTRIBUTED.has(topic) && !('by' in payload) ? { by: currentActor() } : {};
    const event = { type: 'event', topic, payload: { ...payload, ...by } } as StudioEvent;
    for (const listener of this.#listeners) listener(event);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StudioEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
