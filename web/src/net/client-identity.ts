import { signal } from '@preact/signals';
import type { EventPayloads } from '../../../src/protocol/events.ts';

/** Who this page is for the service: id and role; null before the first connection. */
export const identity = signal<EventPayloads['client'] | null>(null);

/** Headers of every request of this page. The service attributes changes to the client that they name. */
export const ownHeaders: Record<string, string> = {};

/** Takes the identity that a new connection has. */
export function takeIdentity(client: EventPayloads['client']): void {
  identity.value = client;
  ownHeaders['x-client-id'] = client.id;
}
