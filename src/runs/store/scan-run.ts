import type { Dirent, Stats } from 'node:fs';
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
}

const CHECKPOINT = /^model_(\d{1,12})\.pt$/;
/** Files that tell who a run is. */
const TELLING = Object.values(RUN_FILES);

/** @returns null for a folder that is no run: it has no checkpoint, no parameters and no exported policy */
export async function scanRun(folder: string): Promise<ScannedRun | null> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : unreadable(folder, code);
  }
  const names = entries.map(({ name }) => name);
  const models = names.filter((name) => CHECKPOINT.test(name));
  if (models.length === 0 && !names.includes('params') && !names.includes('exported')) return null;
  const [own, ...telling] = await Promise.all(
    [folder, ...TELLING.map((file) => path.join(folder, file))].map(statOrNull),
  );
  const onnx = telling[TELLING.indexOf(RUN_FILES.onnx)];
  const isDeploy = models.length === 0 && onnx !== null;
  if (!own || (models.length === 0 && telling.every((file) => file === null))) return null;
  const checkpoints = isDeploy
    ? [{ name: DEPLOY_CHECKPOINT, iteration: null, modifiedMs: onnx!.mtimeMs }]
    : await readCheckpoints(folder, models);
  const hasTask = telling[TELLING.indexOf(RUN_FILES.task)] !== null;
  const modifiedMs = Math.max(
    own.mtimeMs,
    ...checkpoints.map((checkpoint) => checkpoint.modifiedMs),
    ...telling.map((file) => file?.mtimeMs ?? 0),
  );
  return {
    folder,
    format: isDeploy ? 'deploy' : hasTask ? 'studio' : 'rsl_rl',
    checkpoints,
    // Some file systems keep no time of birth.
    createdMs: own.birthtimeMs > 0 ? Math.min(own.birthtimeMs, modifiedMs) : own.mtimeMs,
    modifiedMs,
    error: null,
    signature: telling.map((file) => (file ? `${file.ino}:${file.size}:${file.mtimeMs}` : '')).join('|'),
  };
}

function unreadable(folder: string, code: string | undefined): ScannedRun {
  const error = `its folder cannot be read (${code}): change its permissions`;
  return { folder, format: 'rsl_rl', checkpoints: [], createdMs: 0, modifiedMs: 0, error, signature: '' };
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

async function statOrNull(file: string): Promise<Stats | null> {
  return stat(file).catch(() => null);
}
