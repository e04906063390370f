import { nameOf } from '../route.ts';

/** Path of a run in a query or body. */
export const runPath = nameOf('Path of the run: `<run_dir>/<run>`');
