import { closeSync, lstatSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { type ClipFileType, clipFileTypeOf, sourceTypeOf, TAIL_BYTES } from '../../formats/clip-registry.ts';
import { naturalKey } from './natural-order.ts';

/** A file that was modified within this time, ms, may still be growing. */
const YOUNG_MS = 1000;
/** Number of files checked in one batch. */
const CHUNK = 64;

/** The purpose of listing a folder: source clips (`raw`) or converted clips (`npz`). */
export type ClipKind = 'raw' | 'npz';

/** One clip file, with its size and modification time at the time of listing. */
export class ClipFile {
  readonly folder: string;
  /** file name with its ending */
  readonly file: string;
  readonly format: ClipFileType;
  readonly bytes: number;
  readonly mtimeMs: number;

  constructor(folder: string, file: string, format: ClipFileType, bytes: number, mtimeMs: number) {
    this.folder = folder;
    this.file = file;
    this.format = format;
    this.bytes = bytes;
    this.mtimeMs = mtimeMs;
  }

  /** The absolute path. Computed on request: for a hundred thousand files, only a few paths are needed. */
  get path(): string {
    return path.join(this.folder, this.file);
  }

  /** The file name without its ending. */
  get stem(): string {
    return this.file.slice(0, -this.format.ending.length);
  }
}

/** The clip files of a folder, in a compact form for sending between threads. Index k of every list refers to the
 *  same file. */
export interface ListedFolder {
  /** file names joined by "/", in natural order of the names without their endings */
  readonly names: string;
  readonly bytes: Float64Array;
  readonly mtimesMs: Float64Array;
  /** 1 if the file is probably still being written, else 0 */
  readonly unfinished: Uint8Array;
}

interface Found {
  readonly name: string;
  readonly stem: string;
  readonly key: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly unfinished: boolean;
}

const NOTHING: ListedFolder = {
  names: '',
  bytes: new Float64Array(0),
  mtimesMs: new Float64Array(0),
  unfinished: new Uint8Array(0),
};

/** Returns the format of a file if it is listed for `kind`; null for other endings and hidden files. */
export function countedFormat(name: string, kind: ClipKind): ClipFileType | null {
  if (name.startsWith('.')) return null;
  if (kind === 'raw') return sourceTypeOf(name);
  const format = clipFileTypeOf(name);
  return format?.raw === false ? format : null;
}

/** Lists the clip files in `folder`, without sub-folders. Returns an empty list if the folder does not exist. Call
 *  it on another thread: a hundred thousand files take seconds.
 *  @throws the system's error if the folder cannot be listed */
export function listFolder(folder: string, kind: ClipKind): ListedFolder {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return NOTHING;
    throw error;
  }
  const found: Found[] = [];
  for (const name of names) {
    const format = countedFormat(name, kind);
    const file = path.join(folder, name);
    if (!format) continue;
    const stem = name.slice(0, -format.ending.length);
    const stats = statOf(file);
    if (!stats) {
      if (isLost(file)) found.push({ name, stem, key: naturalKey(stem), ...LOST, unfinished: false });
      continue;
    }
    if (!stats.isFile()) continue;
    const unfinished = isYoung(stats) && !mayBeWholeSync(file, format, stats.size);
    found.push({ name, stem, key: naturalKey(stem), bytes: stats.size, mtimeMs: stats.mtimeMs, unfinished });
  }
  found.sort((a, b) => compare(a.key, b.key) || compare(a.stem, b.stem) || compare(a.name, b.name));
  return {
    names: found.map(({ name }) => name).join('/'),
    bytes: Float64Array.from(found, ({ bytes }) => bytes),
    mtimesMs: Float64Array.from(found, ({ mtimeMs }) => mtimeMs),
    unfinished: Uint8Array.from(found, ({ unfinished }) => Number(unfinished)),
  };
}

/** The current state of one file name in a folder. */
export interface Look {
  readonly name: string;
  /** null if the file was deleted or is not a clip file */
  readonly file: ClipFile | null;
  readonly unfinished: boolean;
}

/** Reads size and modification time of the named files of a folder, in any order. Skips names that are not clip files
 *  of `kind`. */
export async function lookAt(folder: string, names: Iterable<string>, kind: ClipKind): Promise<Look[]> {
  const counted = Array.from(names, (name) => ({ name, format: countedFormat(name, kind) }));
  const looks: Look[] = [];
  for (let start = 0; start < counted.length; start += CHUNK) {
    const chunk = counted.slice(start, start + CHUNK).map(async ({ name, format }): Promise<Look | null> => {
      if (!format) return null;
      const file = path.join(folder, name);
      const stats = await stat(file).catch(() => null);
      if (!stats && isLost(file))
        return { name, file: new ClipFile(folder, name, format, LOST.bytes, LOST.mtimeMs), unfinished: false };
      if (!stats?.isFile()) return { name, file: null, unfinished: false };
      const unfinished = isYoung(stats) && !(await mayBeWhole(file, format, stats.size));
      return { name, file: new ClipFile(folder, name, format, stats.size, stats.mtimeMs), unfinished };
    });
    for (const look of await Promise.all(chunk)) if (look) looks.push(look);
  }
  return looks;
}

/** Size and modification time used for a file that cannot be accessed. Reading the file will report the reason. */
const LOST = { bytes: 0, mtimeMs: 0 } as const;
/** The character that Node inserts for bytes that are not valid UTF-8. */
const REPLACEMENT = '\ufffd';

/** Returns true for an existing entry that cannot be accessed: a broken link, or a name that is not valid UTF-8. */
function isLost(file: string): boolean {
  if (path.basename(file).includes(REPLACEMENT)) return true;
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false; // The service does not have permission to access the file.
  }
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function statOf(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // A broken link, or a file that the service does not have permission to access.
  }
}

/** Returns true if the file was written just now. Writing changes both mtime and ctime; a rename, or a copy that
 *  preserves times, changes only ctime. */
function isYoung(stats: Stats): boolean {
  const age = Date.now() - stats.mtimeMs;
  return stats.ctimeMs === stats.mtimeMs && age >= 0 && age < YOUNG_MS;
}

/** Returns true if the last bytes of a file look complete, or if the file cannot be opened; reading the file will then
 *  report the reason. */
function mayBeWholeSync(file: string, format: ClipFileType, size: number): boolean {
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  let opened: number;
  try {
    opened = openSync(file, READ_FLAGS);
  } catch {
    return true;
  }
  try {
    return format.mayBeWhole(tail.subarray(0, readSync(opened, tail, 0, tail.length, size - tail.length)));
  } finally {
    closeSync(opened);
  }
}

async function mayBeWhole(file: string, format: ClipFileType, size: number): Promise<boolean> {
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  let opened: FileHandle;
  try {
    opened = await open(file, READ_FLAGS);
  } catch {
    return true;
  }
  try {
    const { bytesRead } = await opened.read(tail, 0, tail.length, size - tail.length);
    return format.mayBeWhole(tail.subarray(0, bytesRead));
  } finally {
    await opened.close();
  }
}
