import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Checkpoint, DEPLOY_CHECKPOINT, RUN_FILES, type RunFormat } from './run-record.ts';

/** What a look at a run's folder tells, nothing of it read. */
export interface ScannedRun {
  readonly folder: string;
  readonly format: RunFormat;
  readonly checkpoints: readonly Checkpoint[];
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** why its folder cannot be looked into */
  readonly error: string | null;
  /** differs when a file that tells who the run is has changed */
  readonly signature: string;
  /** its `model_<n>.pt` */
  readonly models: readonly Checkpoint[];
  /** time of the folder's last change where that was long enough ago to notice the next one; null where not */
  readonly settledMs: number | null;
}

const CHECKPOINT = /^model_(\d{1,12})\.pt$/;
/** Files that tell who a run is. */
const TELLING = Object.values(RUN_FILES).filter((file) => file !== RUN_FILES.export);
/** File systems date changes by ticks: within one a second change goes unseen. */
const SETTLED_MS = 2000;

/** @param before the last look at it: what cannot have changed since is not looked at again
 *  @returns null for a folder that is no run: it has no checkpoint, no parameters and no exported policy */
export async function scanRun(folder: string, before: ScannedRun | null = null): Promise<ScannedRun | null> {
  const own = await statOrNull(folder);
  if (!own) return null;
  const same = before?.settledMs === own.mtimeMs;
  let models: readonly string[] = [];
  if (!same) {
    let names: readonly string[];
    try {
      names = await readdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? null : unreadable(folder, code);
    }
    models = names.filter((name) => CHECKPOINT.test(name));
    if (models.length === 0 && !names.includes('params') && !names.includes('exported')) return null;
  }
  const settledMs = Date.now() - own.mtimeMs > SETTLED_MS ? own.mtimeMs : null;
  const telling = await Promise.all(TELLING.map((file) => statOrNull(path.join(folder, file))));
  const saved = same ? await renewLast(folder, before.models) : await readCheckpoints(folder, models);
  if (saved.length === 0 && telling.every((file) => file === null)) return null;
  const onnx = saved.length === 0 ? telling[TELLING.indexOf(RUN_FILES.onnx)] : null;
  const checkpoints = onnx ? [{ name: DEPLOY_CHECKPOINT, iteration: null, modifiedMs: onnx.mtimeMs }] : saved;
  const hasTask = telling[TELLING.indexOf(RUN_FILES.task)] !== null;
  const modifiedMs = Math.max(
    own.mtimeMs,
    ...checkpoints.map((checkpoint) => checkpoint.modifiedMs),
    ...telling.map((file) => file?.mtimeMs ?? 0),
  );
  return {
    folder,
    format: onnx ? 'deploy' : hasTask ? 'studio' : 'rsl_rl',
    checkpoints,
    // Some file systems keep no time of birth.
    createdMs: own.birthtimeMs > 0 ? Math.min(own.birthtimeMs, modifiedMs) : own.mtimeMs,
    modifiedMs,
    error: null,
    signature: telling.map((file) => (file ? `${file.ino}:${file.size}:${file.mtimeMs}` : '')).join('|'),
    models: saved,
    settledMs,
  };
}

function unreadable(folder: string, code: string | undefined): ScannedRun {
  const error = `its folder cannot be read (${code}): change its permissions`;
  const nothing = { checkpoints: [], models: [], createdMs: 0, modifiedMs: 0, signature: '', settledMs: null };
  return { folder, format: 'rsl_rl', error, ...nothing };
}

async function readCheckpoints(folder: string, names: readonly string[]): Promise<Checkpoint[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const stats = await statOrNull(path.join(folder, name));
      return stats?.isFile() ? { name, iteration: Number(CHECKPOINT.exec(name)![1]), modifiedMs: stats.mtimeMs } : null;
    }),
  );
  return found.filter((checkpoint) => checkpoint !== null).sort((a, b) => a.iteration - b.iteration);
}

/** In a folder with the same files, the last checkpoint may still be growing. */
async function renewLast(folder: string, models: readonly Checkpoint[]): Promise<readonly Checkpoint[]> {
  const last = models.at(-1);
  if (!last) return models;
  const stats = await statOrNull(path.join(folder, last.name));
  return stats ? [...models.slice(0, -1), { ...last, modifiedMs: stats.mtimeMs }] : models.slice(0, -1);
}

async function statOrNull(file: string): Promise<Stats | null> {
  return stat(file).catch(() => null);
}
