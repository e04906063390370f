import { ServiceConnection } from './service-connection.ts';

/** The connection of this page. */
export const { connection, latencyMs, viewers, service, opened, lost } = new ServiceConnection();
