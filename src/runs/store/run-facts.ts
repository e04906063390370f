import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, StudioError } from '../../core/errors.ts';
import type { ReadRun } from '../params/read-identity.ts';
import { type IndexedRun, isMissingIndex, readRunIndex, writeRunIndex } from './run-index.ts';
import { type RunIdentity, UNKNOWN_RUN } from './run-record.ts';
import type { ScannedRun } from './scan-run.ts';

/** Maximum number of unread runs that are read before a listing is answered. Reading one takes about 10 ms of CPU
 *  time. */
const AT_ONCE = 32;
/** Number of runs that one task of a thread reads, so that other tasks are served in between. */
const QUICK_BATCH = 16;
const WHOLE_BATCH = 16;
/** Longest time that a listing waits for facts of runs, ms. */
const WAIT_MS = 2000;
/** Time between two notifications about runs that were read in the background, ms. */
const REPORT_MS = 3000;
/** Delay between a change and the next write of the index, ms. */
const SAVE_MS = 15_000;
/** Maximum number of lists of joint names that are shared between runs. Most runs belong to a few robots. */
const MOST_NAMES = 1000;

/** The `error` of a run that is listed before its files are read. */
const BEING_READ = 'its settings are still being read. The list is updated shortly';

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
  /** `parts`: only parts of the files were read, so damage elsewhere is not known; `failed`: the files could not be
   *  read, so nothing is stored */
  readonly from: 'parts' | 'files' | 'failed';
}

export interface RunFactsOptions {
  readonly reader: FactsReader;
  /** absolute path of the index, which need not exist; null: keep facts in memory only */
  readonly index: string | null;
  /** Called for each run whose facts changed, with its path. */
  readonly onFacts: (path: string) => void;
  /** Called after runs were read in the background. */
  readonly onRead: () => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** The properties that runs state in their files. A file is read again only after it changes, also after a restart,
 *  because the properties are stored in an index by the signature of their files. Many unread runs are read in the
 *  background: first the needed parts of their files, then the complete files. */
export class RunFacts {
  readonly #options: RunFactsOptions;
  /** known properties, by `<run_dir>/<run>` */
  readonly #known = new Map<string, Known>();
  readonly #reads = new Map<string, { readonly signature: string; readonly read: Promise<RunIdentity> }>();
  readonly #names = new Map<string, readonly string[]>();
  #loading: Promise<void> | null = null;
  /** true: for some runs, the index contains only properties from parts of their files */
  readonly #unread = new Map<string, ScannedRun>();
  /** the index has facts from parts of files, which are not read as a whole yet */
  #unfinished = false;
  #background: Promise<void> | null = null;
  /** settles once the parts of all runs are read */
  #parts: Promise<void> = Promise.resolve();
  #partsRead: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  #reported = 0;
  #closed = false;

  constructor(options: RunFactsOptions) {
    this.#options = options;
  }

  /** Returns the latest known facts of a run. Its files may have changed since. A run that was never read has an
   *  `error` that says so. */
  newest(run: ScannedRun): RunIdentity {
    return this.#known.get(pathOf(run))?.identity ?? { ...UNKNOWN_RUN, error: BEING_READ };
  }

