import { call } from '../../net/api.ts';
import { RunList } from './run-list.ts';

/** The page's runs. */
export const { runs, allRuns, refreshSoon, deleteRun } = new RunList({ call });
