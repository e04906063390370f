import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunList } from '../../../../web/src/features/runs/run-list.ts';
import { answering } from '../../answers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('many reports of a training in quick succession cause one fetch every two seconds', async () => {
  const { call, calls } = answering({ 'GET /api/runs': () => ({ runs: [], version: 'a.1' }) });
  const list = new RunList({ call });
  for (let k = 0; k < 10; k++) list.refreshSoon();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(1);
  for (let k = 0; k < 10; k++) list.refreshSoon();
  await vi.advanceTimersByTimeAsync(1900);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(calls).toHaveLength(2);
});

test('a run that the service refuses to delete stays in the list', async () => {
  const { call, calls } = answering({ 'GET /api/runs': () => ({ runs: [], version: 'a.1' }) });
  const list = new RunList({ call });
  await expect(list.deleteRun('wbc/a')).rejects.toThrow('DELETE /api/runs');
  expect(calls).toEqual(['DELETE /api/runs']);
});

test('the list is fetched once; after that only changes are requested and merged, the newest first', async () => {
  const run = (path: string, modified: string, unplayable: string | null = null) => ({ path, modified, unplayable });
  const replies = [
    { version: 'a.1', runs: [run('e/old', '2026-01-01'), run('e/gone', '2026-01-02')] },
    { version: 'a.2', runs: [run('e/new', '2026-01-03', 'no checkpoint')], removed: ['e/gone'] },
    { version: 'a.2', runs: [], removed: [] },
    { version: 'b.1', runs: [run('e/other', '2026-01-04')] },
  ];
  const asked: unknown[] = [];
  const { call } = answering({
    'GET /api/runs': ({ query }) => {
      asked.push(query?.['since']);
      return replies.shift();
    },
  });
  const list = new RunList({ call });
  const paths = () => list.allRuns.value?.map(({ path }) => path);
  await list.runs.refresh();
  expect(paths()).toEqual(['e/old', 'e/gone']);
  await list.runs.refresh();
  expect(paths()).toEqual(['e/new', 'e/old']);
  expect(list.runs.value?.map(({ path }) => path)).toEqual(['e/old']);
  const before = list.allRuns.value;
  await list.runs.refresh();
  expect(list.allRuns.value).toBe(before);
  await list.runs.refresh();
  expect(paths()).toEqual(['e/other']);
  expect(asked).toEqual([undefined, 'a.1', 'a.2', 'a.2']);
});
