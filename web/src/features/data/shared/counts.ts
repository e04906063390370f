import type { DatasetCounts } from '../../../../../src/protocol/schemas/data.ts';
import { count, fixed, whole } from '../../../ui/format.ts';

type Counts = Pick<DatasetCounts, 'source' | 'converted' | 'extra' | 'failed'>;

/** Returns the number of clips of a dataset, each counted once. */
export function clipsOf({ source, extra }: Counts): number {
  return source + extra;
}

/** Returns the number of clips with a converted file, including clips without a source. Trainings and sessions read
 *  these clips. */
export function readyClips({ converted, extra }: Counts): number {
  return converted + extra;
}

/** Returns the dataset shown before the user selects one: that of the open clip, else the one with the most clips. */
export function firstChoice(known: readonly DatasetCounts[], open: string | null): DatasetCounts | null {
  const most = Math.max(...known.map(clipsOf));
  return known.find((entry) => entry.name === open) ?? known.find((entry) => clipsOf(entry) === most) ?? null;
}

/** Formats counts: `6 clips, 5 of them converted, 2 more without a source`. */
export function countsText({ source, converted, extra }: Counts): string {
  const sources = `${count(source, 'clip')}, ${whole(converted)} of them converted`;
  if (extra === 0) return sources;
  return source === 0
    ? `${count(extra, 'clip')} without a source`
    : `${sources}, ${whole(extra)} more without a source`;
}

/** Formats the length of a dataset: hours, or minutes below 0.1 h. */
export function lengthText(hours: number | null): string {
  if (hours === null) return '–';
  return hours < 0.1 ? `${fixed(60 * hours, 1)} min` : `${fixed(hours, 2)} h`;
}
