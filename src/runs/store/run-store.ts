import { stat } from 'node:fs/promises';
import { badInput } from '../../core/errors.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { resolveInside } from '../../core/files/path-guard.ts';
import { RunFacts, type RunFactsOptions } from './run-facts.ts';
import { type Checkpoint, type RunIdentity, type RunRecord, UNKNOWN_RUN } from './run-record.ts';
import type { ScannedRun } from './scan-run.ts';

/** Maximum number of names that a message lists. */
const SHOWN = 5;

/** Scans folders of runs in another thread. */
export interface RunScanner {
  scanAll(root: string): Promise<readonly ScannedRun[]>;
  /** returns null for an unknown run */
  scan(root: string, runDir: string, run: string): Promise<ScannedRun | null>;
}

/** The runs of a workspace: `<folder>/<experiment>/<run>`. Folders are scanned on each call; files are read again only
 *  after they change. */
export class RunStore {
  readonly #folder: string;
  readonly #scanner: RunScanner;
  readonly #facts: RunFacts;

  /** @param folder workspace folder of the runs; need not exist */
  constructor(folder: string, scanner: RunScanner, facts: RunFactsOptions) {
    this.#folder = folder;
    this.#scanner = scanner;
    this.#facts = new RunFacts(facts);
  }

  /** Lists all runs, most recently changed first. Damaged runs have their `error` set, and so have those that are not
   *  read yet, when there are many. @param patient waits until all runs are read */
  async list({ patient = false } = {}): Promise<RunRecord[]> {
    const scanned = await this.#scanner.scanAll(this.#folder);
    const readable = scanned.filter((run) => problemOf(run) === null);
    const facts = await this.#facts.ofAll(readable, patient);
    const identities = new Map(readable.map((run, k) => [run, facts[k]!]));
    return scanned
      .map((run) => recordOf(run, identities.get(run) ?? { ...UNKNOWN_RUN, error: problemOf(run) }))
      .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
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
      const scanned = await this.#scanner.scan(this.#folder, runDir, run);
      if (scanned) {
        const error = problemOf(scanned);
        return recordOf(scanned, error === null ? await this.#facts.of(scanned) : { ...UNKNOWN_RUN, error });
      }
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

  /** Stops reading and stores what is known. */
  close(): Promise<void> {
    return this.#facts.close();
  }
}

function recordOf(scanned: ScannedRun, identity: RunIdentity): RunRecord {
  const { runDir, run, folder, format, checkpoints, createdMs, modifiedMs } = scanned;
  return { path: `${runDir}/${run}`, runDir, run, folder, format, checkpoints, createdMs, modifiedMs, ...identity };
}

/** Returns why the files of a run are not read; null if they are. */
function problemOf({ runDir, run, error }: ScannedRun): string | null {
  if (error !== null) return error;
  for (const [what, name] of [
    ['experiment', runDir],
    ['run', run],
  ] as const) {
    const problem = nameProblem('run-folder', name);
    if (problem !== null) return `the name of the ${what} ${problem}: rename its folder`;
  }
  return null;
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
