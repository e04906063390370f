import { nameProblem, quoteName } from '../../core/files/names.ts';
import { Slices } from '../../core/slices.ts';
import type { ClipFile } from './clip-files.ts';
import { type FileList, ofStem, sameFile } from './file-list.ts';
import { compareNames } from './natural-order.ts';

/** A clip as its files on disk define it. */
export interface ClipEntry {
  readonly name: string;
  readonly raw: ClipFile | null;
  readonly npz: ClipFile | null;
  /** there is an npz, and it is older than the raw file, or was made with other options than the dataset asks for */
  readonly stale: boolean;
  /** why it cannot be used at all; its content is another matter */
  readonly error: string | null;
}

/** In natural order of their names. */
export type EntryList = readonly ClipEntry[];

/** Whether a converted clip was made with other options than the dataset asks for. */
export type MadeOtherwise = (npz: ClipFile) => boolean;

/** A clip that training can read: an npz that is not older than its source. */
export function isConverted(entry: ClipEntry): boolean {
  return entry.npz !== null && !entry.stale;
}

/** One entry a stem. Entries whose files have not changed stay the same objects. */
export async function mergeEntries(
  raw: FileList,
  npz: FileList,
  before: EntryList,
  madeOtherwise: MadeOtherwise,
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
    const entry = makeEntry(stem, raw, [r, rawEnd], npz, [n, npzEnd], madeOtherwise);
    r = rawEnd;
    n = npzEnd;
    while (old < before.length && before[old]!.name !== stem && compareNames(before[old]!.name, stem) < 0) old += 1;
    const known = before[old];
    entries.push(known && isSame(known, entry) ? known : entry);
    if (known?.name === stem) old += 1;
  }
  return entries;
}

/** The entries after files of some stems have changed. */
export async function updateEntries(
  before: EntryList,
  stems: Iterable<string>,
  raw: FileList,
  npz: FileList,
  madeOtherwise: MadeOtherwise,
): Promise<EntryList> {
  const entries = [...before];
  const slices = new Slices();
  for (const stem of stems) {
    if (slices.due()) await slices.rest();
    const mine = ofStem(raw, stem);
    const made = ofStem(npz, stem);
    const at = placeOf(entries, stem);
    const known = entries[at]?.name === stem ? entries[at]! : null;
    if (mine.length + made.length === 0) {
      if (known) entries.splice(at, 1);
      continue;
    }
    const entry = makeEntry(stem, mine, [0, mine.length], made, [0, made.length], madeOtherwise);
    if (!known) entries.splice(at, 0, entry);
    else if (!isSame(known, entry)) entries[at] = entry;
  }
  return entries;
}

export function findEntry(entries: EntryList, name: string): ClipEntry | null {
  const entry = entries[placeOf(entries, name)];
  return entry?.name === name ? entry : null;
}

type Range = readonly [start: number, end: number];

function makeEntry(
  name: string,
  raws: FileList,
  rawRange: Range,
  npzs: FileList,
  npzRange: Range,
  madeOtherwise: MadeOtherwise,
): ClipEntry {
  const raw = rawRange[0] < rawRange[1] ? raws[rawRange[0]]! : null;
  const npz = npzRange[0] < npzRange[1] ? npzs[npzRange[0]]! : null;
  const stale = raw !== null && npz !== null && (npz.mtimeMs < raw.mtimeMs || madeOtherwise(npz));
  return { name, raw, npz, stale, error: nameError(name) ?? twinError(raws, rawRange) ?? twinError(npzs, npzRange) };
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
  return problem === null ? null : `the file's name ${quoteName(name)} ${problem}; rename the file`;
}

function twinError(files: FileList, [start, end]: Range): string | null {
  if (end - start < 2) return null;
  const names = files.slice(start, end).map(({ file }) => file);
  return `the files ${names.join(' and ')} are clips of one name; rename or remove one`;
}
