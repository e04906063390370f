import { computed, signal } from '@preact/signals';
import type { QueryOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { Clip, DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import type { call } from '../../net/api.ts';
import { Loadable } from '../../ui/loadable.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { preview } from './preview-store.ts';
import { firstChoice } from './shared/counts.ts';

/** Order and filters of the clip table, as sent to the service. Empty: all clips, by name. */
export type ClipFilters = Pick<
  QueryOf<RouteByKey['GET /api/data/clips']>,
  'status' | 'sort' | 'order' | 'findings' | 'failed' | 'excluded' | 'tag'
>;

export const PAGE_SIZE = 200;

interface Listing {
  readonly key: string;
  readonly total: number | null;
  readonly error: string | null;
  readonly loading: boolean;
}

/** Dependencies of DatasetBrowser. */
export interface DatasetBrowserDeps {
  readonly call: typeof call;
  readonly preview: typeof preview;
}

/** Holds the datasets of the selected robot and the clip listing of the selected dataset. Fetches pages of the listing
 *  when their rows scroll into view. */
export class DatasetBrowser {
  readonly #deps: DatasetBrowserDeps;

  readonly datasets = new Loadable(() => this.#deps.call('GET /api/data/datasets'));

  /** The dataset selected on this page. Each browser page has a separate selection. */
  readonly #chosen = signal<string | null>(null);
  readonly dataset = computed<DatasetCounts | null>(() => {
    const known = this.datasets.state.value.value?.datasets ?? [];
    return (
      known.find((entry) => entry.name === this.#chosen.value) ??
      firstChoice(known, this.#deps.preview.value?.dataset ?? null)
    );
  });
  readonly search = signal('');
  readonly filters = signal<ClipFilters>({});

  /** Clip listing of the selected dataset for the present search. */
  readonly listing = signal<Listing>({ key: '', total: null, error: null, loading: false });
  /** Increments when rows arrive. */
  readonly rowsVersion = signal(0);
  readonly #pages = new Map<number, readonly Clip[]>();
  /** the newest request of each page that was requested since the files changed; a reply to an older one is dropped */
  readonly #asked = new Map<number, symbol>();

  readonly chooseDataset = (name: string): void => {
    this.#chosen.value = name;
  };

  /** The query of the listing: dataset, search, order and filters. */
  readonly query = computed(() => ({
    dataset: this.dataset.value?.name ?? '',
    q: this.search.value.trim(),
    ...this.filters.value,
  }));
  /** Starts a new listing if the dataset, the search or the filter changed. */
  readonly syncListing = (): void => {
    const query = this.query.value;
    const key = query.dataset === '' ? '' : JSON.stringify([this.datasets.value?.robot, query]);
    if (key === this.listing.peek().key) return;
    const of = `${this.datasets.state.peek().value?.robot} ${this.dataset.peek()?.name}`;
    if (of !== this.#tickedOf) this.untickAll();
    this.#tickedOf = of;
    this.#pages.clear();
    this.#asked.clear();
    this.listing.value = { key, total: null, error: null, loading: key !== '' };
    if (key !== '') void this.#loadPage(1);
  };

  /** Visible pages of the clip table; the table keeps this up to date. */
  readonly visiblePages = { now: [] as readonly number[] };

  /** Fetches the visible pages again after files changed. */
  readonly refreshListing = (visible: readonly number[]): void => {
    this.#asked.clear();
    for (const page of new Set([1, ...visible])) void this.#loadPage(page);
  };

  /** Names of the ticked clips of the selected dataset. A new search keeps them; selecting another dataset clears
   *  them. */
  readonly ticked = signal<ReadonlySet<string>>(new Set());
  #tickedOf = '';

  readonly tick = (names: readonly string[], on: boolean): void => {
    const next = new Set(this.ticked.peek());
    for (const name of names) {
      if (on) next.add(name);
      else next.delete(name);
    }
    this.ticked.value = next;
  };

  readonly untickAll = (): void => {
    this.ticked.value = new Set();
  };

  readonly clipAt = (row: number): Clip | null => {
    return this.#pages.get(Math.floor(row / PAGE_SIZE) + 1)?.[row % PAGE_SIZE] ?? null;
  };

  /** Returns the row of a clip among the loaded pages; −1 if it is not loaded. */
  readonly rowOf = (name: string): number => {
    for (const [page, clips] of this.#pages) {
      const at = clips.findIndex((clip) => clip.name === name);
      if (at >= 0) return (page - 1) * PAGE_SIZE + at;
    }
    return -1;
  };

  /** Returns the clips in rows `first` to `last` of the listing. Fetches the pages that are not loaded. @returns null
   *  if the listing changed meanwhile  @throws Error with the service's message */
  readonly clipsIn = async (first: number, last: number): Promise<readonly Clip[] | null> => {
    const { key } = this.listing.peek();
    const found: Clip[] = [];
    for (let start = first - (first % PAGE_SIZE); start <= last; start += PAGE_SIZE) {
      const page = start / PAGE_SIZE + 1;
      const loaded = this.#asked.has(page) ? this.#pages.get(page) : undefined;
      const clips = loaded ?? (await this.#fetchPage(page)).clips;
      if (this.listing.peek().key !== key) return null;
      found.push(...clips.slice(Math.max(0, first - start), last + 1 - start));
    }
    return found;
  };

  readonly #fetchPage = (page: number) => {
    return this.#deps.call('GET /api/data/clips', { query: { ...this.query.peek(), page, size: PAGE_SIZE } });
  };

  readonly needPages = (numbers: readonly number[]): void => {
    for (const page of numbers) if (!this.#asked.has(page)) void this.#loadPage(page);
  };

  readonly #loadPage = async (page: number): Promise<void> => {
    const { key } = this.listing.peek();
    if (this.dataset.peek() === null) return;
    const request = Symbol();
    this.#asked.set(page, request);
    const isNewest = () => this.listing.peek().key === key && this.#asked.get(page) === request;
    try {
      const reply = await this.#fetchPage(page);
      if (!isNewest()) return;
      this.#pages.set(page, reply.clips);
      this.listing.value = { key, total: reply.total, error: null, loading: false };
    } catch (error) {
      if (!isNewest()) return;
      this.#asked.delete(page);
      this.listing.value = { ...this.listing.peek(), error: messageOf(error), loading: false };
    }
    this.rowsVersion.value += 1;
  };

  constructor(deps: DatasetBrowserDeps) {
    this.#deps = deps;
  }
}
