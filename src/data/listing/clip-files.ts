import { closeSync, lstatSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { type ClipFileType, clipFileTypeOf, sourceTypeOf, TAIL_BYTES } from '../../formats/clip-registry.ts';
import { naturalKey } from './natural-order.ts';

/** A file that was modified within this time may still be growing. */
const YOUNG_MS = 1000;
/** Files checked together. */
const CHUNK = 64;

/** What a folder is listed for: source clips (`raw`) or converted clips (`npz`). */
export type ClipKind = 'raw' | 'npz';

/** One file with a clip, with the size and modification time that it had when listed. */
export class ClipFile {
  readonly folder: string;
  /** name with its ending */
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

  /** Computed on request: of a hundred thousand files only a few paths are needed. */
  get path(): string {
    return path.join(this.folder, this.file);
  }

  /** name without its ending */
  get stem(): string {
    return this.file.slice(0, -this.format.ending.length);
  }
}

/** The clip files of a folder, compact enough to send between threads. Index k of every list belongs to the same
 *  file. */
export interface ListedFolder {
  /** names joined by "/", in natural order of the names without their endings */
  readonly names: string;
  readonly bytes: Float64Array;
  readonly mtimesMs: Float64Array;
  /** 1: the file is probably still being written */
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

/** Returns the format of a file that is listed for `kind`; null for other endings and hidden files. */
export function countedFormat(name: string, kind: ClipKind): ClipFileType | null {
  if (name.startsWith('.')) return null;
  if (kind === 'raw') return sourceTypeOf(name);
  const format = clipFileTypeOf(name);
  return format?.raw === false ? format : null;
}

/** Lists the clip files of `folder`, without sub-folders. A folder that does not exist is empty. Call it on another
 *  thread: a hundred thousand files take seconds.
 *  @throws the error of the system for a folder that cannot be listed */
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

/** The current state of one name in a folder. */
export interface Look {
  readonly name: string;
  /** null: not a clip file, or deleted */
  readonly file: ClipFile | null;
  readonly unfinished: boolean;
}

/** Reads the state of single files of a folder, in any order; names that are not clip files of `kind` are left out. */
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

/** Size and modification time of a file that cannot be accessed; reading the file reports the reason. */
const LOST = { bytes: 0, mtimeMs: 0 } as const;
/** The character by which Node replaces bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/** Whether an unreachable entry exists: a dangling link, or a name that is not UTF-8 and therefore cannot be opened. */
function isLost(file: string): boolean {
  if (path.basename(file).includes(REPLACEMENT)) return true;
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false; // The service may not access it.
  }
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function statOf(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // A dangling link, or the service may not access it.
  }
}

/** Whether the file was written just now. Writing changes mtime and ctime together; a rename, or a copy that preserves
 *  times, changes only ctime. */
function isYoung(stats: Stats): boolean {
  const age = Date.now() - stats.mtimeMs;
  return stats.ctimeMs === stats.mtimeMs && age >= 0 && age < YOUNG_MS;
}

/** Whether a file looks complete by its end. True for a file that cannot be opened; reading it reports the reason. */
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
