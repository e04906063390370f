import { nameOf } from '../route.ts';

/** Path of a run in a query or body. */
export const runPath = nameOf('path of a run: `<run_dir>/<run>`');
