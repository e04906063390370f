import type { Run } from '../../../../src/protocol/schemas/jobs.ts';

/** Columns that the table can be sorted by. */
const SORTS = ['run', 'task', 'dataset', 'score', 'minutes', 'created'] as const;
export type RunSort = (typeof SORTS)[number];

/** Filters and order of the table of runs. `''` means no filter. */
export interface RunFilter {
  readonly text: string;
  readonly task: string;
  readonly dataset: string;
  readonly tag: string;
  readonly favourites: boolean;
  readonly unplayable: boolean;
  readonly sort: RunSort;
  readonly descending: boolean;
}

export const ALL_RUNS: RunFilter = {
  text: '',
  task: '',
  dataset: '',
  tag: '',
  favourites: false,
  unplayable: false,
  sort: 'created',
  descending: true,
};

/** Returns the share of the motion that a run tracks, 0..1; −1 if the run has no score. */
export function shareOf({ score }: Run): number {
  return score === null || score.horizon_s <= 0 ? -1 : Math.min(1, score.tracked_s / score.horizon_s);
}

const KEY: { readonly [K in RunSort]: (run: Run) => number | string } = {
  run: ({ run }) => run.toLowerCase(),
  task: ({ task }) => task?.toLowerCase() ?? '',
  dataset: ({ dataset }) => dataset?.toLowerCase() ?? '',
  score: shareOf,
  minutes: ({ minutes }) => minutes ?? -1,
  created: ({ created }) => created,
};

/** Returns the runs that match the filter, sorted. The search text is compared with path, task, dataset, tags and note;
 *  a run matches if every word occurs in one of them. */
export function runRows(runs: readonly Run[], filter: RunFilter): readonly Run[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const key = KEY[filter.sort];
  const sign = filter.descending ? -1 : 1;
  return runs
    .filter((run) => fits(run, filter) && (words.length === 0 || hasAll(run, words)))
    .map((run) => ({ run, key: key(run) }))
    .sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0))
    .map(({ run }) => run);
}

function fits(run: Run, { task, dataset, tag, favourites, unplayable }: RunFilter): boolean {
  if (favourites && !run.favourite) return false;
  if (unplayable && run.unplayable === null) return false;
  if (task !== '' && run.task !== task) return false;
  if (dataset !== '' && run.dataset !== dataset) return false;
  return tag === '' || run.tags.includes(tag);
}

function hasAll({ path, task, dataset, tags, note }: Run, words: readonly string[]): boolean {
  const text = [path, task, dataset, ...tags, note].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Returns those of `paths` that are in the list. */
export function pathsIn(runs: readonly Run[], paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return paths;
  const listed = new Set(runs.map(({ path }) => path));
  return paths.filter((path) => listed.has(path));
}

/** Returns the distinct values that the runs have, sorted, as the choices of a filter. */
export function valuesOf(runs: readonly Run[], of: (run: Run) => readonly (string | null)[]): readonly string[] {
  const found = new Set<string>();
  for (const run of runs) for (const value of of(run)) if (value !== null && value !== '') found.add(value);
  return [...found].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
