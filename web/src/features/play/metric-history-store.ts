import { MetricHistory } from './metric-history.ts';
import { sessions } from './session-store.ts';

/** The metrics of the page's session. */
export const { historyLine } = new MetricHistory(sessions);
