import type { ClipFacts } from '../clip/clip-facts.ts';
import type { ClipIndex } from '../index/clip-index.ts';
import type { ClipFile } from './clip-files.ts';

/** Number of files read at the same time. The pool has about as many threads. */
const AT_ONCE = 4;
/** Maximum number of files that wait to be read. Beyond this limit, the oldest requests are dropped. */
const MAX_WAITING = 4000;
/** Delay before late facts are reported, ms, so that several are reported together. */
const LATE_MS = 250;

export interface FactsReaderOptions {
  /** stores facts; the folders of all requested files must be loaded */
  readonly index: ClipIndex;
  readonly read: (file: ClipFile) => Promise<ClipFacts>;
  /** Called when facts arrive that `settle` no longer waits for. */
  readonly onLate: () => void;
  readonly onError: (error: unknown) => void;
}

/** Reads facts of files on request, once per size and modification time of a file. */
export class FactsReader {
  readonly #options: FactsReaderOptions;
  readonly #waiting = new Map<string, ClipFile>();
  /** waiting files; the last one is read next; may contain files that were already read or dropped */
  #stack: ClipFile[] = [];
  readonly #reading = new Set<string>();
  /** files that `settle` no longer waits for */
  readonly #overdue = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #late: NodeJS.Timeout | null = null;

  constructor(options: FactsReaderOptions) {
    this.#options = options;
  }

  /** Returns the facts of a file; null if they are not read yet. */
  get(file: ClipFile): ClipFacts | null {
    return this.#options.index.getIn<ClipFacts>('facts', file);
  }

  /** Reads the facts of `files` ahead of the files that are already queued.
   *  Settles when all files are read or have failed, at the latest after `waitMs`. */
  async settle(files: readonly ClipFile[], waitMs: number): Promise<void> {
    const pending = files.filter((file) => this.get(file) === null);
    if (pending.length === 0) return;
    this.#enqueue(pending);
    this.#readNext();
    const open = () => pending.filter(({ path }) => this.#waiting.has(path) || this.#reading.has(path));
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#listeners.delete(hear);
        resolve();
      };
      const hear = () => {
        if (open().length === 0) end();
      };
      const timer = setTimeout(() => {
        for (const { path } of open()) this.#overdue.add(path);
        end();
      }, waitMs);
      this.#listeners.add(hear);
      hear();
    });
  }

  close(): void {
    this.#waiting.clear();
    this.#stack = [];
    if (this.#late) clearTimeout(this.#late);
    this.#late = null;
  }

  #enqueue(files: readonly ClipFile[]): void {
    for (const file of [...files].reverse()) {
      this.#waiting.delete(file.path);
      this.#waiting.set(file.path, file);
      this.#stack.push(file);
    }
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= MAX_WAITING) break;
      this.#waiting.delete(oldest);
    }
    if (this.#stack.length > 2 * MAX_WAITING)
      this.#stack = this.#stack.filter((file) => this.#waiting.get(file.path) === file);
  }

  #readNext(): void {
    while (this.#reading.size < AT_ONCE) {
      const next = this.#stack.pop();
      if (!next) return;
      if (this.#waiting.get(next.path) !== next) continue;
      this.#waiting.delete(next.path);
      if (!this.#reading.has(next.path)) this.#read(next);
    }
  }

  #read(file: ClipFile): void {
    this.#reading.add(file.path);
    this.#options
      .read(file)
      .then((facts) => {
        this.#options.index.put('facts', file, facts);
      }, this.#options.onError)
      .finally(() => {
        this.#reading.delete(file.path);
        if (this.#overdue.delete(file.path)) this.#reportLate();
        this.#readNext();
        for (const listener of [...this.#listeners]) listener();
      });
  }

  #reportLate(): void {
    this.#late ??= setTimeout(() => {
      this.#late = null;
      this.#options.onLate();
    }, LATE_MS);
    this.#late.unref();
  }
}
