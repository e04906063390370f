import type { AppContext } from '../app-context.ts';
import type { DatasetStores } from '../data/dataset-stores.ts';
import type { Runs } from '../runs/runs.ts';
import { KeptLibrary } from './kept-library.ts';
import type { PlayDeps, PlayRuns } from './play-deps.ts';
import { listLibraries } from './play-libraries.ts';
import { PlayRecords } from './play-records.ts';
import { PlaySessions } from './play-sessions.ts';
import { PlayTransport } from './play-transport.ts';
import { setupProblem } from './setup-problem.ts';

/** Settings of play sessions. */
export interface PlaySettings {
  /** maximum number of environments of a session */
  readonly maxEnvs: number;
  /** number of threads of a session; 0: all cores but one */
  readonly threads: number;
}

export interface PlayParts {
  readonly runs: Runs;
  readonly stores: DatasetStores;
}

/** Creates the play session, its transport and its records. Files are read in threads of the pools. */
export function createPlay(
  context: AppContext,
  settings: PlaySettings,
  content: Pick<PlayDeps, 'runs' | 'evaluation'>,
) {
  const { listing, selected, uses, events } = context;
  const play = new PlaySessions({
    ...context,
    ...settings,
    logger: context.logger.child('play'),
    robot: () => selected.clipRobot(),
    groundMesh: (config, half) => listing.run('groundBytes', config, half),
    ...content,
  });
  uses.connect({ sessions: () => play.uses() });
  events.on('robot-selected', () => play.robotSelected());
  const records = new PlayRecords({
    find: () => play.find(),
    npz: (record) => listing.run('recordNpz', record),
    csv: (record, from, to) => listing.run('recordCsv', record, from, to),
  });
  return { play, transport: new PlayTransport(play), records };
}

/** Creates the functions that read runs, checkpoints and motion libraries for sessions and evaluations. */
export function playRuns({ root, pool, listing, logger }: AppContext, { runs, stores }: PlayParts): PlayRuns {
  const log = logger.child('play');
  const libraries = new KeptLibrary();
  return {
    find: (run) => runs.forPlay(run),
    findAny: (run) => runs.ofSelected(run),
    setup: async ({ path, folder, format }, checkpoint, { facts }) => {
      const setup = await listing
        .run('readRunSetup', { folder, format, checkpoint, facts })
        .catch((error: unknown) => Promise.reject(setupProblem(error, path, checkpoint)));
      for (const warning of setup.warnings) log.warn(`Run ${path}: ${warning}`);
      return setup;
    },
    libraries: (run, { facts }) =>
      listLibraries(
        {
          root,
          robot: facts.id,
          store: stores.ofRobot(facts),
          facts: (file) => listing.run('readMotionFacts', file),
        },
        run,
      ),
    readLibrary: ({ files }, { folder }, robot) =>
      files === null
        ? pool.run('readEmbeddedLibrary', folder, robot)
        : libraries.get(files, robot.physicsPath, () => pool.run('loadMotionLibrary', files, robot.facts)),
  };
}
