import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { ADDED_FILES, type Checkpoint, DEPLOY_CHECKPOINT, RUN_FILES, type RunFormat } from './run-record.ts';

/** Properties of a run that follow from the names, sizes and times of its files. */
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
  /** null: not a run */
  readonly run: ScannedRun | null;
  /** time of the folder's last change; null if a later change could still get the same time */
  readonly settledMs: number | null;
  /** its files `model_<n>.pt` */
  readonly models: readonly Checkpoint[];
  /** the entries of `PARTS` that the folder contains */
  readonly parts: ReadonlySet<string>;
}

/** Last scans by folder, one map per thread. A folder that cannot have changed is not listed again. */
const seen = new Map<string, Seen>();

const CHECKPOINT = /^model_(\d{1,12})\.pt$/;
/** Names of folders beside runs that do not contain a run. */
const NO_RUNS = new Set(['wandb_checkpoints']);
/** Files that determine the identity of a run when they change. */
const IDENTITY_FILES = Object.values(RUN_FILES).filter((file) => file !== RUN_FILES.export);
/** Entries of a run's folder that contain files about the run. Most runs have few of them, so missing entries are
 *  skipped. */
const PARTS: ReadonlySet<string> = new Set([...IDENTITY_FILES, ...Object.values(ADDED_FILES)].map(firstOf));
const EVALUATIONS = firstOf(ADDED_FILES.evaluated);
/** Resolution of modification times, ms: file systems round them, so a second change within this time may leave the
 *  time unchanged. */
const SETTLED_MS = 2000;

/** A folder that may be a run. */
export interface RunPlace {
  readonly runDir: string;
  readonly run: string;
  /** absolute path */
  readonly folder: string;
}

/** Lists folders `<root>/<experiment>/<run>`, which may be runs. Blocks. */
export function* runPlaces(root: string): Generator<RunPlace> {
  for (const runDir of foldersIn(root))
    for (const run of foldersIn(path.join(root, runDir)))
      if (!NO_RUNS.has(run)) yield { runDir, run, folder: path.join(root, runDir, run) };
}

/** Scans all runs `<root>/<experiment>/<run>`. Blocks, so do not call it in the main thread of the service. For a
 *  thousand runs, synchronous calls take a tenth of the time of promises. */
export function scanRuns(root: string): ScannedRun[] {
  return [...runPlaces(root)].flatMap((place) => scanPlace(place) ?? []);
}

/** Scans one run. Blocks, so call it in the listing thread.
 *  @returns null for a folder that is not a run: it has neither checkpoints nor parameters nor an exported policy */
export function scanRun(root: string, runDir: string, run: string): ScannedRun | null {
  return NO_RUNS.has(run) ? null : scanPlace({ runDir, run, folder: path.join(root, runDir, run) });
}

/** Scans one run without checking its files if its folder has not changed: one system call instead of a dozen. Does
 *  not notice a change within a file or in a subfolder, except in `evaluations/`. */
export function scanPlaceBriefly(place: RunPlace): ScannedRun | null {
  const before = seen.get(place.folder);
  if (!before || before.settledMs === null || before.parts.has(EVALUATIONS)) return scanPlace(place);
  return statOrNull(place.folder)?.mtimeMs === before.settledMs ? before.run : scanPlace(place);
}

/** Forgets the last scan of a folder. */
export function forgetPlace(folder: string): void {
  seen.delete(folder);
}

/** Scans one run. Blocks, so call it in the listing thread. @returns null for a folder that is not a run */
export function scanPlace(place: RunPlace): ScannedRun | null {
  const own = statOrNull(place.folder);
  if (own !== null) return scanChanged(place, own);
  seen.delete(place.folder);
  return null;
}

function scanChanged(place: RunPlace, own: Stats): ScannedRun | null {
  const { folder } = place;
  const before = seen.get(folder);
  const same = before?.settledMs === own.mtimeMs;
  let names: readonly string[] = [];
  if (!same) {
    try {
      names = readdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      seen.delete(folder);
      return code === 'ENOENT' || code === 'ENOTDIR' ? null : unreadable(place, code);
    }
  }
  const parts = same ? before.parts : new Set(names.filter((name) => PARTS.has(name)));
  const models = same ? renewLast(folder, before.models) : readCheckpoints(folder, names);
  const run = factsOf(place, own, parts, models);
  const settledMs = Date.now() - own.mtimeMs > SETTLED_MS ? own.mtimeMs : null;
  seen.set(folder, { run, settledMs, models, parts });
  return run;
}

/** @param parts the entries of `PARTS` that the folder contains */
function factsOf(
  { runDir, run, folder }: RunPlace,
  own: Stats,
  parts: ReadonlySet<string>,
  models: readonly Checkpoint[],
): ScannedRun | null {
  const statPart = (file: string) => (parts.has(firstOf(file)) ? statOrNull(path.join(folder, file)) : null);
  const identityFiles = IDENTITY_FILES.map(statPart);
  if (models.length === 0 && identityFiles.every((file) => file === null)) return null;
  const exported = (file: 'onnx' | 'flatOnnx') => identityFiles[IDENTITY_FILES.indexOf(RUN_FILES[file])];
  const onnx = models.length === 0 ? (exported('onnx') ?? exported('flatOnnx')) : null;
  const checkpoints = onnx ? [{ name: DEPLOY_CHECKPOINT, iteration: null, modifiedMs: onnx.mtimeMs }] : models;
  const hasTask = identityFiles[IDENTITY_FILES.indexOf(RUN_FILES.task)] !== null;
  const added = Object.values(ADDED_FILES).filter((file) => parts.has(firstOf(file)));
  // Ignore marks: they change the time of the folder, but do not belong to the training.
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
    signature: signatureOf([...identityFiles, ...added.map(statPart)]),
  };
}

/** Returns the entry of a run's folder that a file is in. */
function firstOf(file: string): string {
  return file.slice(0, file.search(/\/|$/));
}

/** Returns a short text that changes when one of these files is changed or replaced. */
function signatureOf(files: readonly (Stats | null)[]): string {
  const text = files.map((file) => (file ? `${file.ino}:${file.size}:${file.mtimeMs}` : '')).join('|');
  return createHash('sha1').update(text).digest('base64');
}

function unreadable(place: RunPlace, code: string | undefined): ScannedRun {
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
