import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { RobotRegistry } from '../../robots/robot-registry.ts';
import { RunStore } from '../../runs/store/run-store.ts';
import type { AppContext } from '../app-context.ts';
import { Runs } from './runs.ts';

/** Creates the list of runs; the listing thread reads their folders. */
export function createRuns(context: AppContext, registry: RobotRegistry, jobs: JobRegistry): Runs {
  const { places, listing, selected, uses, logger, hub, trash } = context;
  return new Runs({
    store: new RunStore(places.runs, {
      scanAll: (root) => listing.run('scanRuns', root),
      scan: (root, runDir, run) => listing.run('scanRun', root, runDir, run),
      identity: (folder) => listing.run('readRunIdentity', folder),
    }),
    logger: logger.child('jobs'),
    robots: () =>
      registry.list().map(({ id, prepared }) => ({
        id,
        jointNames: prepared?.facts.joints.map((joint) => joint.name) ?? null,
      })),
    selected: () => selected.facts().id,
    jobs,
    uses,
    hub,
    trash,
  });
}
