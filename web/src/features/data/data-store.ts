import { computed, signal } from '@preact/signals';
import type { Clip, DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { call } from '../../net/api.ts';
import { Loadable } from '../../ui/loadable.ts';
import { messageOf } from '../../ui/message-of.ts';
import { preview } from './preview-store.ts';
import { clipsOf } from './shared/counts.ts';

export const datasets = new Loadable(() => call('GET /api/data/datasets'));

/** The dataset chosen here; each viewer browses on its own. */
const chosen = signal<string | null>(null);
export const dataset = computed<DatasetCounts | null>(() => {
  const known = datasets.state.value.value?.datasets ?? [];
  return known.find((entry) => entry.name === chosen.value) ?? firstChoice(known, preview.value?.dataset ?? null);
});

/** Where nobody has chosen: the dataset whose clip is open, else the one with the most clips. */
export function firstChoice(known: readonly DatasetCounts[], open: string | null): DatasetCounts | null {
  const most = Math.max(...known.map(clipsOf));
  return known.find((entry) => entry.name === open) ?? known.find((entry) => clipsOf(entry) === most) ?? null;
}

export type ClipStatus = 'all' | 'converted' | 'missing';
export const search = signal('');
export const statusFilter = signal<ClipStatus>('all');

export const PAGE_SIZE = 200;

interface Listing {
  readonly key: string;
  readonly total: number | null;
  readonly error: string | null;
  readonly loading: boolean;
}

/** The listing of the chosen dataset under the present search; its pages come as rows scroll into view. */
export const listing = signal<Listing>({ key: '', total: null, error: null, loading: false });
/** Counts up when rows arrive. */
export const rowsVersion = signal(0);
const pages = new Map<number, readonly Clip[]>();
const asked = new Set<number>();

export function chooseDataset(name: string): void {
  chosen.value = name;
}

const listingKey = computed(() => {
  const name = dataset.value?.name;
  return name === undefined ? '' : JSON.stringify([datasets.value?.robot, name, search.value, statusFilter.value]);
});

/** Begins the listing anew when dataset, search or filter changed. */
export function syncListing(): void {
  const key = listingKey.value;
  if (key === listing.peek().key) return;
  const of = JSON.stringify([datasets.state.peek().value?.robot, dataset.peek()?.name]);
  if (of !== tickedOf) untickAll();
  tickedOf = of;
  pages.clear();
  asked.clear();
  listing.value = { key, total: null, error: null, loading: key !== '' };
  if (key !== '') void loadPage(1);
}

/** Pages of the clip table on screen, as the table reports them. */
export const visiblePages = { now: [] as readonly number[] };

/** Fetches again what is on screen: the files changed. */
export function refreshListing(visible: readonly number[]): void {
  asked.clear();
  for (const page of new Set([1, ...visible])) void loadPage(page);
}

/** Names of ticked clips of the chosen dataset; another search keeps them, another dataset drops them. */
export const ticked = signal<ReadonlySet<string>>(new Set());
let tickedOf = '';

export function tick(names: readonly string[], on: boolean): void {
  const next = new Set(ticked.peek());
  for (const name of names) {
    if (on) next.add(name);
    else next.delete(name);
  }
  ticked.value = next;
}

export function untickAll(): void {
  if (ticked.peek().size > 0) ticked.value = new Set();
}

/** Most clips that are ticked at once: more are said in one word, `all` or `missing`. */
export const TICK_MOST = 20_000;
const NAMES_PAGE = 1000;

/** Ticks every clip that the search lists. */
export async function tickListed(): Promise<void> {
  const { key, total } = listing.peek();
  if (total === null || total > TICK_MOST) return;
  for (let page = 1; (page - 1) * NAMES_PAGE < total; page++) {
    const { clips } = await call('GET /api/data/clips', { query: { ...listingQuery(), page, size: NAMES_PAGE } });
    if (listing.peek().key !== key) return;
    tick(
      clips.map((clip) => clip.name),
      true,
    );
  }
}

/** Issues of all listed clips; null until every row is at hand. */
export function issuesListed(): number | null {
  const total = listing.value.total ?? 0;
  void rowsVersion.value;
  let rows = 0;
  let issues = 0;
  let known = false;
  for (const clips of pages.values()) {
    rows += clips.length;
    for (const { qa } of clips) {
      known ||= qa !== null;
      issues += qa?.issues ?? 0;
    }
  }
  return known && rows >= total ? issues : null;
}

export function clipAt(row: number): Clip | null {
  return pages.get(Math.floor(row / PAGE_SIZE) + 1)?.[row % PAGE_SIZE] ?? null;
}

/** Row of a clip among the pages at hand; −1 when it is not among them. */
export function rowOf(name: string): number {
  for (const [page, clips] of pages) {
    const at = clips.findIndex((clip) => clip.name === name);
    if (at >= 0) return (page - 1) * PAGE_SIZE + at;
  }
  return -1;
}

export function needPages(numbers: readonly number[]): void {
  for (const page of numbers) if (!asked.has(page)) void loadPage(page);
}

function listingQuery() {
  const q = search.peek().trim();
  return { dataset: dataset.peek()?.name ?? '', status: statusFilter.peek(), ...(q === '' ? {} : { q }) };
}

async function loadPage(page: number): Promise<void> {
  const { key } = listing.peek();
  if (dataset.peek() === null) return;
  asked.add(page);
  try {
    const reply = await call('GET /api/data/clips', { query: { ...listingQuery(), page, size: PAGE_SIZE } });
    if (listing.peek().key !== key) return;
    pages.set(page, reply.clips);
    listing.value = { key, total: reply.total, error: null, loading: false };
  } catch (error) {
    if (listing.peek().key !== key) return;
    asked.delete(page);
    listing.value = { ...listing.peek(), error: messageOf(error), loading: false };
  }
  rowsVersion.value += 1;
}
