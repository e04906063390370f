import { constants, type Stats } from 'node:fs';
import { copyFile, lstat, open, realpath, stat, statfs, utimes } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { createFolderAtomic, writeAtomic } from '../../core/files/atomic-file.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import { isInside } from '../../core/files/path-guard.ts';
import { sourceError } from '../../core/files/source-error.ts';
import { clipFileTypeOf } from '../../formats/clip-registry.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { DATASET_FILE, formatDatasetFile, readDatasetConfig } from '../dataset-file.ts';
import { NPZ_FOLDER } from '../listing/dataset-snapshot.ts';
import type { ImportSource } from './import-source.ts';
import type { SplitBundle } from './split-bundle.ts';

/** Number of files copied at the same time. Copies mostly wait for the disk to sync, not for the processor. */
const AT_ONCE = 4;
/** Number of files examined at the same time. */
const LOOKS_AT_ONCE = 64;
/** Disk space that must stay free after a folder is copied, bytes. */
const RESERVE_BYTES = 64 * 1024 * 1024;

export interface ImportProgress {
  readonly signal: AbortSignal;
  /** @param fraction 0..1 */
  report(message: string, fraction: number): void;
}

/** Reads files with converted clips on another thread. */
export interface BundleReader {
  isBundle(file: string): Promise<boolean>;
  /** Returns true if an `.npz` file must be converted, and so belongs to the source clips. */
  isSource(file: string): Promise<boolean>;
  /** Splits a bundle into clips in `folder`. @param taken names of existing clips */
  split(bundle: string, folder: string, taken: readonly string[]): Promise<SplitBundle>;
}

/** A file to copy into a dataset. */
export interface Copy {
  readonly from: string;
  /** path relative to the dataset */
  readonly to: string;
  readonly bytes: number;
  readonly mtime: Date;
}

/** Copies the clips of a folder into a new dataset, which becomes visible when it is complete. Modification times
 *  are kept, so that converted clips stay up to date. Bundles are split. Links that lead out of the source are
 *  skipped.
 *  @param target folder of the dataset, which must not exist; its parent must exist
 *  @param read options that override what the files or their formats state
 *  @returns the files that were skipped  @throws bad_input, disk_full, AbortError */
export async function importCopy(
  source: ImportSource,
  target: string,
  bundles: BundleReader,
  progress: ImportProgress,
  read?: ReadOptions,
): Promise<string[]> {
  const { signal } = progress;
  const { leftOut, copies, toSplit, total } = await planImport(source, bundles, signal);
  if (copies.length + toSplit.length === 0)
    throw badInput(
      `source: all clips of ${source.folder} are links that lead out of it. Copy the files into the folder, or import it with "link".`,
    );
  await requireRoom(path.dirname(target), total);
  await createFolderAtomic(target, async (unseen) => {
    for (const folder of new Set(copies.map(({ to }) => path.dirname(to))))
      await makeFolders(path.join(unseen, folder), folder.split(path.sep).length);
    await copyAll(copies, unseen, total, progress);
    leftOut.push(...(await splitAll(toSplit, copies, unseen, bundles, signal)));
    await copySettings(source.folder, unseen, read);
    signal.throwIfAborted();
    await requireFree(target);
  });
  return leftOut;
}

/** A bundle to split. */
interface Split {
  readonly from: string;
  /** folder for the bundle's clips, relative to the dataset */
  readonly into: string;
}

/** Decides for each file of a source whether to copy, split or skip it. */
async function planImport(source: ImportSource, bundles: BundleReader, signal: AbortSignal) {
  const leftOut: string[] = [];
  const copies: Copy[] = [];
  const toSplit: Split[] = [];
  let total = 0;
  const plan = [...source.raw.map((file): [string, string] => [file, file]), ...npzPlaces(source.npz)];
  for (let start = 0; start < plan.length; start += LOOKS_AT_ONCE) {
    signal.throwIfAborted();
    const part = plan.slice(start, start + LOOKS_AT_ONCE);
    const looks = await Promise.all(part.map(([file, to]) => planCopy(source, file, to)));
    const isSplit = await Promise.all(
      looks.map((copy, k) => copy !== null && mayBeBundle(part[k]![0], copy.to) && bundles.isBundle(copy.from)),
    );
    for (const [k, copy] of looks.entries()) {
      if (!copy) leftOut.push(part[k]![0]);
      else if (isSplit[k]) toSplit.push({ from: copy.from, into: path.dirname(copy.to) });
      else if (isLoose(part[k]![0], copy.to) && (await bundles.isSource(copy.from)))
        copies.push({ ...copy, to: besideRaw(source, part[k]![0]) });
      else copies.push(copy);
      total += copy?.bytes ?? 0;
    }
  }
  return { leftOut, copies, toSplit, total };
}

/** Returns true if a file may be a bundle, judged by its name. Bundles of converted clips are searched only directly in
 *  the source folder, never in npz/. */
function mayBeBundle(file: string, to: string): boolean {
  const type = clipFileTypeOf(file);
  return type?.raw ? type.parts !== undefined : isLoose(file, to);
}

/** Returns true for an `.npz` directly in the source folder. It may be a converted clip, a bundle or a source clip. */
function isLoose(file: string, to: string): boolean {
  return file === path.basename(file) && file !== to;
}

/** Returns the path of a file in the folder of raw clips of the new dataset. */
function besideRaw({ raw }: ImportSource, file: string): string {
  return path.join(path.dirname(raw[0] ?? file), file);
}

