import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { AppContext } from '../app-context.ts';
import type { PlayRuns } from '../play/play-deps.ts';
import type { Runs } from '../runs/runs.ts';
import { Evaluations } from './evaluations.ts';

export interface EvaluationParts {
  readonly jobs: JobRegistry;
  readonly runs: Runs;
  /** reads the files of runs */
  readonly content: PlayRuns;
  readonly version: string;
}

/** Creates the module for evaluations of runs. The listing thread reads their folders. */
export function createEvaluations(context: AppContext, { jobs, runs, content, version }: EvaluationParts): Evaluations {
  const { places, selected, listing, logger } = context;
  return new Evaluations({
    jobs,
    content,
    version,
    runsFolder: places.runs,
    logger: logger.child('jobs'),
    robot: () => selected.clipRobot(),
    run: (path) => runs.find(path),
    scan: (run) => listing.run('scanEvaluations', places.runs, run),
    tables: (folder) => listing.run('readEvaluation', folder),
  });
}
