import { Slices } from '../../core/slices.ts';
import { ClipFile, type ClipKind, countedFormat, type ListedFolder, type Look } from './clip-files.ts';
import { compareNames } from './natural-order.ts';

/** The clip files of one folder, in natural order of the names without their endings. Immutable: an update makes a new
 *  list. */
export type FileList = readonly ClipFile[];

export const NO_FILES: FileList = [];

/** A list, and the files that are still being written. */
export interface TakenList {
  readonly files: FileList;
  /** names of files that are missing in `files`, or that are listed with their previous state */
  readonly unfinished: readonly string[];
}

/** Makes the list of a folder that was listed again. Files that have not changed remain the same objects.
 *  @param before its last list  @param settled true: treat all files as complete, whatever their modification times */
export async function takeList(
  folder: string,
  kind: ClipKind,
  listed: ListedFolder,
  before: FileList,
  settled: boolean,
): Promise<TakenList> {
  const files: ClipFile[] = [];
  const unfinished: string[] = [];
  const slices = new Slices();
  const { names, bytes, mtimesMs } = listed;
  let old = 0;
  let at = 0;
  for (let k = 0; k < bytes.length; k += 1) {
    if (slices.due()) await slices.rest();
    const end = names.indexOf('/', at);
    const name = end < 0 ? names.slice(at) : names.slice(at, end);
    at = end + 1;
    const format = countedFormat(name, kind)!;
    const file = new ClipFile(folder, name, format, bytes[k]!, mtimesMs[k]!);
    while (old < before.length && compareFiles(before[old]!, file) < 0) old += 1;
    const known = before[old]?.file === name ? before[old]! : null;
    if (known) old += 1;
    if (listed.unfinished[k] === 1 && !settled) {
      unfinished.push(name);
      if (known) files.push(known);
    } else files.push(known && sameFile(known, file) ? known : file);
  }
  return { files, unfinished };
}

/** Updates a list after single files were checked. */
export async function applyLooks(before: FileList, looks: readonly Look[]): Promise<TakenList> {
  const files = [...before];
  const unfinished: string[] = [];
  const slices = new Slices();
  for (const { name, file, unfinished: growing } of looks) {
    if (slices.due()) await slices.rest();
    if (growing) {
      unfinished.push(name);
      continue;
    }
    const at = placeOf(files, name);
    const known = files[at]?.file === name ? files[at]! : null;
    if (!file) {
      if (known) files.splice(at, 1);
    } else if (!known) files.splice(at, 0, file);
    else if (!sameFile(known, file)) files[at] = file;
  }
  return { files, unfinished };
}

/** Merges the files of several folders into one list. For each stem (name without ending), uses the files of the first
 *  folder that contains the stem. */
export async function firstOfStem(lists: readonly FileList[]): Promise<FileList> {
  const slices = new Slices();
  let all = lists[0] ?? NO_FILES;
  for (const others of lists.slice(1)) {
    if (others.length === 0) continue;
    const merged: ClipFile[] = [];
    let at = 0;
    for (const file of others) {
      if (slices.due()) await slices.rest();
      while (at < all.length && compareNames(all[at]!.stem, file.stem) <= 0) merged.push(all[at++]!);
      if (merged.at(-1)?.stem !== file.stem || merged.at(-1)?.folder === file.folder) merged.push(file);
    }
    all = [...merged, ...all.slice(at)];
  }
  return all;
}

/** Returns the files of one stem. */
export function ofStem(files: FileList, stem: string): FileList {
  let start = 0;
  for (let end = files.length; start < end; ) {
    const middle = (start + end) >> 1;
    if (compareNames(files[middle]!.stem, stem) < 0) start = middle + 1;
    else end = middle;
  }
  let end = start;
  while (end < files.length && files[end]!.stem === stem) end += 1;
  return files.slice(start, end);
}

export function sameFile(a: ClipFile | null, b: ClipFile | null): boolean {
  if (a === b) return true;
  return (
    a !== null &&
    b !== null &&
    a.file === b.file &&
    a.folder === b.folder &&
    a.bytes === b.bytes &&
    a.mtimeMs === b.mtimeMs
  );
}

/** Returns the index of the file with that name, or the index to insert it at. */
function placeOf(files: FileList, name: string): number {
  const stem = name.slice(0, name.lastIndexOf('.'));
  let start = 0;
  for (let end = files.length; start < end; ) {
    const middle = (start + end) >> 1;
    const other = files[middle]!;
    const order = compareNames(other.stem, stem) || (other.file === name ? 0 : other.file < name ? -1 : 1);
    if (order < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}

function compareFiles(a: ClipFile, b: ClipFile): number {
  if (a.file === b.file) return 0;
  return compareNames(a.stem, b.stem) || (a.file < b.file ? -1 : 1);
}
