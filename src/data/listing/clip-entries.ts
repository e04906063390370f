import { nameProblem, quoteName } from '../../core/files/names.ts';
import { Slices } from '../../core/slices.ts';
import { MIRROR_ENDING, mirroredFrom, mirrorNameProblem } from '../conversion/mirror-name.ts';
import type { ClipFile } from './clip-files.ts';
import { type FileList, ofStem, sameFile } from './file-list.ts';
import { compareNames } from './natural-order.ts';

/** A clip, defined by its files on disk. */
export interface ClipEntry {
  readonly name: string;
  readonly raw: ClipFile | null;
  readonly npz: ClipFile | null;
  /** true if the npz is older than the raw file, or was converted with options other than those in `dataset.yaml` */
  readonly stale: boolean;
  /** why the clip cannot be used; does not include problems of the file's content */
  readonly error: string | null;
}

/** Clips sorted by name in natural order. */
export type EntryList = readonly ClipEntry[];

/** The requirements of `dataset.yaml` for converted clips. */
export interface Requested {
  /** Returns true if a clip was converted with options other than the requested ones. */
  hasOtherOptions(npz: ClipFile): boolean;
  /** true if a mirror image of each clip is requested */
  readonly mirror: boolean;
}

/** Returns true if training can read a clip, that is, if its npz is up to date. */
export function isConverted(entry: ClipEntry): boolean {
  return entry.npz !== null && !entry.stale;
}

/** Returns true if a clip's raw file must be converted for the first time or again. Returns false for a clip without
 *  a raw file. */
export function isMissing(entry: ClipEntry): boolean {
  return entry.raw !== null && !isConverted(entry);
}

/** Creates one entry per stem (file name without ending). Entries whose files have not changed keep their object
 *  identity. */
export async function mergeEntries(
  raw: FileList,
  npz: FileList,
  before: EntryList,
  requested: Requested,
): Promise<EntryList> {
  const entries: ClipEntry[] = [];
  const slices = new Slices();
  let r = 0;
  let n = 0;
  let old = 0;
  while (r < raw.length || n < npz.length) {
    if (slices.due()) await slices.rest();
    const rawStem = raw[r]?.stem;
    const npzStem = npz[n]?.stem;
    const order = rawStem === undefined ? 1 : npzStem === undefined ? -1 : compareNames(rawStem, npzStem);
    const stem = order <= 0 ? rawStem! : npzStem!;
    const rawEnd = order <= 0 ? endOf(raw, r, stem) : r;
    const npzEnd = order >= 0 ? endOf(npz, n, stem) : n;
    const entry = makeEntry(stem, { raw, npz }, raw.slice(r, rawEnd), npz.slice(n, npzEnd), requested);
    r = rawEnd;
    n = npzEnd;
    while (old < before.length && before[old]!.name !== stem && compareNames(before[old]!.name, stem) < 0) old += 1;
    const known = before[old];
    entries.push(known && isSame(known, entry) ? known : entry);
    if (known?.name === stem) old += 1;
  }
  return entries;
}

/** Updates the entries of clips whose files have changed.
 *  @param stems names of the changed files, without their endings */
export async function updateEntries(
  before: EntryList,
  stems: Iterable<string>,
  raw: FileList,
  npz: FileList,
  requested: Requested,
): Promise<EntryList> {
  const entries = [...before];
  const slices = new Slices();
  for (const stem of withMirrors(stems)) {
    if (slices.due()) await slices.rest();
    const mine = ofStem(raw, stem);
    const made = ofStem(npz, stem);
    const at = placeOf(entries, stem);
    const known = entries[at]?.name === stem ? entries[at]! : null;
    if (mine.length + made.length === 0) {
      if (known) entries.splice(at, 1);
      continue;
    }
    const entry = makeEntry(stem, { raw, npz }, mine, made, requested);
    if (!known) entries.splice(at, 0, entry);
    else if (!isSame(known, entry)) entries[at] = entry;
  }
  return entries;
}

export function findEntry(entries: EntryList, name: string): ClipEntry | null {
  const entry = entries[placeOf(entries, name)];
  return entry?.name === name ? entry : null;
}

