import { call } from '../../net/api.ts';
import { ServiceLog } from './service-log.ts';

/** The log as this page knows it. */
export const { logEntries, unseenErrors, takeLog, refreshLog } = new ServiceLog({ call });