/** Creates a dataset that links to the clips in another folder. The service never writes into that folder. */
export async function importLink(
  source: ImportSource,
  target: string,
  bundles: BundleReader,
  read?: ReadOptions,
): Promise<void> {
  const loose = source.npz.find((file) => file === path.basename(file));
  const hasSource = source.raw.length > 0 || (loose && (await bundles.isSource(path.join(source.folder, loose))));
  if (!hasSource)
    throw badInput(
      `source: ${source.folder} contains only converted clips, but a link requires source clips. Import it without "link".`,
    );
  await createFolderAtomic(target, async (unseen) => {
    const settings = { source: source.folder, ...(read && { convert: { read } }) };
    await writeAtomic(path.join(unseen, DATASET_FILE), await formatDatasetFile(settings));
    await requireFree(target);
  });
}

/** Returns the destinations of converted clips. If several files have the same name, the first one is used; files in
 *  `npz/` come first. */
function npzPlaces(files: readonly string[]): [from: string, to: string][] {
  const places = new Map<string, string>();
  for (const file of files) {
    const to = path.join(NPZ_FOLDER, path.basename(file));
    if (!places.has(to)) places.set(to, file);
  }
  return Array.from(places, ([to, from]) => [from, to]);
}

/** Returns the copy of one file; null if `file` is not a regular file, or is a link that leads out of the source. */
async function planCopy(source: ImportSource, file: string, to: string): Promise<Copy | null> {
  const from = path.join(source.folder, file);
  let stats: Stats;
  try {
    // Check files in `raw/` and `npz/` by their resolved paths, because the folder itself may be a link that leads out
    // of the source.
    const inFolder = file === path.basename(file);
    stats = await lstat(from);
    if (stats.isSymbolicLink() || !inFolder) {
      if (!isInside(source.real, await realpath(from))) return null;
      stats = await stat(from);
    }
  } catch (error) {
    const isLink = await lstat(from).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (isLink) return null;
    throw sourceError(error, from);
  }
  return stats.isFile() ? { from, to, bytes: stats.size, mtime: stats.mtime } : null;
}

/** Copies files into an existing folder and syncs them. Waits for all copies before it throws. @throws bad_input,
 *  AbortError */
export async function copyAll(
  copies: readonly Copy[],
  into: string,
  total: number,
  progress: ImportProgress,
): Promise<void> {
  let next = 0;
  let files = 0;
  let bytes = 0;
  const work = async () => {
    for (let copy = copies[next++]; copy; copy = copies[next++]) {
      progress.signal.throwIfAborted();
      await copyOne(copy, path.join(into, copy.to));
      files += 1;
      bytes += copy.bytes;
      progress.report(`${files} of ${copies.length} files`, total === 0 ? 1 : bytes / total);
    }
  };
  const stop = (error: unknown) => {
    next = copies.length;
    throw error;
  };
  // Wait until all copies have ended: the caller removes files after an error.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => work().catch(stop)));
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Splits bundles. A clip that was already copied is kept. @returns the clips that were skipped */
async function splitAll(
  splits: readonly Split[],
  copies: readonly Copy[],
  dataset: string,
  bundles: BundleReader,
  signal: AbortSignal,
): Promise<string[]> {
  const leftOut: string[] = [];
  const taken = new Map<string, string[]>();
  for (const { to } of copies) {
    const names = taken.get(path.dirname(to)) ?? [];
    names.push(path.parse(to).name);
    taken.set(path.dirname(to), names);
  }
  for (const { from, into } of splits) {
    signal.throwIfAborted();
    const folder = path.join(dataset, into);
    if (folder !== dataset) await makeFolders(folder, 1);
    const names = taken.get(into) ?? [];
    const split = await bundles.split(from, folder, names);
    taken.set(into, [...names, ...split.clips]);
    leftOut.push(...split.leftOut.map((reason) => `${path.basename(from)}: ${reason}`));
  }
  return leftOut;
}

async function copyOne({ from, mtime }: Copy, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? error : sourceError(error, from);
  }
  const file = await open(to, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await utimes(to, mtime, mtime);
}

/** Copies the conversion defaults and marks from the source's `dataset.yaml` if they are valid.
 *  @param read replaces the read options of the source's file */
async function copySettings(source: string, into: string, read: ReadOptions | undefined): Promise<void> {
  const config = await readDatasetConfig(source);
  const convert = { ...config.convert, ...(read && { read }) };
  if (Object.keys(convert).length === 0 && config.marks.size === 0) return;
  await writeAtomic(path.join(into, DATASET_FILE), await formatDatasetFile({ convert }, config.marks));
}

/** Checks the free space on the disk.
 *  @throws disk_full if less than RESERVE_BYTES would stay free after copying `bytes` */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + RESERVE_BYTES) return;
  const mib = (count: number) => `${Math.ceil(count / 1024 / 1024)} MiB`;
  throw new StudioError(
    'disk_full',
    `the clips need ${mib(bytes)}, but the disk of the workspace has only ${mib(free)} left. Free some space, or import with "link".`,
  );
}

/** Checks that the target does not exist. Without this check, an empty folder would be replaced.
 *  @throws bad_input if the dataset was created in the meantime */
export async function requireFree(target: string): Promise<void> {
  try {
    await lstat(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  throw badInput(`name: a dataset "${path.basename(target)}" already exists. Choose another name.`);
}
