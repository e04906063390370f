import { ServiceConnection } from './service-connection.ts';

/** The connection of this page to the service. */
export const { connection, latencyMs, viewers, service, opened, lost } = new ServiceConnection();
