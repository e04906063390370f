import { Slices } from '../../core/slices.ts';
import type { Scan } from '../../protocol/schemas/data.ts';
import type { ClipFacts } from '../clip/clip-facts.ts';
import type { ClipEntry, EntryList } from './clip-entries.ts';
import type { ClipFile } from './clip-files.ts';

/** Number of files that a thread of the pool reads per batch, and number of threads used at the same time. */
const BATCH = 64;
const AT_ONCE = 4;
/** Maximum number of unreadable clips listed by name; further ones are only counted. */
const NAMED = 500;
const S_PER_HOUR = 3600;
/** Edges of the histogram of durations, s. For clips of an hour or more, further edges are added, each twice the last
 *  one. */
const LADDER = [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 1800, 3600] as const;

export interface ScanProgress {
  readonly signal: AbortSignal;
  /** @param fraction 0..1 */
  report(message: string, fraction: number): void;
}

/** What a scan reads from its dataset. */
export interface ScanSource {
  shownFile(entry: ClipEntry): ClipFile | null;
  /** Returns the properties of a file; null if it has not been read since its last change. */
  known(file: ClipFile): ClipFacts | null;
  read(files: readonly ClipFile[]): Promise<ClipFacts[]>;
  /** Returns why a clip cannot be used; null if it can. */
  problem(file: ClipFile, facts: ClipFacts): string | null;
  /** Returns the frames per second of a clip. @param own value in the file */
  fps(file: ClipFile, own: number | null): number;
}

/** Measures all clips of a dataset: reads the properties that are not known yet, and adds them up.
 *  @throws AbortError */
export async function scanClips(entries: EntryList, progress: ScanProgress, source: ScanSource): Promise<Scan> {
  await readUnknown(entries, source, progress);
  const slices = new Slices();
  const unreadable: Scan['unreadable'] = [];
  let unreadableTotal = 0;
  const durations: number[] = [];
  for (const entry of entries) {
    if (slices.due()) await slices.rest();
    progress.signal.throwIfAborted();
    const file = source.shownFile(entry);
    const facts = file && source.known(file);
    const error = entry.error ?? (file && facts ? source.problem(file, facts) : 'the file no longer exists');
    if (error !== null) {
      unreadableTotal += 1;
      if (unreadable.length < NAMED) unreadable.push({ clip: entry.name, error });
    } else durations.push((facts!.frames! - 1) / source.fps(file!, facts!.fps));
  }
  const edges = edgesFor(durations);
  return {
    hours: durations.reduce((sum, seconds) => sum + seconds, 0) / S_PER_HOUR,
    clips: durations.length,
    unreadable,
    unreadable_total: unreadableTotal,
    histogram: { edges, counts: countsIn(edges, durations) },
    at: new Date().toISOString(),
  };
}

/** Reads the properties of clips that are not known yet. @throws AbortError */
export async function readUnknown(
  entries: EntryList,
  source: Pick<ScanSource, 'shownFile' | 'known' | 'read'>,
  progress: ScanProgress,
): Promise<void> {
  const slices = new Slices();
  const unknown: ClipFile[] = [];
  for (const entry of entries) {
    if (slices.due()) await slices.rest();
    const file = source.shownFile(entry);
    if (file && !source.known(file)) unknown.push(file);
  }
  let next = 0;
  let read = 0;
  const work = async () => {
    while (next < unknown.length) {
      progress.signal.throwIfAborted();
      const batch = unknown.slice(next, next + BATCH);
      next += BATCH;
      await source.read(batch);
      read += batch.length;
      progress.report(`${read} of ${unknown.length} clips`, read / unknown.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Returns the edges of the histogram, from the bar of the shortest clip to the bar of the longest one. Without clips,
 *  returns the edges of a single bar. */
function edgesFor(durations: readonly number[]): number[] {
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (const seconds of durations) {
    shortest = Math.min(shortest, seconds);
    longest = Math.max(longest, seconds);
  }
  const ladder: number[] = [...LADDER];
  while (longest >= ladder.at(-1)!) ladder.push(ladder.at(-1)! * 2);
  const first = Math.max(
    0,
    ladder.findLastIndex((edge) => edge <= shortest),
  );
  const last = ladder.findIndex((edge) => edge > longest);
  return durations.length === 0 ? [0, 1] : ladder.slice(first, last + 1);
}

/** Counts the durations in each bar: from its edge up to, but not including, the next edge. */
function countsIn(edges: readonly number[], durations: readonly number[]): number[] {
  const counts = new Array<number>(edges.length - 1).fill(0);
  for (const seconds of durations) {
    const bar = edges.findLastIndex((edge) => edge <= seconds);
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return counts;
}
