import { call } from '../../net/api.ts';
import { ServiceLog } from './service-log.ts';

/** The log of the service, as known to this page. */
export const { logEntries, unseenErrors, takeLog, refreshLog } = new ServiceLog({ call });
