import { randomBytes } from 'node:crypto';
import { realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { exists } from '../../core/files/exists.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import type { Logger } from '../../core/logger.ts';
import type { Launcher } from '../../jobs/detached/launcher.ts';
import { readSealKey } from '../../jobs/detached/seal-key.ts';
import { OrderSeal } from '../../jobs/detached/sealed-order.ts';
import { isRunPath } from '../../jobs/job-record.ts';
import { createLaunchers, type LauncherSettings } from '../../jobs/launchers.ts';
import { ExternalTrainer } from '../../jobs/trainers/external-trainer.ts';
import type { TrainerSettings } from '../../jobs/trainers/trainer-settings.ts';

import type { AppContext } from '../app-context.ts';

/** Settings of training. */
export interface TrainingSettings {
  /** maximum number of training processes at the same time on this machine */
  readonly localLimit: number;
  /** time limit of a training that chooses its number of iterations, minutes */
  readonly maxMinutes: number;
  readonly trainers: Readonly<Record<string, TrainerSettings>>;
  readonly launchers: Readonly<Record<string, LauncherSettings>>;
  /** environment variables for trainers, TensorBoard and launchers, without secrets of the service */
  readonly environment: Readonly<Record<string, string>>;
  /** folder of the key that signs the stored orders of queued jobs; created if missing */
  readonly stateFolder: string;
}

/** The programs that run trainings. They are created before the list of jobs is opened. */
export interface Trainers {
  readonly launchers: ReadonlyMap<string, Launcher>;
  readonly trainers: ReadonlyMap<string, ExternalTrainer>;
  readonly seal: OrderSeal;
  readonly maxMinutes: number;
  readonly environment: TrainingSettings['environment'];
  /** Returns the path of a run, `<experiment>/<run>`, for the folder that a trainer reports; null if that folder is not
   *  a run. A run outside of the workspace is linked into it. */
  runOf(folder: string): string | null;
}

/** Creates launchers and external trainers from the settings. */
export function createTrainers(
  { places, root, logger }: AppContext,
  { localLimit, maxMinutes, trainers, launchers, environment, stateFolder }: TrainingSettings,
): Trainers {
  const log = logger.child('jobs');
  const external = new Map(
    Object.entries(trainers).map(([name, settings]) => [name, new ExternalTrainer(name, settings, root)]),
  );
  return {
    launchers: createLaunchers({ localLimit, launchers, environment }),
    trainers: external,
    seal: orderSeal(stateFolder, root, log),
    maxMinutes,
    environment,
    runOf(folder) {
      const own = placeIn(places.runs, folder);
      if (own !== null) return own;
      for (const { logs } of external.values()) {
        const run = placeIn(logs, folder);
        if (run === null) continue;
        link(folder, path.join(places.runs, run)).catch((error: unknown) =>
          log.warn({ err: error }, `the run ${run} was not linked into the workspace: ${messageOf(error)}`),
        );
        return run;
      }
      return null;
    },
  };
}

/** Returns the seal, a signature which proves that a service of this user wrote the orders of queued jobs. If its key
 *  cannot be stored, jobs that are queued when the service ends are lost. */
function orderSeal(stateFolder: string, root: string, logger: Logger): OrderSeal {
  try {
    return new OrderSeal(readSealKey(stateFolder, root));
  } catch (error) {
    logger.info(
      `queued trainings are lost when the service ends, because no key can be stored (${messageOf(error)}): set XDG_STATE_HOME to a private folder outside of the workspace`,
    );
    return new OrderSeal(randomBytes(32));
  }
}

/** Returns `<experiment>/<run>` of a folder below `root`; null for any other folder. Some trainers resolve the links in
 *  the paths that they print. */
function placeIn(root: string, folder: string): string | null {
  return partsBelow(root, folder) ?? partsBelow(realPath(root), realPath(folder));
}

function partsBelow(root: string, folder: string): string | null {
  const parts = path.relative(root, folder).split(path.sep);
  if (parts.includes('..') || path.isAbsolute(parts[0]!)) return null;
  const run = parts.join('/');
  return isRunPath(run) ? run : null;
}

/** Resolves the links of the longest existing part of a path: a trainer prints the folder of its run before it
 *  exists. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realPath(parent), path.basename(folder));
  }
}

async function link(folder: string, at: string): Promise<void> {
  if (await exists(at)) return;
  await makeFolders(path.dirname(at), 3);
  symlinkSync(folder, at, 'dir');
}
