import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { createFolderAtomic, writeAtomic } from '../../core/files/atomic-file.ts';
import { DATASET_FILE, formatDatasetFile } from '../dataset-file.ts';
import { NPZ_FOLDER } from '../listing/dataset-snapshot.ts';
import { NO_MARKS } from '../marks/clip-marks.ts';
import { copyAll, type ImportProgress, requireFree, requireRoom } from './import-dataset.ts';
import type { DatasetLayout, LeRobotLayout, SonicLayout, Twist2Layout } from './layouts/dataset-layout.ts';
import type { EpisodeRange } from './layouts/lerobot-episodes.ts';

/** Number of clips written at the same time. */
const AT_ONCE = 4;
/** Minimum number of rows that one task reads, because whole row groups are always decompressed. */
const ROWS_AT_ONCE = 50_000;

/** Reads and writes episodes on other threads. */
export interface EpisodeWriter {
  /** Writes one clip of a SONIC folder. @returns why the clip was skipped; null if it was written */
  writeSonic(clip: SonicLayout['clips'][number], layout: SonicLayout, folder: string): Promise<string | null>;
  listEpisodes(file: string): Promise<EpisodeRange[]>;
  /** Writes episodes of a LeRobot dataset. @returns the skipped episodes, with the reasons */
  writeLeRobot(
    file: string,
    episodes: readonly EpisodeRange[],
    layout: Pick<LeRobotLayout, 'reading'>,
    folder: string,
  ): Promise<string[]>;
}

/** The result of importing a layout. */
export interface ImportedLayout {
  readonly clips: number;
  /** the skipped clips, with the reasons */
  readonly leftOut: readonly string[];
}

/** Writes one raw clip per episode into a new dataset, which becomes visible when it is complete. Its `dataset.yaml`
 *  contains the rate and the weights.
 *  @param target folder of the dataset, which must not exist; its parent must exist
 *  @throws bad_input if none of the episodes can be read; disk_full, AbortError */
export async function importLayout(
  layout: DatasetLayout,
  target: string,
  writer: EpisodeWriter,
  progress: ImportProgress,
): Promise<ImportedLayout> {
  let made: ImportedLayout = { clips: 0, leftOut: [] };
  await createFolderAtomic(target, async (unseen) => {
    made = await fill(layout, unseen, writer, progress);
    if (made.clips === 0)
      throw badInput(`source: no clip of the ${layout.title} can be imported: ${made.leftOut.slice(0, 3).join('; ')}`);
    await writeAtomic(path.join(unseen, DATASET_FILE), await settingsOf(layout));
    progress.signal.throwIfAborted();
    await requireFree(target);
  });
  return { ...made, leftOut: [...layout.leftOut, ...made.leftOut] };
}

function settingsOf(layout: DatasetLayout): Promise<string> {
  if (layout.kind !== 'twist2') return formatDatasetFile({ convert: { read: { fps: layout.fps } } });
  const weights = Object.entries(layout.weights);
  const { read } = layout;
  const settings = Object.keys(read).length === 0 ? {} : { convert: { read } };
  return formatDatasetFile(settings, new Map(weights.map(([clip, weight]) => [clip, { ...NO_MARKS, weight }])));
}

function fill(layout: DatasetLayout, into: string, writer: EpisodeWriter, progress: ImportProgress) {
  if (layout.kind === 'twist2') return copyListed(layout, into, progress);
  return layout.kind === 'sonic'
    ? writeSonic(layout, into, writer, progress)
    : writeLeRobot(layout, into, writer, progress);
}

async function copyListed({ copies }: Twist2Layout, into: string, progress: ImportProgress): Promise<ImportedLayout> {
  const total = copies.reduce((sum, { bytes }) => sum + bytes, 0);
  await requireRoom(path.dirname(into), total);
  if (copies.some(({ to }) => path.dirname(to) === NPZ_FOLDER)) await mkdir(path.join(into, NPZ_FOLDER));
  const files = copies.map(({ mtimeMs, ...copy }) => ({ ...copy, mtime: new Date(mtimeMs) }));
  await copyAll(files, into, total, progress);
  return { clips: copies.length, leftOut: [] };
}

async function writeSonic(
  layout: SonicLayout,
  into: string,
  writer: EpisodeWriter,
  { signal, report }: ImportProgress,
): Promise<ImportedLayout> {
  const { clips } = layout;
  await requireRoom(
    path.dirname(into),
    clips.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const leftOut: string[] = [];
  let done = 0;
  await inParallel(clips, signal, async (clip) => {
    const problem = await writer.writeSonic(clip, layout, into);
    if (problem !== null) leftOut.push(problem);
    done += 1;
    report(`${done} of ${clips.length} clips`, done / clips.length);
  });
  return { clips: clips.length - leftOut.length, leftOut };
}

async function writeLeRobot(
  layout: LeRobotLayout,
  into: string,
  writer: EpisodeWriter,
  { signal, report }: ImportProgress,
): Promise<ImportedLayout> {
  const { files } = layout;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const places = new Map<number, string>();
  const leftOut: string[] = [];
  let bytesDone = 0;
  await inParallel(files, signal, async (file) => {
    const episodes = await writer.listEpisodes(file.path);
    for (const { episode } of episodes) {
      const other = places.get(episode);
      if (other !== undefined)
        throw badInput(
          `source: episode ${episode} is stored twice (${path.basename(other)} and ${path.basename(file.path)}): the dataset is damaged`,
        );
      places.set(episode, file.path);
    }
    const rows = episodes.at(-1)?.to ?? 1;
    for (const batch of batchesOf(episodes)) {
      signal.throwIfAborted();
      leftOut.push(...(await writer.writeLeRobot(file.path, batch, layout, into)));
      const done = bytesDone + (file.bytes * batch.at(-1)!.to) / rows;
      report(`${places.size} episodes`, total === 0 ? 1 : Math.min(1, done / total));
    }
    bytesDone += file.bytes;
  });
  return { clips: places.size - leftOut.length, leftOut };
}

/** Groups neighbouring episodes into batches, so that row groups are decompressed as few times as possible. */
function batchesOf(episodes: readonly EpisodeRange[]): EpisodeRange[][] {
  const batches: EpisodeRange[][] = [];
  for (const range of episodes) {
    const last = batches.at(-1);
    if (last && range.to - last[0]!.from <= ROWS_AT_ONCE) last.push(range);
    else batches.push([range]);
  }
  return batches;
}

/** Processes a few items at a time. Waits for all of them before it throws, so that no task writes files afterwards. */
async function inParallel<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      signal.throwIfAborted();
      await work(item);
    }
  };
  const stop = (error: unknown) => {
    next = items.length;
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => run().catch(stop)));
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
