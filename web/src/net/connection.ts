import { ServiceConnection } from './service-connection.ts';

/** The connection of this page to the service, and functions that change its state. */
export const { connection, latencyMs, clients, refused, lostText, service, opened, lost, heartbeat } =
  new ServiceConnection();
