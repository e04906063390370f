import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, StudioError } from '../../core/errors.ts';
import type { ReadRun } from '../params/read-identity.ts';
import { type IndexedRun, isMissingIndex, readRunIndex, writeRunIndex } from './run-index.ts';
import { type RunIdentity, UNKNOWN_RUN } from './run-record.ts';
import type { ScannedRun } from './scan-run.ts';

/** Up to this many unread runs are read before a listing is answered: reading one takes about 10 ms of CPU. */
const AT_ONCE = 32;
/** Number of runs that one task of a thread reads, so that other tasks are served in between. */
const QUICK_BATCH = 64;
const WHOLE_BATCH = 16;
/** Longest time that a listing waits for facts of runs, ms. */
const WAIT_MS = 2000;
/** Time between two reports of runs that were read in the background, ms. */
const REPORT_MS = 3000;
/** Time from a change to the next write of the index, ms. */
const SAVE_MS = 15_000;
/** Number of lists of joint names that are shared between runs. Most runs are of a few robots. */
const MOST_NAMES = 1000;

/** The `error` of a run that is listed before its files are read. */
const BEING_READ = 'its settings are still being read; the list follows shortly';

/** Reads files of runs in other threads. */
export interface FactsReader {
  /** reads all files of a run */
  identity(folder: string): Promise<RunIdentity>;
  /** reads the needed parts of the files of many runs */
  quick(folders: readonly string[]): Promise<readonly ReadRun[]>;
  /** reads all files of many runs, at low priority */
  whole(folders: readonly string[]): Promise<readonly ReadRun[]>;
}

interface Known {
  readonly folder: string;
  readonly signature: string;
  readonly identity: RunIdentity;
  /** `parts`: damage elsewhere in the files is not noticed yet; `failed`: could not be read, so it is not stored */
  readonly from: 'parts' | 'files' | 'failed';
}

export interface RunFactsOptions {
  readonly reader: FactsReader;
  /** absolute path of the index, which need not exist; null: keep facts in memory only */
  readonly index: string | null;
  /** Called after runs were read in the background. */
  readonly onRead: () => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** The facts that runs state in their files. A file is read again only after it changes, also after a restart: facts
 *  are stored in an index, by the signature of their files. Many unread runs are read in the background, first the
 *  needed parts of their files, then all of them. */
export class RunFacts {
  readonly #options: RunFactsOptions;
  /** by `<run_dir>/<run>` */
  readonly #known = new Map<string, Known>();
  readonly #reads = new Map<string, { readonly signature: string; readonly read: Promise<RunIdentity> }>();
  readonly #names = new Map<string, readonly string[]>();
  #loading: Promise<void> | null = null;
  /** runs that the background reads next */
  #unread: readonly ScannedRun[] = [];
  #background: Promise<void> | null = null;
  /** settles once the parts of all runs are read */
  #parts: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  #reported = 0;
  #closed = false;

  constructor(options: RunFactsOptions) {
    this.#options = options;
  }

