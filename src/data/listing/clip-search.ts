import { Slices } from '../../core/slices.ts';
import { type ClipEntry, type EntryList, isMissing } from './clip-entries.ts';
import { nameMatcher } from './wildcard.ts';

/** Number of search results kept per listing: enough to page through one search and to switch between a few. */
const KEPT = 6;

export type ClipStatus = 'all' | 'converted' | 'missing' | 'raw';

/** Searches listings. Results are kept until the listing changes, so that paging does not search again. */
export class ClipSearch {
  readonly #found = new WeakMap<EntryList, Map<string, Promise<EntryList>>>();

  /** @param query part of the name, or a pattern for the whole name with `*` and `?` */
  find(entries: EntryList, status: ClipStatus, query: string): Promise<EntryList> {
    if (status === 'all' && query === '') return Promise.resolve(entries);
    let kept = this.#found.get(entries);
    if (!kept) {
      kept = new Map();
      this.#found.set(entries, kept);
    }
    const key = `${status} ${query}`;
    const found = kept.get(key) ?? search(entries, HAS_STATUS[status], nameMatcher(query));
    kept.delete(key);
    kept.set(key, found);
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
    return found;
  }
}

const HAS_STATUS: Readonly<Record<ClipStatus, (entry: ClipEntry) => boolean>> = {
  all: () => true,
  converted: (entry) => !isMissing(entry),
  missing: isMissing,
  raw: (entry) => entry.raw !== null,
};

async function search(
  entries: EntryList,
  hasStatus: (entry: ClipEntry) => boolean,
  named: (name: string) => boolean,
): Promise<EntryList> {
  const found: ClipEntry[] = [];
  const slices = new Slices();
  for (const entry of entries) {
    if (slices.due()) await slices.rest();
    if (hasStatus(entry) && named(entry.name)) found.push(entry);
  }
  return found;
}
