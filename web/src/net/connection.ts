import { ServiceConnection } from './service-connection.ts';

/** The connection of this page to the service. */
export const { connection, latencyMs, clients, service, opened, lost } = new ServiceConnection();