  /** Returns the facts of runs, in the same order. Runs that are not read in time have an `error` that says so.
   *  @param runs all runs of the workspace  @param patient waits until the parts of all runs are read */
  async ofAll(runs: readonly ScannedRun[], patient: boolean): Promise<RunIdentity[]> {
    await this.#load();
    const paths = new Set(runs.map(pathOf));
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    const unread = runs.filter((run) => this.#find(run) === null);
    const now = new Map<string, RunIdentity>();
    if (unread.length <= AT_ONCE)
      await Promise.all(unread.map(async (run) => now.set(pathOf(run), await this.#readWhole(run))));
    else {
      this.#readInBackground(unread);
      const ending = new AbortController();
      const limit = sleep(WAIT_MS, undefined, { ref: false, signal: ending.signal }).catch(() => {});
      await (patient ? this.#parts : Promise.race([this.#parts, limit]));
      ending.abort();
    }
    return runs.map(
      (run) => this.#find(run)?.identity ?? now.get(pathOf(run)) ?? { ...UNKNOWN_RUN, error: BEING_READ },
    );
  }

  /** Returns the facts of one run, from all of its files. */
  async of(run: ScannedRun): Promise<RunIdentity> {
    await this.#load();
    const known = this.#find(run);
    return known?.from === 'files' ? known.identity : this.#readWhole(run);
  }

  /** Writes the index. A batch that is being read is not waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) await this.#save();
    await this.#saving;
  }

  #find(run: ScannedRun): Known | null {
    const known = this.#known.get(pathOf(run));
    return known?.signature === run.signature ? known : null;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#loadIndex();
    return this.#loading;
  }

  async #loadIndex(): Promise<void> {
    const { index, onError } = this.#options;
    if (index === null) return;
    try {
      for (const { path, signature, identity } of await readRunIndex(index))
        this.#known.set(path, { folder: '', signature, identity: this.#shared(identity), from: 'files' });
    } catch (error) {
      if (!isMissingIndex(error))
        onError(`the index of the runs is not used: ${messageOf(error)}; all runs are read again`, error);
    }
  }

  /** Reads all files of a run. Calls for the same state of the files share one read. */
  async #readWhole(run: ScannedRun): Promise<RunIdentity> {
    const path = pathOf(run);
    const { folder, signature } = run;
    let reading = this.#reads.get(path);
    if (reading?.signature !== signature) {
      reading = { signature, read: this.#options.reader.identity(folder) };
      this.#reads.set(path, reading);
    }
    try {
      const identity = await reading.read;
      this.#set(path, { folder, signature, identity, from: 'files' });
      return this.#find(run)?.identity ?? identity;
    } catch (cause) {
      const identity = { ...UNKNOWN_RUN, error: messageOf(cause) };
      // A damaged file is read again after it changes. Other errors may be temporary, so read again on the next call.
      if (cause instanceof StudioError && cause.code === 'bad_input')
        this.#set(path, { folder, signature, identity, from: 'failed' });
      return identity;
    } finally {
      if (this.#reads.get(path) === reading) this.#reads.delete(path);
    }
  }

  #readInBackground(unread: readonly ScannedRun[]): void {
    this.#unread = unread;
    if (this.#background !== null || this.#closed) return;
    const { promise, resolve } = withResolver();
    this.#parts = promise;
    this.#background = this.#readAll(resolve)
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.onError(`runs could not be read: ${messageOf(error)}`, error);
      })
      .finally(() => {
        resolve();
        this.#background = null;
      });
  }

  async #readAll(partsRead: () => void): Promise<void> {
    const { reader, onRead } = this.#options;
    this.#reported = performance.now();
    for (let batch = this.#nextUnread(); batch.length > 0 && !this.#closed; batch = this.#nextUnread()) {
      const read = await readBatch(reader.quick, batch);
      for (const [k, { folder, signature, ...run }] of batch.entries())
        this.#set(pathOf(run), { folder, signature, identity: identityOf(read[k]!), from: 'parts' });
      this.#report();
    }
    partsRead();
    const waiting = [...this.#known].filter(([, { from }]) => from === 'parts');
    for (let k = 0; k < waiting.length && !this.#closed; k += WHOLE_BATCH) {
      const batch = waiting.slice(k, k + WHOLE_BATCH).filter(([path, known]) => this.#known.get(path) === known);
      const read = await readBatch(
        reader.whole,
        batch.map(([, known]) => known),
      );
      for (const [at, [path, known]] of batch.entries()) this.#replace(path, known, read[at]!);
      this.#report();
    }
    if (!this.#closed) onRead();
  }

  #nextUnread(): readonly ScannedRun[] {
    this.#unread = this.#unread.filter((run) => this.#find(run) === null);
    return this.#unread.slice(0, QUICK_BATCH);
  }

  /** Replaces the facts from parts by those from all files, unless the run has changed meanwhile. */
  #replace(path: string, known: Known, read: ReadRun): void {
    if (this.#known.get(path) !== known) return;
    // Without an answer, the facts from parts are the best there are. They are read again after a restart.
    if (typeof read === 'string') this.#set(path, { ...known, from: 'failed' });
    else this.#set(path, { ...known, identity: read, from: 'files' });
  }

  #report(): void {
    if (performance.now() - this.#reported < REPORT_MS) return;
    this.#reported = performance.now();
    this.#options.onRead();
  }

  #set(path: string, known: Known): void {
    this.#known.set(path, { ...known, identity: this.#shared(known.identity) });
    if (this.#options.index === null || known.from !== 'files' || this.#closed) return;
    this.#timer ??= setTimeout(() => void this.#save(), SAVE_MS).unref();
  }

  /** Returns the identity with a list of joint names that runs of the same robot share. */
  #shared(identity: RunIdentity): RunIdentity {
    if (identity.jointNames === null) return identity;
    const key = identity.jointNames.join('\n');
    const jointNames = this.#names.get(key) ?? identity.jointNames;
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    this.#names.set(key, jointNames);
    return { ...identity, jointNames };
  }

  #save(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { index, onError } = this.#options;
    this.#saving = this.#saving
      .then(() => (index === null ? undefined : writeRunIndex(index, this.#stored())))
      .catch((error: unknown) => onError(`the index of the runs was not written: ${messageOf(error)}`, error));
    return this.#saving;
  }

  *#stored(): Iterable<IndexedRun> {
    for (const [path, { signature, identity, from }] of this.#known)
      if (from === 'files') yield { path, signature, identity };
  }
}

function pathOf({ runDir, run }: Pick<ScannedRun, 'runDir' | 'run'>): string {
  return `${runDir}/${run}`;
}

function identityOf(read: ReadRun): RunIdentity {
  return typeof read === 'string' ? { ...UNKNOWN_RUN, error: read } : read;
}

/** Reads a batch of runs. If its thread ends, for example out of memory, each run has that reason. */
async function readBatch(
  read: FactsReader['quick'],
  batch: readonly { readonly folder: string }[],
): Promise<readonly ReadRun[]> {
  try {
    return await read(batch.map(({ folder }) => folder));
  } catch (error) {
    return batch.map(() => messageOf(error));
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
