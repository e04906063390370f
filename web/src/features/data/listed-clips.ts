import { call } from '../../net/api.ts';
import { whole } from '../../ui/format.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { clipsIn, listing, query, tick, ticked } from './data-store.ts';
import type { ClipFilters } from './dataset-browser.ts';
import { loadGrid } from './preview-store.ts';

/** Maximum number of clips that a request can list by name. Larger selections use `all` or `missing`. */
export const SELECT_MOST = 20_000;
const NAMES_PAGE = 1000;

function page(status: ClipFilters['status'], number: number, size: number) {
  const all = query.peek();
  return call('GET /api/data/clips', { query: { ...all, ...(status && { status }), page: number, size } });
}

/** Returns the names of the clips that match search and filters.
 *  @param status replaces the status of the filters
 *  @returns null if there are more than SELECT_MOST, or if search or filters changed meanwhile */
export async function listedNames(status?: ClipFilters['status']): Promise<readonly string[] | null> {
  const { key } = listing.peek();
  const names: string[] = [];
  for (let number = 1, pages = 1; number <= pages; number++) {
    const reply = await page(status, number, NAMES_PAGE);
    if (listing.peek().key !== key || reply.total > SELECT_MOST) return null;
    pages = Math.ceil(reply.total / NAMES_PAGE);
    for (const { name } of reply.clips) names.push(name);
  }
  return names;
}

/** Returns the number of clips that match search and filters and are not converted. */
export async function countListedMissing(): Promise<number> {
  return query.peek().status === 'converted' ? 0 : (await page('missing', 1, 1)).total;
}

/** Selects all clips that match search and filters. */
export async function selectListed(): Promise<void> {
  try {
    const names = await listedNames();
    if (names !== null) tick(names, true);
  } catch (error) {
    failed('The clips could not be selected', error);
  }
}

/** Selects the listed clips that are not selected, and deselects the others. */
export async function invertListed(): Promise<void> {
  try {
    const names = await listedNames();
    if (names === null) return;
    const before = ticked.peek();
    tick(
      names.filter((name) => before.has(name)),
      false,
    );
    tick(
      names.filter((name) => !before.has(name)),
      true,
    );
  } catch (error) {
    failed('The clips could not be selected', error);
  }
}

/** Selects or deselects the clips in rows `first` to `last`, also those that are not loaded. */
export async function tickRows(first: number, last: number, on: boolean): Promise<void> {
  if (last - first >= SELECT_MOST) {
    toast('info', `At most ${whole(SELECT_MOST)} clips can be selected`, 'Narrow the search.');
    return;
  }
  try {
    const clips = await clipsIn(first, last);
    if (clips !== null)
      tick(
        clips.map(({ name }) => name),
        on,
      );
  } catch (error) {
    failed('The clips could not be selected', error);
  }
}

/** Shows the first listed clips side by side, without those that cannot be read. */
export async function showListedGrid(dataset: string, most: number): Promise<void> {
  try {
    const clips = await clipsIn(0, most - 1);
    if (clips === null) return;
    const names = clips.filter(({ error }) => error === null).map(({ name }) => name);
    if (names.length === 0) throw new Error('No listed clip can be read.');
    await loadGrid(dataset, names);
  } catch (error) {
    failed('The grid could not be loaded', error);
  }
}
