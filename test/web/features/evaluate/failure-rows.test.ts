import { expect, test } from 'vitest';
import { failureRows } from '../../../../web/src/features/evaluate/failure-rows.ts';
import type { Episode } from '../../../../web/src/features/evaluate/run-evaluations.ts';

const episode = (clip: number, start: number, fails: boolean): Episode => ({
  clip,
  start,
  possible: 100,
  steps: fails ? 40 : 100,
  failure: fails ? { frame: start + 40, term: 'anchor', subject: null } : null,
});

test('clips with the largest share of failures come first; clips without episodes are not listed', () => {
  const { rows, longest } = failureRows(
    ['good', 'unused', 'bad', 'mixed'],
    [episode(0, 0, false), episode(2, 0, true), episode(3, 0, true), episode(3, 250, false)],
  );
  expect(rows.map(({ name, failed }) => [name, failed])).toEqual([
    ['bad', 1],
    ['mixed', 1],
    ['good', 0],
  ]);
  expect(longest).toBe(350);
});

test('300,000 episodes are mapped', () => {
  const episodes = Array.from({ length: 300_000 }, (_, k) => episode(k % 2, k, false));
  expect(failureRows(['a', 'b'], episodes).longest).toBe(300_099);
  expect(failureRows(['a'], []).longest).toBe(1);
});
