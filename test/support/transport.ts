import { createTransport } from '../../src/gateway/transport/create-transport.ts';
import {
  TRANSPORT_CHOICES,
  type Transport,
  type TransportChoice,
  type TransportOptions,
} from '../../src/gateway/transport/transport.ts';

/** The transport under test; each project of vitest.config.ts sets one. */
export const TEST_TRANSPORT: TransportChoice =
  TRANSPORT_CHOICES.find((name) => name === process.env['TEST_TRANSPORT']) ?? 'auto';

/** Creates the transport under test; it does not listen yet. */
export function testTransport(options: Partial<TransportOptions> = {}): Promise<Transport> {
  return createTransport(TEST_TRANSPORT, { maxConnections: 4096, ...options });
}
