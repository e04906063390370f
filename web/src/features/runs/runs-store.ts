import { call } from '../../net/api.ts';
import { RunList } from './run-list.ts';

/** The runs of the selected robot, as known to this page. */
export const { runs, allRuns, refreshSoon, deleteRun } = new RunList({ call });
