import type { DatasetStore } from '../../data/dataset-store.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { WorkPool } from '../../workers/pool/pool.ts';
import type { Runs } from '../runs/runs.ts';
import { KeptLibrary } from './kept-library.ts';
import type { PlayDeps } from './play-deps.ts';
import { listLibraries } from './play-libraries.ts';
import { PlayRecords } from './play-records.ts';
import { PlaySessions } from './play-sessions.ts';
import { PlayTransport } from './play-transport.ts';
import { setupProblem } from './setup-problem.ts';

export interface PlayParts extends Omit<PlayDeps, 'runs' | 'groundMesh'> {
  readonly runs: Runs;
  /** for work that takes its time, and for what is waited for */
  readonly pool: WorkPool;
  readonly listing: WorkPool;
  /** the workspace's folder */
  readonly root: string;
  library(robot: RobotFacts): DatasetStore;
}

/** Play as the application has it: files are read in the pool's threads. */
export function createPlay(parts: PlayParts) {
  const { runs, pool, listing, root } = parts;
  const libraries = new KeptLibrary();
  const play = new PlaySessions({
    ...parts,
    groundMesh: (config, half) => listing.run('groundBytes', config, half),
    runs: {
      find: (run) => runs.forPlay(run),
      setup: async ({ path, folder, format }, checkpoint, { facts }) => {
        const setup = await listing
          .run('readRunSetup', { folder, format, checkpoint, facts })
          .catch((error: unknown) => Promise.reject(setupProblem(error, path, checkpoint)));
        for (const warning of setup.warnings) parts.logger.warn(`Run ${path}: ${warning}`);
        return setup;
      },
      libraries: (run, { facts }) =>
        listLibraries(
          {
            root,
            robot: facts.id,
            store: parts.library(facts),
            facts: (file) => listing.run('readMotionFacts', file),
          },
          run,
        ),
      readLibrary: ({ files }, { folder }, robot) =>
        files === null
          ? pool.run('readEmbeddedLibrary', folder, robot)
          : libraries.get(files, robot.physicsPath, () => pool.run('loadMotionLibrary', files, robot.facts)),
    },
  });
  const records = new PlayRecords({
    live: () => play.live,
    npz: (record) => listing.run('recordNpz', record),
    csv: (record, from, to) => listing.run('recordCsv', record, from, to),
  });
  return { play, transport: new PlayTransport(play), records };
}
