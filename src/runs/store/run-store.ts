import { stat } from 'node:fs/promises';
import { badInput } from '../../core/errors.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { resolveInside } from '../../core/files/path-guard.ts';
import { Slices } from '../../core/slices.ts';
import { type ChangeCursor, ChangeLog, type Changes } from './change-log.ts';
import { RunFacts, type RunFactsOptions } from './run-facts.ts';
import { type Checkpoint, type RunIdentity, type RunRecord, UNKNOWN_RUN } from './run-record.ts';
import type { SweepPart } from './run-sweep.ts';
import type { ScannedRun } from './scan-run.ts';

/** Maximum number of names that a message lists. */
const SHOWN = 5;

/** Scans folders of runs in another thread. */
export interface RunScanner {
  /** returns a part of the changes since `since` */
  sweep(root: string, since: ChangeCursor | null, start: boolean): Promise<SweepPart>;
  /** returns null for an unknown run */
  scan(root: string, runDir: string, run: string): Promise<ScannedRun | null>;
}

/** The runs of a workspace: `<folder>/<experiment>/<run>`. Each listing looks for changed folders; files are read again
 *  only after they change. The work on this thread grows with the number of changed runs, not with that of all. */
export class RunStore {
  readonly #folder: string;
  readonly #scanner: RunScanner;
  readonly #facts: RunFacts;
  #cursor: ChangeCursor | null = null;
  readonly #scanned = new Map<string, ScannedRun>();
  /** runs whose files may have changed since the last read */
  #changed: ScannedRun[] = [];
  /** paths seen so far while the whole list is sent again; null while only changes are sent */
  #anew: Set<string> | null = null;
  readonly #records = new ChangeLog<RunRecord>();
  /** paths of the runs whose record is outdated */
  readonly #stale = new Set<string>();
  #sorted: readonly RunRecord[] | null = null;
  #listing: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /** @param folder workspace folder of the runs; need not exist */
  constructor(folder: string, scanner: RunScanner, facts: Omit<RunFactsOptions, 'onFacts'>) {
    this.#folder = folder;
    this.#scanner = scanner;
    this.#facts = new RunFacts({ ...facts, onFacts: (run) => this.#stale.add(run) });
  }

  /** Lists all runs, most recently changed first. Sets the `error` of damaged runs, and of runs that are not read
   *  yet if there are many.
   *  @param patient waits until all runs are read */
  async list({ patient = false } = {}): Promise<readonly RunRecord[]> {
    await this.#refresh();
    if (patient) await this.#facts.read([], true);
    await this.#renew();
    return this.sorted();
  }

  /** Returns the runs found by the listings so far, in the order of {@link list}. */
  sorted(): readonly RunRecord[] {
    this.#sorted ??= [...this.#records.values()].sort(
      (a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1),
    );
    return this.#sorted;
  }

  /** Returns the changes that the listings found. @param since null: all runs */
  changedSince(since: ChangeCursor | null): Changes<RunRecord> {
    return this.#records.since(since);
  }

  /** Looks for changes. Calls during a running look share one new look after it, so that each call sees all earlier
   *  changes. */
  #refresh(): Promise<void> {
    if (this.#listing !== null) {
      this.#next ??= this.#listing
        .catch(() => {}) // the callers of that listing get its error
        .then(() => {
          this.#next = null;
          return this.#refresh();
        });
      return this.#next;
    }
    this.#listing = this.#sweep().finally(() => {
      this.#listing = null;
    });
    return this.#listing;
  }

  async #sweep(): Promise<void> {
    let part: SweepPart;
    let start = true;
    do {
      part = await this.#scanner.sweep(this.#folder, this.#cursor, start);
      start = false;
      this.#cursor = part.cursor;
      if (part.anew) this.#anew = new Set();
      for (const [path, run] of part.changes) this.#note(path, run);
    } while (part.more);
    const all = this.#anew;
    this.#anew = null;
    if (all !== null) for (const path of this.#scanned.keys()) if (!all.has(path)) this.#note(path, null);
    await this.#facts.read(this.#changed.splice(0), false);
    if (all !== null) this.#facts.keepOnly(all);
  }

  #note(path: string, run: ScannedRun | null): void {
    this.#stale.add(path);
    if (run === null) {
      this.#facts.forget(path);
      this.#scanned.delete(path);
      return;
    }
    this.#anew?.add(path);
    this.#scanned.set(path, run);
    if (problemOf(run) === null) this.#changed.push(run);
  }

  /** Creates new records for the runs that changed. */
  async #renew(): Promise<void> {
    const slices = new Slices();
    for (const path of this.#stale) {
      const scanned = this.#scanned.get(path);
      this.#records.set(path, scanned ? this.#recordOf(scanned) : null);
      this.#stale.delete(path);
      this.#sorted = null;
      if (slices.due()) await slices.rest();
    }
  }

  #recordOf(scanned: ScannedRun): RunRecord {
    const error = problemOf(scanned);
    return recordOf(scanned, error === null ? this.#facts.newest(scanned) : { ...UNKNOWN_RUN, error });
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

  /** Stops reading runs and writes the index. */
  close(): Promise<void> {
    return this.#facts.close();
  }
}

function pathOf({ runDir, run }: ScannedRun): string {
  return `${runDir}/${run}`;
}

function recordOf(scanned: ScannedRun, identity: RunIdentity): RunRecord {
  const { runDir, run, folder, format, checkpoints, createdMs, modifiedMs } = scanned;
  return { path: pathOf(scanned), runDir, run, folder, format, checkpoints, createdMs, modifiedMs, ...identity };
}

/** Returns why the files of a run are not read; null if they can be read. */
function problemOf({ runDir, run, error }: ScannedRun): string | null {
  if (error !== null) return error;
  for (const [what, name] of [
    ['experiment', runDir],
    ['run', run],
  ] as const) {
    const problem = nameProblem('run-folder', name);
    if (problem !== null) return `the name of the ${what} ${problem}. Rename its folder`;
  }
  return null;
}

/** Returns the checkpoint with this name, or the last one if `name` is null; null if the run has no checkpoints.
 *  @param field field of the request that contains the name  @throws bad_input for an unknown name */
export function chooseCheckpoint(
  { path: runPath, checkpoints }: RunRecord,
  name: string | null,
  field = 'checkpoint',
): Checkpoint | null {
  if (name === null) return checkpoints.at(-1) ?? null;
  const found = checkpoints.find((checkpoint) => checkpoint.name === name);
  if (found) return found;
  const known = checkpoints.slice(-SHOWN).map((checkpoint) => checkpoint.name);
  throw badInput(
    `${field}: the run ${quoteName(runPath)} has no checkpoint ${quoteName(name)}; ` +
      (known.length === 0 ? 'it has no checkpoints' : `its last ones are ${known.join(', ')}`),
  );
}
