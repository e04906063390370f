import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { ADDED_FILES, type Checkpoint, DEPLOY_CHECKPOINT, RUN_FILES, type RunFormat } from './run-record.ts';

/** Facts about a run that follow from the names, sizes and times of its files. */
export interface ScannedRun {
  readonly runDir: string;
  readonly run: string;
  readonly folder: string;
  readonly format: RunFormat;
  readonly checkpoints: readonly Checkpoint[];
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** why the run's folder cannot be read */
  readonly error: string | null;
  /** changes when a file that identifies the run changes */
  readonly signature: string;
}

/** Result of the last scan of a folder. */
interface Seen {
  /** time of the folder's last change; null if a later change could still get the same time */
  readonly settledMs: number | null;
  /** its files `model_<n>.pt` */
  readonly models: readonly Checkpoint[];
  /** those of `ADDED_FILES` whose first part is in the folder */
  readonly added: readonly string[];
}

/** Last scans by folder, one map per thread. A folder that cannot have changed is not listed again. */
const seen = new Map<string, Seen>();

/** Files and folders of which each run without checkpoints has one. */
const RUN_PARTS: ReadonlySet<string> = new Set(['params', 'exported', RUN_FILES.flatOnnx]);
const CHECKPOINT = /^model_(\d{1,12})\.pt$/;
/** Names of folders next to runs that are not runs. */
const NO_RUNS = new Set(['wandb_checkpoints']);
/** Files that determine the identity of a run when they change. */
const IDENTITY_FILES = Object.values(RUN_FILES).filter((file) => file !== RUN_FILES.export);
/** ms. File systems round times of change, so a second change within this time may leave the time unchanged. */
const SETTLED_MS = 2000;

/** Scans all runs `<root>/<experiment>/<run>`. Blocks, so call it in the listing thread. For a thousand runs,
 *  synchronous calls take a tenth of the time of promises. */
export function scanRuns(root: string): ScannedRun[] {
  const runs = foldersIn(root).flatMap((runDir) =>
    foldersIn(path.join(root, runDir)).flatMap((run) => scanRun(root, runDir, run) ?? []),
  );
  const alive = new Set(runs.map(({ folder }) => folder));
  for (const folder of seen.keys())
    if (folder.startsWith(`${root}${path.sep}`) && !alive.has(folder)) seen.delete(folder);
  return runs;
}

/** Scans one run. Blocks, so call it in the listing thread.
 *  @returns null for a folder that is not a run: it has neither checkpoints nor parameters nor an exported policy */
export function scanRun(root: string, runDir: string, run: string): ScannedRun | null {
  const folder = path.join(root, runDir, run);
  const own = NO_RUNS.has(run) ? null : statOrNull(folder);
  if (!own) return null;
  const before = seen.get(folder);
  const same = before?.settledMs === own.mtimeMs;
  let names: readonly string[] = [];
  if (!same) {
    try {
      names = readdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? null : unreadable({ runDir, run, folder }, code);
    }
    if (!names.some((name) => CHECKPOINT.test(name) || RUN_PARTS.has(name))) return null;
  }
  const settledMs = Date.now() - own.mtimeMs > SETTLED_MS ? own.mtimeMs : null;
  const identityFiles = IDENTITY_FILES.map((file) => statOrNull(path.join(folder, file)));
  const models = same ? renewLast(folder, before.models) : readCheckpoints(folder, names);
  // Most runs have none of these files: without this list, each listing would look for them in vain.
  const added = same
    ? before.added
    : Object.values(ADDED_FILES).filter((file) => names.includes(file.slice(0, file.search(/\/|$/))));
  seen.set(folder, { settledMs, models, added });
  if (models.length === 0 && identityFiles.every((file) => file === null)) return null;
  const exported = (file: 'onnx' | 'flatOnnx') => identityFiles[IDENTITY_FILES.indexOf(RUN_FILES[file])];
  const onnx = models.length === 0 ? (exported('onnx') ?? exported('flatOnnx')) : null;
  const checkpoints = onnx ? [{ name: DEPLOY_CHECKPOINT, iteration: null, modifiedMs: onnx.mtimeMs }] : models;
  const hasTask = identityFiles[IDENTITY_FILES.indexOf(RUN_FILES.task)] !== null;
  // Marks change the time of the folder, but not the training.
  const modifiedMs = Math.max(
    added.length === 0 || checkpoints.length === 0 ? own.mtimeMs : 0,
    ...checkpoints.map((checkpoint) => checkpoint.modifiedMs),
    ...identityFiles.map((file) => file?.mtimeMs ?? 0),
  );
  return {
    runDir,
    run,
    folder,
    format: onnx ? 'deploy' : hasTask ? 'studio' : 'rsl_rl',
    checkpoints,
    // Some file systems do not store the time of creation.
    createdMs: own.birthtimeMs > 0 ? Math.min(own.birthtimeMs, modifiedMs) : own.mtimeMs,
    modifiedMs,
    error: null,
    signature: signatureOf([...identityFiles, ...added.map((file) => statOrNull(path.join(folder, file)))]),
  };
}

/** Returns a short text that changes when one of these files is changed or replaced. */
function signatureOf(files: readonly (Stats | null)[]): string {
  const text = files.map((file) => (file ? `${file.ino}:${file.size}:${file.mtimeMs}` : '')).join('|');
  return createHash('sha1').update(text).digest('base64');
}

function unreadable(place: Pick<ScannedRun, 'runDir' | 'run' | 'folder'>, code: string | undefined): ScannedRun {
  const error = `its folder cannot be read (${code}): change its permissions`;
  return { ...place, format: 'rsl_rl', error, checkpoints: [], createdMs: 0, modifiedMs: 0, signature: '' };
}

function readCheckpoints(folder: string, names: readonly string[]): Checkpoint[] {
  return names
    .flatMap((name) => {
      const iteration = CHECKPOINT.exec(name)?.[1];
      const stats = iteration === undefined ? null : statOrNull(path.join(folder, name));
      return stats?.isFile() ? [{ name, iteration: Number(iteration), modifiedMs: stats.mtimeMs }] : [];
    })
    .sort((a, b) => a.iteration - b.iteration);
}

/** Refreshes the time of the last checkpoint of an unchanged folder, because the file may still be growing. */
function renewLast(folder: string, models: readonly Checkpoint[]): readonly Checkpoint[] {
  const last = models.at(-1);
  if (!last) return models;
  const stats = statOrNull(path.join(folder, last.name));
  return stats ? [...models.slice(0, -1), { ...last, modifiedMs: stats.mtimeMs }] : models.slice(0, -1);
}

function statOrNull(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // an unreadable file is treated as missing
  }
}

/** Lists the names of folders in a folder, including links; empty if the folder is missing. */
function foldersIn(folder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
  return entries
    .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .map((entry) => entry.name);
}
