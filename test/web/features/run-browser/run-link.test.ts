import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const listed = ['a/one', 'a/two'].map((path) => ({ path, unplayable: null, tags: [], note: '', created: path }));

beforeEach(() => {
  const addEventListener = () => {};
  vi.stubGlobal('window', { innerWidth: 1400, addEventListener, matchMedia: () => ({ addEventListener }) });
  vi.stubGlobal('fetch', async () => Response.json({ runs: listed, version: '1' }));
});
afterEach(() => void vi.unstubAllGlobals());

test('a link shows the curves of its run, not those of checked runs, and reports a run that does not exist', async () => {
  const browser = await import('../../../../web/src/features/run-browser/run-browser-store.ts');
  const { toasts } = await import('../../../../web/src/ui/toasts.ts');
  await browser.openRunLink('a/two');
  browser.tickRun('a/one');
  await browser.openRunLink('a/two');
  expect([browser.tickedRuns.value, browser.chosenRun.value?.path, browser.view.value]).toEqual([
    [],
    'a/two',
    'curves',
  ]);
  expect(toasts.value).toEqual([]);

  await browser.openRunLink('gone/run');
  expect(toasts.value.map(({ title }) => title)).toEqual(['The run gone/run was not found']);
  expect(browser.view.value).toBe('table'); // not the curves of another run
});
