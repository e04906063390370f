import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunList } from '../../../../web/src/features/runs/run-list.ts';
import { answering } from '../../answers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('many reports of a training in quick succession share one read every two seconds', async () => {
  const { call, calls } = answering({ 'GET /api/play/runs': () => ({ runs: [] }) });
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
  const { call, calls } = answering({ 'GET /api/play/runs': () => ({ runs: [] }) });
  const list = new RunList({ call });
  await expect(list.deleteRun('wbc/a')).rejects.toThrow('DELETE /api/runs');
  expect(calls).toEqual(['DELETE /api/runs']);
});
