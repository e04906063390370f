import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { MetricHistory } from '../../../../web/src/features/play/metric-history.ts';

const at = (sim_time: number, keybody_error: number, focus = 0) =>
  ({ id: 's1', focus, sim_time, history_s: 60, figures: { tracking: { keybody_error } } }) as unknown as PlaySession;

test('metrics of the last minute form a line, which restarts when the environment changes', () => {
  const session = signal<PlaySession | null>(null);
  const history = new MetricHistory({ session });
  for (const [time, error] of [
    [1, 0.1],
    [31, 0.2],
    [90, 0.3],
  ] as const)
    session.value = at(time, error);
  expect(history.historyLine('keybody', 60)).toEqual([
    [expect.closeTo(1 / 60), 0.2],
    [1, 0.3],
  ]);
  session.value = at(91, 0.4, 1);
  expect(history.historyLine('keybody', 60)).toEqual([[1, 0.4]]);
  session.value = null;
  expect(history.historyLine('keybody', 60)).toEqual([]);
});
