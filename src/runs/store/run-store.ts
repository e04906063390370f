import { stat } from 'node:fs/promises';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { resolveInside } from '../../core/files/path-guard.ts';
import { type Checkpoint, type RunIdentity, type RunRecord, UNKNOWN_RUN } from './run-record.ts';
import type { ScannedRun } from './scan-run.ts';

/** Maximum number of names that a message lists. */
const SHOWN = 5;

interface Known {
  readonly signature: string;
  readonly identity: Promise<RunIdentity>;
}

/** Reads folders and files of runs in another thread. */
export interface RunReader {
  scanAll(root: string): Promise<readonly ScannedRun[]>;
  /** returns null for an unknown run */
  scan(root: string, runDir: string, run: string): Promise<ScannedRun | null>;
  identity(folder: string): Promise<RunIdentity>;
}

/** The runs of a workspace: `<folder>/<experiment>/<run>`. Folders are scanned on each call; files are read again only
 *  after they change. */
export class RunStore {
  readonly #folder: string;
  readonly #reader: RunReader;
  readonly #known = new Map<string, Known>();

  /** @param folder workspace folder of the runs; need not exist */
  constructor(folder: string, reader: RunReader) {
    this.#folder = folder;
    this.#reader = reader;
  }

  /** Lists all runs, most recently changed first. Damaged runs have their `error` set. */
  async list(): Promise<RunRecord[]> {
    const scanned = await this.#reader.scanAll(this.#folder);
    const records = await Promise.all(scanned.map((run) => this.#record(run)));
    const alive = new Set(records.map(({ folder }) => folder));
    for (const folder of this.#known.keys()) if (!alive.has(folder)) this.#known.delete(folder);
    return records.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
  }

  /** Finds a run. @param runPath `<experiment>/<run>`  @param field name of the field in messages
   *  @throws bad_input for an unknown run */
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
    const choice = known.length === 0 ? 'the workspace has no runs' : `choose one of ${some}`;
    throw badInput(`${field}: unknown run ${quoteName(runPath)}; ${choice}`);
  }

  /** Resolves a file of a run to an absolute path. @throws bad_input for an unknown run or file */
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

  async #record(scanned: ScannedRun): Promise<RunRecord> {
    const { runDir, run, folder, format, checkpoints, createdMs, modifiedMs } = scanned;
    const identity = await this.#identity(scanned);
    return { path: `${runDir}/${run}`, runDir, run, folder, format, checkpoints, createdMs, modifiedMs, ...identity };
  }

  async #identity({ runDir, run, folder, signature, error }: ScannedRun): Promise<RunIdentity> {
    if (error !== null) return { ...UNKNOWN_RUN, error };
    for (const [what, name] of [
      ['experiment', runDir],
      ['run', run],
    ] as const) {
      const problem = nameProblem('run-folder', name);
      if (problem !== null) return { ...UNKNOWN_RUN, error: `the name of the ${what} ${problem}: rename its folder` };
    }
    let known = this.#known.get(folder);
    if (known?.signature !== signature) {
      known = { signature, identity: this.#reader.identity(folder) };
      this.#known.set(folder, known);
    }
    try {
      return await known.identity;
    } catch (cause) {
      // A damaged file is read again after it changes. Other errors may be temporary, so read again on the next call.
      if (!(cause instanceof StudioError && cause.code === 'bad_input')) this.#known.delete(folder);
      return { ...UNKNOWN_RUN, error: messageOf(cause) };
    }
  }
}

/** Returns the checkpoint with this name, or the last one if `name` is null; null if the run has no checkpoints.
 *  @throws bad_input for an unknown name */
export function chooseCheckpoint({ path: runPath, checkpoints }: RunRecord, name: string | null): Checkpoint | null {
  if (name === null) return checkpoints.at(-1) ?? null;
  const found = checkpoints.find((checkpoint) => checkpoint.name === name);
  if (found) return found;
  const known = checkpoints.slice(-SHOWN).map((checkpoint) => checkpoint.name);
  throw badInput(
    `checkpoint: the run ${quoteName(runPath)} has no checkpoint ${quoteName(name)}; ` +
      (known.length === 0 ? 'it has no checkpoints' : `its last ones are ${known.join(', ')}`),
  );
}
