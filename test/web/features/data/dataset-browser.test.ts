import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { Preview } from '../../../../src/protocol/schemas/data.ts';
import { DatasetBrowser, PAGE_SIZE } from '../../../../web/src/features/data/dataset-browser.ts';
import { answering, settled } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

const counts = (name: string, source: number) => ({ name, source, converted: 0, extra: 0, missing: source, failed: 0 });

function browser(total: number) {
  const queries: Record<string, unknown>[] = [];
  const { call } = answering({
    'GET /api/data/datasets': () => ({ robot: 'g1', datasets: [counts('few', 1), counts('many', total)] }),
    'GET /api/data/clips': ({ query = {} }) => {
      queries.push(query);
      const [page, size] = [Number(query['page'] ?? 1), Number(query['size'])];
      const first = (page - 1) * size;
      const names = Array.from({ length: Math.min(size, total - first) }, (_, k) => `clip-${first + k}`);
      return { total, clips: names.map((name) => ({ name, qa: null })) };
    },
  });
  const preview = signal<Preview | null>(null);
  return { data: new DatasetBrowser({ call, preview }), queries };
}

test('the listing fetches the first page of the dataset with the most clips, and other pages when their rows are needed', async () => {
  const { data, queries } = browser(450);
  await data.datasets.refresh();
  data.syncListing();
  await settled();
  expect(data.dataset.value?.name).toBe('many');
  expect(data.listing.value).toMatchObject({ total: 450, loading: false, error: null });
  expect(data.clipAt(0)?.name).toBe('clip-0');
  expect(data.clipAt(PAGE_SIZE)).toBeNull();

  data.needPages([2]);
  data.needPages([2]); // a page is not requested again while its request is pending
  await settled();
  expect(queries.map(({ page }) => page)).toEqual([1, 2]);
  expect(data.rowOf(`clip-${PAGE_SIZE}`)).toBe(PAGE_SIZE);
});

test('a reply for an earlier search is discarded', async () => {
  const { data } = browser(3);
  await data.datasets.refresh();
  data.syncListing();
  data.search.value = 'walk';
  data.syncListing(); // before the first reply
  await settled();
  expect(JSON.parse(data.listing.value.key)[1]).toMatchObject({ q: 'walk' });
  expect(data.rowsVersion.value).toBe(1); // the rows of one listing only
});

test('selected clips stay selected after another search, but not in another dataset', async () => {
  const { data } = browser(3);
  await data.datasets.refresh();
  data.syncListing();
  data.tick(['clip-0', 'clip-1'], true);
  data.search.value = 'clip';
  data.syncListing();
  expect([...data.ticked.value]).toEqual(['clip-0', 'clip-1']);
  data.chooseDataset('few');
  data.syncListing();
  expect(data.ticked.value.size).toBe(0);
});

test('a failed page is reported and can be fetched again', async () => {
  const { call } = answering({
    'GET /api/data/datasets': () => ({ robot: 'g1', datasets: [counts('one', 1)] }),
  });
  const data = new DatasetBrowser({ call, preview: signal<Preview | null>(null) });
  await data.datasets.refresh();
  data.syncListing();
  await settled();
  expect(data.listing.value.error).toBe('GET /api/data/clips is not answered');
});

test('a reply to an earlier request of a page does not replace the rows of a later one', async () => {
  const before = deferred<unknown>();
  const replies: unknown[] = [before.promise, { total: 0, clips: [] }];
  const { call } = answering({
    'GET /api/data/datasets': () => ({ robot: 'g1', datasets: [counts('one', 1)] }),
    'GET /api/data/clips': () => replies.shift(),
  });
  const data = new DatasetBrowser({ call, preview: signal<Preview | null>(null) });
  await data.datasets.refresh();
  data.syncListing();
  data.refreshListing([]); // the clip was deleted
  await settled();
  before.resolve({ total: 1, clips: [{ name: 'deleted' }] });
  await settled();
  expect([data.listing.value.total, data.clipAt(0)]).toEqual([0, null]);
});

test('the clips of a range of rows include those of pages that are not loaded', async () => {
  const { data, queries } = browser(2 * PAGE_SIZE + 50);
  await data.datasets.refresh();
  data.syncListing();
  await settled();
  const clips = await data.clipsIn(PAGE_SIZE - 1, 2 * PAGE_SIZE);
  expect(clips?.length).toBe(PAGE_SIZE + 2);
  expect([clips?.[0]?.name, clips?.at(-1)?.name]).toEqual([`clip-${PAGE_SIZE - 1}`, `clip-${2 * PAGE_SIZE}`]);
  expect(queries.map(({ page }) => page)).toEqual([1, 2, 3]);
});
