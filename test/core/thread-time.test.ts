import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { threadMs } from '../../src/core/thread-time.ts';

test('the CPU time of a thread grows with its work', () => {
  const start = threadMs();
  const end = performance.now() + 50;
  let sum = 0;
  while (performance.now() < end) sum += Math.sqrt(sum + 1);
  expect(sum).toBeGreaterThan(0);
  expect(threadMs()).toBeGreaterThan(start);
});

test.skipIf(process.platform !== 'linux')('the CPU time of a thread does not grow while it waits', async () => {
  const clock = performance.now();
  const start = threadMs();
  await setTimeout(400);
  expect(threadMs() - start).toBeLessThan(0.9 * (performance.now() - clock));
});