  /** Reads new and changed runs. Reads a few at once; reads many in the background and waits up to 2 s for them.
   *  @param patient waits until the parts of all runs are read */
  async read(changed: readonly ScannedRun[], patient: boolean): Promise<void> {
    await this.#load();
    const fresh = changed.filter((run) => !this.#isKnown(run));
    for (const run of fresh) this.#unread.set(pathOf(run), run);
    const due = this.#background === null ? [...this.#unread.values()] : fresh;
    if (due.length <= AT_ONCE) await Promise.all(due.map((run) => this.#readWhole(run)));
    if (due.length > AT_ONCE || this.#unfinished) this.#readInBackground();
    this.#unfinished = false;
    if (patient) await this.#parts;
    else if (fresh.length > AT_ONCE) await settled(this.#parts, WAIT_MS);
  }

  /** Removes the facts of a deleted run. */
  forget(path: string): void {
    this.#known.delete(path);
    this.#unread.delete(path);
  }

  /** Removes the facts of all other runs, such as runs that were deleted while the service was stopped. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#known.keys()) if (!paths.has(path)) this.forget(path);
  }

  /** Returns the properties of one run, read from all of its files. */
  async of(run: ScannedRun): Promise<RunIdentity> {
    await this.#load();
    const known = this.#find(run);
    return known?.from === 'files' ? known.identity : this.#readWhole(run);
  }

  /** Writes the index. Does not wait for a batch that is being read. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) await this.#save();
    await this.#saving;
  }

  #find(run: ScannedRun): Known | null {
    const known = this.#known.get(pathOf(run));
    return known?.signature === run.signature ? known : null;
  }

  #isKnown(run: ScannedRun): boolean {
    const known = this.#find(run);
    // The index does not contain the path of the workspace, so that the workspace can be moved.
    if (known !== null && known.folder === '') this.#known.set(pathOf(run), { ...known, folder: run.folder });
    return known !== null;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#loadIndex();
    return this.#loading;
  }

  async #loadIndex(): Promise<void> {
    const { index, onError } = this.#options;
    if (index === null) return;
    try {
      for (const { path, signature, whole, identity } of await readRunIndex(index)) {
        const from = whole ? 'files' : 'parts';
        this.#known.set(path, { folder: '', signature, identity: this.#shared(identity), from });
        this.#unfinished ||= !whole;
      }
    } catch (error) {
      if (!isMissingIndex(error))
        onError(`the index of the runs is not used: ${messageOf(error)}; all runs are read again`, error);
    }
  }

  /** Reads all files of a run. Concurrent calls for the same state of the files share one read. */
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
      this.#set(path, { folder, signature, identity, from: 'failed' });
      // A damaged file is read again after it changes. Other errors may be temporary, so read again on the next call.
      if (!(cause instanceof StudioError && cause.code === 'bad_input')) this.#unread.set(path, run);
      return identity;
    } finally {
      if (this.#reads.get(path) === reading) this.#reads.delete(path);
    }
  }

  #readInBackground(): void {
    if (this.#closed) return;
    if (this.#partsRead === null) {
      const { promise, resolve } = withResolver();
      this.#parts = promise;
      this.#partsRead = resolve;
    }
    this.#background ??= this.#readAll()
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.onError(`runs could not be read: ${messageOf(error)}`, error);
      })
      .finally(() => {
        this.#endParts();
        this.#background = null;
      });
  }

  async #readAll(): Promise<void> {
    this.#reported = performance.now();
    do {
      const many = await this.#readParts();
      this.#endParts();
      if (many) await this.#save(); // a killed service does not repeat this work
    } while (await this.#readSomeWhole()); // new runs come before the rest of those whose parts are known
    if (!this.#closed) this.#options.onRead();
  }

  /** Reads parts of the files of all unread runs. @returns true if it read more than one batch */
  async #readParts(): Promise<boolean> {
    let batches = 0;
    for (let batch = this.#nextUnread(); batch.length > 0 && !this.#closed; batch = this.#nextUnread()) {
      const read = await readBatch(this.#options.reader.quick, batch);
      for (const [k, { folder, signature, ...run }] of batch.entries())
        this.#set(pathOf(run), { folder, signature, identity: identityOf(read[k]!), from: 'parts' });
      this.#report();
      batches += 1;
    }
    return batches > 1;
  }

  /** Reads all files of some runs of which only parts are read. @returns false if there are none */
  async #readSomeWhole(): Promise<boolean> {
    const batch: [string, Known][] = [];
    for (const one of this.#known) {
      if (batch.length === WHOLE_BATCH || this.#closed) break;
      if (one[1].from === 'parts' && one[1].folder !== '') batch.push(one);
    }
    if (batch.length === 0) return false;
    const read = await readBatch(
      this.#options.reader.whole,
      batch.map(([, known]) => known),
    );
    for (const [at, [path, known]] of batch.entries()) this.#replace(path, known, read[at]!);
    this.#report();
    return true;
  }

  #endParts(): void {
    this.#partsRead?.();
    this.#partsRead = null;
  }

  #nextUnread(): readonly ScannedRun[] {
    const batch: ScannedRun[] = [];
    for (const run of this.#unread.values()) {
      if (batch.length === QUICK_BATCH) break;
      batch.push(run);
    }
    return batch;
  }

  /** Replaces the properties read from parts by those read from complete files, unless the run has changed in the
   *  meantime. */
  #replace(path: string, known: Known, read: ReadRun): void {
    if (this.#known.get(path) !== known) return;
    // If reading failed, keep the properties read from parts. The files are read again after a restart.
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
    if (this.#unread.get(path)?.signature === known.signature) this.#unread.delete(path);
    this.#options.onFacts(path);
    if (this.#options.index === null || known.from === 'failed' || this.#closed) return;
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
      if (from !== 'failed') yield { path, signature, whole: from === 'files', identity };
  }
}

function pathOf({ runDir, run }: Pick<ScannedRun, 'runDir' | 'run'>): string {
  return `${runDir}/${run}`;
}

function identityOf(read: ReadRun): RunIdentity {
  return typeof read === 'string' ? { ...UNKNOWN_RUN, error: read } : read;
}

/** Reads a batch of runs. If its thread ends, for example because memory ran out, every run gets that reason as its
 *  error. */
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

/** Waits until `work` settles, at most `ms`. @throws what `work` throws within that time */
async function settled(work: Promise<void>, ms: number): Promise<void> {
  const ending = new AbortController();
  const limit = sleep(ms, undefined, { ref: false, signal: ending.signal }).catch(() => {});
  await Promise.race([work, limit]);
  ending.abort();
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
