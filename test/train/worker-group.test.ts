import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createGroupMemory } from '../../src/train/ppo/worker-group.ts';
import { threadEntry } from '../../src/workers/thread-entry.ts';

const RANKS = 3;
/** more values than are exchanged at once */
const LENGTH = 10_000;
const FLOATS = 7;

test('threads exchange and add up any number of values in the order of their ranks, and agree on a stop', async () => {
  const memory = createGroupMemory(RANKS, FLOATS);
  const { url, execArgv } = threadEntry('group', import.meta.url);
  const replies = await Promise.all(
    Array.from({ length: RANKS }, async (_, rank) => {
      const worker = new Worker(url, { execArgv, workerData: { memory, rank, length: LENGTH } });
      const [reply] = (await once(worker, 'message')) as [
        { gathered: Float64Array[][]; totals: Float64Array; sums: Float32Array; stopped: boolean },
      ];
      return reply;
    }),
  );
  for (const { gathered, totals, sums, stopped } of replies) {
    for (const [turn, all] of gathered.entries())
      for (const [rank, values] of all.entries()) {
        expect(values).toHaveLength(LENGTH);
        for (const k of [0, 4095, 4096, LENGTH - 1]) expect(values[k]).toBe(1e6 * turn + 1e5 * rank + k);
      }
    for (const k of [0, 4095, 4096, LENGTH - 1]) expect(totals[k]).toBe(3 * (2e6 + k) + 1e5 * (0 + 1 + 2));
    expect([...sums]).toEqual(Array.from({ length: FLOATS }, (_, k) => 3 + 3 * k));
    expect(stopped).toBe(true);
  }
});
