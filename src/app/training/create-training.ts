import { randomBytes } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import type { Logger } from '../../core/logger.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import type { Launcher } from '../../jobs/detached/launcher.ts';
import { readSealKey } from '../../jobs/detached/seal-key.ts';
import { OrderSeal } from '../../jobs/detached/sealed-order.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import { createLaunchers, type LauncherSettings } from '../../jobs/launchers.ts';
import { ExternalTrainer } from '../../jobs/trainers/external-trainer.ts';
import type { TrainerSettings } from '../../jobs/trainers/trainer-settings.ts';
import { Tensorboard } from '../../jobs/viewer/tensorboard.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { WorkPool } from '../../workers/pool/pool.ts';
import type { Runs } from '../runs/runs.ts';
import { Curves } from './curves.ts';
import { MetricsViewer } from './metrics-viewer.ts';
import { Trainings } from './trainings.ts';

/** What the settings say of training. */
export interface TrainingSettings {
  /** training processes at once on this machine */
  readonly localLimit: number;
  readonly trainers: Readonly<Record<string, TrainerSettings>>;
  readonly launchers: Readonly<Record<string, LauncherSettings>>;
  /** all that trainers, TensorBoard and launchers get of the service's environment: no secrets of the service */
  readonly environment: Readonly<Record<string, string>>;
  /** where this user's services keep the key that seals orders of queued jobs; made where it is missing */
  readonly stateFolder: string;
}

/** Where jobs run and what makes runs, known before there are jobs. */
export interface TrainingPlaces {
  readonly launchers: ReadonlyMap<string, Launcher>;
  readonly trainers: ReadonlyMap<string, ExternalTrainer>;
  readonly seal: OrderSeal;
  /** A run's path of the folder that a trainer tells; one that lies elsewhere is linked into the workspace. */
  runOf(folder: string): string | null;
}

/** What proves that orders of queued jobs were written by services of this user. Where no key can be kept, jobs that wait
 *  when the service ends are lost. @param root the workspace's folder */
function orderSeal(stateFolder: string, root: string, logger: Logger): OrderSeal {
  try {
    return new OrderSeal(readSealKey(stateFolder, root));
  } catch (error) {
    logger.info(
      `trainings that wait in the queue will not outlive the service: no key can be kept (${messageOf(error)}); set XDG_STATE_HOME to a private folder outside of the workspace`,
    );
    return new OrderSeal(randomBytes(32));
  }
}

/** @param root the workspace's folder @param runsFolder `logs/rsl_rl` in it */
export function trainingPlaces(
  { localLimit, trainers, launchers, environment, stateFolder }: TrainingSettings,
  root: string,
  runsFolder: string,
  logger: Logger,
): TrainingPlaces {
  const external = new Map(
    Object.entries(trainers).map(([name, settings]) => [name, new ExternalTrainer(name, settings, root)]),
  );
  return {
    launchers: createLaunchers({ localLimit, launchers, environment }),
    trainers: external,
    seal: orderSeal(stateFolder, root, logger),
    runOf(folder) {
      const own = placeIn(runsFolder, folder);
      if (own !== null) return own;
      for (const { logs } of external.values()) {
        const run = placeIn(logs, folder);
        if (run === null) continue;
        link(folder, path.join(runsFolder, run)).catch((error: unknown) =>
          logger.warn({ err: error }, `the run ${run} was not linked into the workspace: ${messageOf(error)}`),
        );
        return run;
      }
      return null;
    },
  };
}

/** `<experiment>/<run>` of a folder below `root`; null for any other. */
function placeIn(root: string, folder: string): string | null {
  const parts = path.relative(root, folder).split(path.sep);
  return parts.length === 2 && !parts.includes('..') && !path.isAbsolute(parts[0]!) ? parts.join('/') : null;
}

async function link(folder: string, at: string): Promise<void> {
  const isThere = await lstat(at).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  await makeFolders(path.dirname(at), 3);
  symlinkSync(folder, at, 'dir');
}

export interface TrainingParts {
  readonly places: TrainingPlaces;
  readonly jobs: JobRegistry;
  readonly logger: Logger;
  readonly runs: Runs;
  /** for work that takes its time, and for what is waited for */
  readonly pool: WorkPool;
  readonly listing: WorkPool;
  readonly runsFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  robot(): ClipRobotSource;
  task(name: string): Promise<TaskConfig>;
  library(robot: RobotFacts): DatasetStore;
}

/** Training as the application has it: files are read in the pool's threads. */
export function createTraining(parts: TrainingParts) {
  const { places, jobs, logger, runs, pool, listing, runsFolder, environment } = parts;
  const tensorboard = new Tensorboard({
    logdir: runsFolder,
    environment,
    onStart: (address) => logger.info(`TensorBoard started at ${address}`),
    onError: (message) => logger.warn(message),
  });
  return {
    training: new Trainings({
      ...parts,
      searchPath: environment['PATH'] ?? '',
      trainers: places.trainers,
      launchers: places.launchers,
      library: ({ facts }) => parts.library(facts),
      run: (run) => runs.forResume(run),
      checkpointShape: (file) => pool.run('readCheckpointShape', file),
      tryTraining: (order) => pool.run('tryTraining', order),
    }),
    curves: new Curves({
      jobs,
      runsFolder,
      find: async (run) => (await runs.find(run)).folder,
      read: (folder, positions) => listing.run('readNewScalars', folder, positions),
      reply: (tags, asked) => listing.run('curvesReply', tags, asked),
      damaged: (run, damage) => logger.warn(`event files of run ${run}: ${damage.join('; ')}`),
    }),
    metricsViewer: new MetricsViewer({ tensorboard: () => tensorboard.address(), find: (run) => runs.find(run) }),
    close: () => tensorboard.close(),
  };
}
