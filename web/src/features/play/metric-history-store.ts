import { MetricHistory } from './metric-history.ts';
import { sessions } from './session-store.ts';

/** The tracking metrics of the play session, as received by this page. */
export const { historyLine } = new MetricHistory(sessions);
