import type { DatasetCounts } from '../../../../../src/protocol/schemas/data.ts';
import { count, whole } from '../../../ui/format.ts';

type Counts = Pick<DatasetCounts, 'source' | 'converted' | 'extra' | 'failed'>;

/** Clips of a dataset, each counted once. */
export function clipsOf({ source, extra }: Counts): number {
  return source + extra;
}

/** Clips with a converted file, which trainings and sessions read: those without a source are among them. */
export function readyClips({ converted, extra }: Counts): number {
  return converted + extra;
}

/** The dataset that is shown before one was chosen: the one whose clip is open, else the one with the most clips. */
export function firstChoice(known: readonly DatasetCounts[], open: string | null): DatasetCounts | null {
  const most = Math.max(...known.map(clipsOf));
  return known.find((entry) => entry.name === open) ?? known.find((entry) => clipsOf(entry) === most) ?? null;
}

/** `6 clips, 5 of them converted, 2 more without a source`. */
export function countsText({ source, converted, extra }: Counts): string {
  const sources = `${count(source, 'clip')}, ${whole(converted)} of them converted`;
  if (extra === 0) return sources;
  return source === 0
    ? `${count(extra, 'clip')} without a source`
    : `${sources}, ${whole(extra)} more without a source`;
}
