import { signal } from '@preact/signals';
import type { EventPayloads } from '../../../src/protocol/events.ts';

/** The id and the role that the service has given to this page; null before the first connection. */
export const identity = signal<EventPayloads['client'] | null>(null);

/** Headers of every request of this page. The service uses them to attribute changes to this client. */
export const ownHeaders: Record<string, string> = {};

/** Stores the id and the role that the service sends on a new connection. */
export function takeIdentity(client: EventPayloads['client']): void {
  identity.value = client;
  ownHeaders['x-client-id'] = client.id;
}
