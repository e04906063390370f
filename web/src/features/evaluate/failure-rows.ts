import type { Episode } from './run-evaluations.ts';

/** The episodes of one clip in the failure map. */
interface FailureRow {
  readonly name: string;
  readonly list: readonly Episode[];
  /** number of its episodes that fail */
  readonly failed: number;
}

/** Groups episodes by clip, those with the largest share of failures first. @returns also the end of the longest
 *  episode, frames, at least 1 */
export function failureRows(
  clips: readonly string[],
  episodes: readonly Episode[],
): { readonly rows: readonly FailureRow[]; readonly longest: number } {
  const byClip = clips.map((): Episode[] => []);
  let longest = 1;
  for (const episode of episodes) {
    byClip[episode.clip]?.push(episode);
    longest = Math.max(longest, episode.start + episode.possible);
  }
  const failures = (list: readonly Episode[]) => list.filter(({ failure }) => failure !== null).length;
  const rows = byClip
    .map((list, index) => ({ name: clips[index] ?? '', list, failed: failures(list) }))
    .filter(({ list }) => list.length > 0)
    .toSorted((a, b) => b.failed / b.list.length - a.failed / a.list.length);
  return { rows, longest };
}
