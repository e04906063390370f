import type { AppContext } from '../app-context.ts';
import type { PlayRuns } from '../play/play-deps.ts';
import type { Runs } from '../runs/runs.ts';
import { Exports } from './exports.ts';

/** Creates the module that exports policies. Threads of the pool write, read and test the exported files. */
export function createExports(
  { places, busy, selected, listing, pool, logger }: AppContext,
  { runs, content }: { readonly runs: Runs; readonly content: PlayRuns },
): Exports {
  return new Exports({
    busy,
    content,
    logger: logger.child('jobs'),
    cache: places.cache,
    robot: () => selected.clipRobot(),
    run: (path) => runs.find(path),
    scan: (run) => listing.run('scanExports', places.runs, run),
    files: {
      write: (order) => pool.run('exportBundle', order),
      zip: (folder, record) => pool.run('zipExport', folder, record),
      record: (zip) => pool.run('readBundleRecord', zip),
      check: (zip, robot, run) => pool.run('checkBundle', zip, robot, run),
    },
  });
}