/** Adds the names of mirror images and of mirrored clips: whether a clip is stale depends on its mirror image, and
 *  vice versa. */
function withMirrors(stems: Iterable<string>): Set<string> {
  const all = new Set<string>();
  for (const stem of stems) {
    all.add(stem).add(stem + MIRROR_ENDING);
    const base = mirroredFrom(stem);
    if (base !== null) all.add(base);
  }
  return all;
}

/** The files of a dataset, sorted. */
interface Files {
  readonly raw: FileList;
  readonly npz: FileList;
}

/** Creates the entry of a clip.
 *  @param raws raw files with the clip's name @param npzs converted files with that name; two files of a kind are an
 *  error */
function makeEntry(name: string, files: Files, raws: FileList, npzs: FileList, requested: Requested): ClipEntry {
  const own = ownRaws(raws, npzs);
  const raw = own[0] ?? null;
  const npz = npzs[0] ?? null;
  const stale = npz !== null && isStale(name, files, raw, npz, requested);
  return { name, raw, npz, stale, error: nameError(name) ?? twinError(own) ?? twinError(npzs) };
}

/** Returns the raw files of a clip. A human recording of the same name, from which the clip was retargeted, is
 *  returned only if the clip does not have another file. */
export function ownRaws(raws: FileList, npzs: FileList): FileList {
  if (raws.every(isReadable)) return raws.length > 1 ? withoutNpz(raws) : raws;
  const readable = withoutNpz(raws.filter(isReadable));
  return readable.length + npzs.length > 0 ? readable : raws.slice(0, 1);
}

/** Removes an `.npz` if another source file has the same name: the `.npz` was probably converted from it manually. */
function withoutNpz(raws: FileList): FileList {
  const others = raws.filter(({ format }) => format.ending !== '.npz');
  return others.length > 0 ? others : raws;
}

/** Returns the readable raw files of a stem. */
function sourcesOf(files: Files, stem: string): FileList {
  return ofStem(files.raw, stem).filter(isReadable);
}

/** Returns true if a file may contain a clip of a robot, judged by its ending. */
export function isReadable(file: ClipFile): boolean {
  return file.format.refused !== true;
}

function isStale(name: string, files: Files, raw: ClipFile | null, npz: ClipFile, requested: Requested): boolean {
  const base = mirroredFrom(name);
  const original = raw ?? (base === null ? null : (sourcesOf(files, base)[0] ?? null));
  // A clip without a source cannot be stale.
  if (original === null) return false;
  if (npz.mtimeMs < original.mtimeMs || requested.hasOtherOptions(npz)) return true;
  return requested.mirror && raw !== null && lacksMirror(name, files, raw);
}

/** Returns true if the requested mirror image of a clip is missing or stale. */
function lacksMirror(name: string, files: Files, raw: ClipFile): boolean {
  const base = mirroredFrom(name);
  if (base !== null && sourcesOf(files, base).length > 0) return false;
  if (sourcesOf(files, name + MIRROR_ENDING).length > 0 || mirrorNameProblem(name) !== null) return false;
  const image = ofStem(files.npz, name + MIRROR_ENDING)[0];
  return image === undefined || image.mtimeMs < raw.mtimeMs;
}

function isSame(a: ClipEntry, b: ClipEntry): boolean {
  return (
    a.name === b.name && a.stale === b.stale && a.error === b.error && sameFile(a.raw, b.raw) && sameFile(a.npz, b.npz)
  );
}

function endOf(files: FileList, start: number, stem: string): number {
  let end = start + 1;
  while (end < files.length && files[end]!.stem === stem) end += 1;
  return end;
}

function placeOf(entries: EntryList, name: string): number {
  let start = 0;
  for (let end = entries.length; start < end; ) {
    const middle = (start + end) >> 1;
    if (compareNames(entries[middle]!.name, name) < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}

function nameError(name: string): string | null {
  const problem = nameProblem('clip', name);
  return problem === null ? null : `the file's name ${quoteName(name)} ${problem}. Rename the file.`;
}

function twinError(files: FileList): string | null {
  if (files.length < 2) return null;
  const names = files.map(({ file }) => file);
  return `the files ${names.join(' and ')} are clips with the same name. Rename or remove one of them.`;
}
