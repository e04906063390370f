import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { createAtomic } from '../../core/files/atomic-file.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import { readRegularFile } from '../../core/files/read-regular-file.ts';
import { Slices } from '../../core/slices.ts';
import { formatLine, headLine, type IndexLine, readIndex } from './index-file.ts';

/** Maximum size of an index file. For comparison: the index of a hundred thousand clips has some 30 MB. */
const MAX_FILE_BYTES = 1 << 30;
/** Delay before changes are written, ms, so that several changes are written together. */
const WRITE_MS = 1000;
/** An index file is rewritten if it has more lines than this and more than twice the lines that it needs. */
const LEAST_GARBAGE = 1000;

/** Kinds of values stored for a file. `facts`: properties for listings (`ClipFacts`). `qa`: summary of the checks.
 *  `made`: record of the conversion of a clip. `failed`: reason of its last failed conversion. `scan`: the last scan of
 *  a dataset, stored under the dataset's folder. */
export type IndexKind = 'facts' | 'qa' | 'made' | 'failed' | 'scan';

/** A file with its size and modification time. If either changes, the index treats it as a different file. */
export interface FileIdentity {
  /** absolute path */
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** The stored values of one file. A flat object, because a hundred thousand of these are kept in memory. */
class Row {
  facts: unknown = undefined;
  qa: unknown = undefined;
  made: unknown = undefined;
  failed: unknown = undefined;
  scan: unknown = undefined;
  readonly bytes: number;
  readonly mtimeMs: number;

  constructor(bytes: number, mtimeMs: number) {
    this.bytes = bytes;
    this.mtimeMs = mtimeMs;
  }
}

const KINDS: readonly IndexKind[] = ['facts', 'qa', 'made', 'failed', 'scan'];

/** The stored values of the files in one folder. */
interface Shard {
  readonly folder: string;
  readonly file: string;
  readonly rows: Map<string, Row>;
  /** The values of kind `failed`. A check of an old state of a file may end after the conversion of its new state. Its
   *  result must not replace the failure, because only another conversion can find the failure again. */
  readonly failures: Map<string, Row>;
  /** values that are not written yet; file names and kinds alternate */
  waiting: string[];
  /** `lines`: number of lines in the file on disk; `values`: number of lines after a rewrite */
  lines: number;
  values: number;
  /** true if the file on disk is missing or damaged and must be rewritten completely */
  whole: boolean;
}

export interface ClipIndexOptions {
  /** folder of the index files, which may not exist yet; null: keep values in memory only */
  readonly cache: string | null;
  readonly onError: (error: unknown) => void;
}

/** Stores small JSON values about clip files, which survive restarts. The key is kind, path, size and modification
 *  time. The index does not know which files exist. It does not return values of a file whose size or modification
 *  time has changed. A missing or damaged index file is created again. */
export class ClipIndex {
  readonly #options: ClipIndexOptions;
  readonly #shards = new Map<string, Promise<Shard>>();
  readonly #open = new Map<string, Shard>();
  #revision = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ClipIndexOptions) {
    this.#options = options;
  }

  /** Loads the stored values of the files in `folder` (absolute path). Before that, `get` returns null for these
   *  files. */
  async load(folder: string): Promise<void> {
    let shard = this.#shards.get(folder);
    if (!shard) {
      shard = this.#read(folder);
      this.#shards.set(folder, shard);
    }
    await shard;
  }

  /** A number that increases with every stored value. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the value stored for the file with this size and modification time; null if there is no such value. */
  get<T>(kind: IndexKind, file: FileIdentity): T | null {
    return this.getIn<T>(kind, {
      folder: path.dirname(file.path),
      file: path.basename(file.path),
      bytes: file.bytes,
      mtimeMs: file.mtimeMs,
    });
  }

  /** Returns the same as {@link get}, but does not split a path. For passes over a hundred thousand files. */
  getIn<T>(
    kind: IndexKind,
    { folder, file, bytes, mtimeMs }: { readonly folder: string; readonly file: string } & Omit<FileIdentity, 'path'>,
  ): T | null {
    const shard = this.#open.get(folder);
    const row = shard && rowsOf(shard, kind).get(file);
    if (!row || row.bytes !== bytes || row.mtimeMs !== mtimeMs) return null;
    return (row[kind] as T | undefined) ?? null;
  }

  /** Returns the values stored for the files of a loaded folder, by file name. Each value comes with the file's size
   *  and modification time at the last `put`. */
  all<T>(
    kind: IndexKind,
    folder: string,
  ): Map<string, { readonly value: T; readonly bytes: number; readonly mtimeMs: number }> {
    const found = new Map<string, { readonly value: T; readonly bytes: number; readonly mtimeMs: number }>();
    const shard = this.#open.get(folder);
    for (const [name, row] of shard ? rowsOf(shard, kind) : []) {
      const value = row[kind] as T | null | undefined;
      if (value != null) found.set(name, { value, bytes: row.bytes, mtimeMs: row.mtimeMs });
    }
    return found;
  }

