import type { JobRegistry } from '../../jobs/job-registry.ts';
import { Tensorboard } from '../../jobs/viewer/tensorboard.ts';
import type { AppContext } from '../app-context.ts';
import type { DatasetStores } from '../data/dataset-stores.ts';
import type { Presets } from '../presets/presets.ts';
import type { Runs } from '../runs/runs.ts';
import { Curves } from './curves.ts';
import { MetricsViewer } from './metrics-viewer.ts';
import type { Trainers } from './trainers.ts';
import { Trainings } from './trainings.ts';

export interface TrainingParts {
  readonly jobs: JobRegistry;
  readonly runs: Runs;
  readonly presets: Presets;
  readonly stores: DatasetStores;
}

/** Creates the modules that launch trainings, read their curves and open the viewer of metrics. Threads of the pools
 *  read the files. */
export function createTraining(
  context: AppContext,
  trainers: Trainers,
  { jobs, runs, presets, stores }: TrainingParts,
) {
  const { places, selected, pool, listing } = context;
  const { environment } = trainers;
  const logger = context.logger.child('jobs');
  const tensorboard = new Tensorboard({
    logdir: places.runs,
    environment,
    onStart: (address) => logger.info(`TensorBoard started at ${address}`),
    onError: (message) => logger.warn(message),
  });
  return {
    training: new Trainings({
      jobs,
      runsFolder: places.runs,
      maxMinutes: trainers.maxMinutes,
      searchPath: environment['PATH'] ?? '',
      trainers: trainers.trainers,
      launchers: trainers.launchers,
      robot: () => selected.clipRobot(),
      task: (name) => presets.resolve(name),
      library: ({ facts }) => stores.ofRobot(facts),
      run: (run, field) => runs.forTraining(run, field),
      startable: (task) => runs.forStart(task),
      checkpointShape: (file) => pool.run('readCheckpointShape', file),
      tryTraining: (order) => pool.run('tryTraining', order),
    }),
    curves: new Curves({
      jobs,
      runsFolder: places.runs,
      find: async (run) => (await runs.find(run)).folder,
      read: (folder, positions) => listing.run('readNewScalars', folder, positions),
      reply: (tags, asked) => listing.run('curvesReply', tags, asked),
      damaged: (run, damage) => logger.warn(`event files of run ${run}: ${damage.join('; ')}`),
    }),
    metricsViewer: new MetricsViewer({
      tensorboard: () => tensorboard.address(),
      isTensorboardRunning: () => tensorboard.running,
      find: (run) => runs.find(run),
    }),
    close: () => tensorboard.close(),
  };
}
