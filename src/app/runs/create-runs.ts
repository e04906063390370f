import path from 'node:path';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { RobotRegistry } from '../../robots/robot-registry.ts';
import { RunStore } from '../../runs/store/run-store.ts';
import type { AppContext } from '../app-context.ts';
import { Runs } from './runs.ts';

/** Creates the module that lists runs. The listing thread reads their folders. */
export function createRuns(context: AppContext, registry: RobotRegistry, jobs: JobRegistry): Runs {
  const { places, listing, pool, selected, uses, logger, hub, trash } = context;
  const log = logger.child('jobs');
  const store = new RunStore(
    places.runs,
    {
      sweep: (root, since, start) => listing.run('sweepRuns', root, since, start),
      scan: (root, runDir, run) => listing.run('scanRun', root, runDir, run),
    },
    {
      reader: {
        identity: (folder) => listing.run('readRunIdentity', folder),
        quick: (folders) => listing.run('readRunIdentities', folders, false),
        whole: (folders) => pool.run('readRunIdentities', folders, true),
      },
      index: path.join(places.cache, 'runs.index'),
      onRead: () => runs.changedFacts(),
      onError: (message, error) => log.warn({ err: error }, message),
    },
  );
  const runs = new Runs({
    store,
    logger: log,
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
  return runs;
}