  /** Stores a JSON value. Drops values of the same file that were stored with another size or modification time. A
   *  value of kind `failed` is dropped only by another one of this kind. */
  put(kind: IndexKind, file: FileIdentity, value: unknown): void {
    const folder = path.dirname(file.path);
    const shard = this.#open.get(folder);
    if (!shard) {
      this.load(folder).then(() => this.put(kind, file, value), this.#options.onError);
      return;
    }
    const name = path.basename(file.path);
    const { bytes, mtimeMs } = file;
    setValue(shard, { name, bytes, mtimeMs, kind, value });
    this.#revision += 1;
    if (this.#options.cache === null) return;
    shard.waiting.push(name, kind);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_MS).unref();
  }

  /** Returns the number of files of a folder with stored values. */
  size(folder: string): number {
    return this.#open.get(folder)?.rows.size ?? 0;
  }

  /** Drops the values of deleted files in a loaded folder. @param there returns true if a file of that name exists */
  keep(folder: string, there: (name: string) => boolean): void {
    const shard = this.#open.get(folder);
    if (!shard) return;
    for (const rows of [shard.rows, shard.failures])
      for (const [name, row] of rows) {
        if (there(name)) continue;
        shard.values -= valuesIn(row);
        rows.delete(name);
      }
  }

  /** Writes pending changes. If that fails, reports the error and discards the changes, because their values can be
   *  computed again. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(async () => {
      for (const shard of this.#open.values()) if (shard.waiting.length > 0) await this.#write(shard);
    });
    return this.#writing;
  }

  /** Writes pending changes and frees the memory. */
  async close(): Promise<void> {
    await this.flush();
    this.#shards.clear();
    this.#open.clear();
  }

  async #read(folder: string): Promise<Shard> {
    const { cache } = this.#options;
    const id = createHash('sha256').update(folder).digest('hex').slice(0, 24);
    const file = path.join(cache ?? '', `${id}.index`);
    const rows = { rows: new Map<string, Row>(), failures: new Map<string, Row>() };
    const shard: Shard = { folder, file, ...rows, waiting: [], lines: 0, values: 0, whole: true };
    try {
      if (cache === null) return this.#keep(shard);
      const read = await readIndex(await readRegularFile(file, MAX_FILE_BYTES), folder, (line) =>
        setValue(shard, line),
      );
      shard.lines = read?.lines ?? 0;
      shard.whole = read === null || read.damaged > 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#options.onError(error);
    }
    return this.#keep(shard);
  }

  #keep(shard: Shard): Shard {
    this.#open.set(shard.folder, shard);
    return shard;
  }

  async #write(shard: Shard): Promise<void> {
    const waiting = shard.waiting;
    shard.waiting = [];
    try {
      if (shard.whole || shard.lines > LEAST_GARBAGE + 2 * shard.values) await writeWhole(shard);
      else await appendLines(shard, waiting);
    } catch (error) {
      shard.whole = true;
      this.#options.onError(error);
    }
  }
}

async function appendLines(shard: Shard, waiting: readonly string[]): Promise<void> {
  const slices = new Slices();
  const lines: string[] = [];
  for (let k = 0; k < waiting.length; k += 2) {
    if (slices.due()) await slices.rest();
    const name = waiting[k]!;
    const kind = waiting[k + 1] as IndexKind;
    const row = rowsOf(shard, kind).get(name);
    if (row && row[kind] !== undefined) lines.push(lineOf(name, row, kind));
  }
  await appendFile(shard.file, lines.join(''));
  shard.lines += lines.length;
}

/** Writes all values to a new file. Values that are stored during the write are either included or written the next
 *  time. */
async function writeWhole(shard: Shard): Promise<void> {
  await makeFolders(path.dirname(shard.file), 3);
  const file = await createAtomic(shard.file);
  try {
    const slices = new Slices();
    let text = headLine(shard.folder);
    let lines = 0;
    for (const rows of [shard.rows, shard.failures])
      for (const [name, row] of rows) {
        for (const kind of KINDS) {
          if (row[kind] === undefined) continue;
          text += lineOf(name, row, kind);
          lines += 1;
        }
        if (!slices.due()) continue;
        await file.write(Buffer.from(text));
        text = '';
        await slices.rest();
      }
    await file.write(Buffer.from(text));
    await file.commit();
    shard.lines = lines;
    shard.whole = false;
  } finally {
    await file.discard();
  }
}

function lineOf(name: string, row: Row, kind: IndexKind): string {
  return formatLine({ name, bytes: row.bytes, mtimeMs: row.mtimeMs, kind, value: row[kind] });
}

function setValue(shard: Shard, { name, bytes, mtimeMs, kind, value }: IndexLine): void {
  if (!KINDS.includes(kind as IndexKind)) return; // Skip lines that another version of the service wrote.
  const rows = rowsOf(shard, kind as IndexKind);
  let row = rows.get(name);
  if (!row || row.bytes !== bytes || row.mtimeMs !== mtimeMs) {
    if (row) shard.values -= valuesIn(row);
    row = new Row(bytes, mtimeMs);
    rows.set(name, row);
  }
  if (row[kind as IndexKind] === undefined) shard.values += 1;
  row[kind as IndexKind] = value;
}

function rowsOf(shard: Shard, kind: IndexKind): Map<string, Row> {
  return kind === 'failed' ? shard.failures : shard.rows;
}

function valuesIn(row: Row): number {
  return KINDS.filter((kind) => row[kind] !== undefined).length;
}
