import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { hideFolder, isTemp } from '../../core/files/atomic-file.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { resolveInside } from '../../core/files/path-guard.ts';
import { removeTree } from '../../core/files/remove-tree.ts';
import { unlessRemoved } from '../../core/files/removed.ts';
import type { Checkpoint, RunIdentity, RunRecord } from './run-record.ts';
import type { ScannedRun } from './scan-run.ts';

const SHOWN = 5;

const NOTHING: Omit<RunIdentity, 'error'> = {
  task: null,
  robot: null,
  jointNames: null,
  joints: null,
  dataset: null,
  motionFile: null,
  embeddedFrames: null,
  job: null,
};

interface Known {
  readonly signature: string;
  readonly identity: Promise<RunIdentity>;
}

/** Looks at folders and files of runs, in another thread. */
export interface RunReader {
  scanAll(root: string): Promise<readonly ScannedRun[]>;
  /** null where there is no such run */
  scan(root: string, runDir: string, run: string): Promise<ScannedRun | null>;
  identity(folder: string): Promise<RunIdentity>;
}

/** The runs of a workspace: `<folder>/<experiment>/<run>`. Folders are scanned each time; files are read again only when
 *  they have changed. */
export class RunStore {
  readonly #folder: string;
  readonly #reader: RunReader;
  readonly #known = new Map<string, Known>();

  /** @param folder need not exist */
  constructor(folder: string, reader: RunReader) {
    this.#folder = folder;
    this.#reader = reader;
  }

  /** All runs, those changed last first; damaged ones with their error. */
  async list(): Promise<RunRecord[]> {
    const scanned = await this.#reader.scanAll(this.#folder);
    const records = await Promise.all(scanned.map((run) => this.#record(run)));
    const alive = new Set(records.map(({ folder }) => folder));
    for (const folder of this.#known.keys()) if (!alive.has(folder)) this.#known.delete(folder);
    return records.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
  }

  /** @param runPath `<experiment>/<run>` @param field what messages call it @throws bad_input for an unknown run */
  async find(runPath: string, field = 'run'): Promise<RunRecord> {
    const [runDir, run, ...rest] = runPath.split('/');
    if (
      runDir &&
      run &&
      rest.length === 0 &&
      nameProblem('run-folder', runDir) === null &&
      nameProblem('run-folder', run) === null
    ) {
      const scanned = await this.#reader.scan(this.#folder, runDir, run);
      if (scanned) return this.#record(scanned);
    }
    const known = (await this.list()).map((record) => record.path);
    const some = known.slice(0, SHOWN).join(', ') + (known.length > SHOWN ? ` and ${known.length - SHOWN} more` : '');
    throw badInput(`${field}: no run ${quoteName(runPath)}, there ${known.length === 0 ? 'are none' : `are ${some}`}`);
  }

  /** The file that is asked for, a path on this machine. @throws bad_input for an unknown run or file */
  async file(runPath: string, file: string): Promise<string> {
    const { folder } = await this.find(runPath);
    const full = await resolveInside(folder, file, 'file');
    const stats = await stat(full).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (!stats?.isFile()) throw badInput(`file: the run ${quoteName(runPath)} has no file ${quoteName(file)}`);
    return full;
  }

  /** Deletes a run with all that is in it: out of sight at once, then file by file.
   *  @param onRemoved hears when, or why not all of its files, are gone */
  async remove(runPath: string, onRemoved: (error: unknown) => void): Promise<void> {
    const { folder } = await this.find(runPath);
    const hidden = await unlessRemoved(`run: ${quoteName(runPath)}`, hideFolder(folder));
    this.#known.delete(folder);
    removeTree(hidden).catch(onRemoved);
  }

  /** Removes deleted runs that a killed service left. Files are not looked at: trainers write theirs meanwhile. */
  async sweep(): Promise<void> {
    for (const runDir of await foldersIn(this.#folder)) {
      const folder = path.join(this.#folder, runDir);
      for (const entry of await readdir(folder, { withFileTypes: true }))
        if (isTemp(entry.name) && entry.isDirectory()) await removeTree(path.join(folder, entry.name));
    }
  }

  async #record(scanned: ScannedRun): Promise<RunRecord> {
    const { runDir, run, folder, format, checkpoints, createdMs, modifiedMs } = scanned;
    const identity = await this.#identity(scanned);
    return { path: `${runDir}/${run}`, runDir, run, folder, format, checkpoints, createdMs, modifiedMs, ...identity };
  }

  async #identity({ runDir, run, folder, signature, error }: ScannedRun): Promise<RunIdentity> {
    if (error !== null) return { ...NOTHING, error };
    for (const [what, name] of [
      ['experiment', runDir],
      ['run', run],
    ] as const) {
      const problem = nameProblem('run-folder', name);
      if (problem !== null) return { ...NOTHING, error: `the name of the ${what} ${problem}: rename its folder` };
    }
    let known = this.#known.get(folder);
    if (known?.signature !== signature) {
      known = { signature, identity: this.#reader.identity(folder) };
      this.#known.set(folder, known);
    }
    try {
      return await known.identity;
    } catch (cause) {
      // A damaged file is read again when it has changed; what else went wrong may have passed.
      if (!(cause instanceof StudioError && cause.code === 'bad_input')) this.#known.delete(folder);
      return { ...NOTHING, error: messageOf(cause) };
    }
  }
}

/** The checkpoint of that name, the last where none is named; null: the run has none.
 *  @throws bad_input for an unknown one */
export function chooseCheckpoint({ path: runPath, checkpoints }: RunRecord, name: string | null): Checkpoint | null {
  if (name === null) return checkpoints.at(-1) ?? null;
  const found = checkpoints.find((checkpoint) => checkpoint.name === name);
  if (found) return found;
  const known = checkpoints.slice(-SHOWN).map((checkpoint) => checkpoint.name);
  throw badInput(
    `checkpoint: the run ${quoteName(runPath)} has no ${quoteName(name)}, ` +
      (known.length === 0 ? 'it has none' : `its last ones are ${known.join(', ')}`),
  );
}

/** Names of the folders in a folder, links to some counted; none where it is not there. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return entries
    .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .map((entry) => entry.name);
}
