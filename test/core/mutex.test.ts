import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Mutex, unlessAborted } from '../../src/core/mutex.ts';
import { randomFrom } from '../support/random.ts';

test('a mutex runs work with one key in order, even after failures, and work with other keys in parallel', async () => {
  const mutex = new Mutex();
  const done: string[] = [];
  let release = () => {};
  const first = mutex.run(async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    done.push('first');
    throw new Error('broken');
  }, 'a');
  const second = mutex.run(async () => done.push('second'), 'a');
  await mutex.run(async () => done.push('other'), 'b');
  release();
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});

test('work that gives up on an abort lets the next work start', async () => {
  const mutex = new Mutex();
  const abort = new AbortController();
  const hanging = mutex.run(() => unlessAborted(abort.signal, () => new Promise<never>(() => {})));
  const next = mutex.run(async () => 'done');
  abort.abort(new Error('the client left'));
  expect(await next).toBe('done');
  await expect(hanging).rejects.toThrow('the client left');
});

test('waiting work does not start before the previous work ends, even if its signal has aborted', async () => {
  const mutex = new Mutex();
  const abort = new AbortController();
  const done: string[] = [];
  let release = () => {};
  const first = mutex.run(async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    done.push('first');
  });
  const aborted = mutex.run(() => unlessAborted(abort.signal, async () => done.push('aborted')));
  const third = mutex.run(async () => done.push('third'));
  abort.abort(new Error('the client left'));
  await setImmediate();
  expect(done).toEqual([]);
  release();
  await expect(aborted).rejects.toThrow('the client left');
  await Promise.all([first, third]);
  expect(done).toEqual(['first', 'third']);
});

test('a signal that aborts after the work has ended has no effect', async () => {
  const abort = new AbortController();
  expect(await unlessAborted(abort.signal, async () => 7)).toBe(7);
  await expect(unlessAborted(abort.signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  abort.abort();
});

test.each([1, 2, 3, 4, 5])(
  'any mix of keys and failures keeps the order and never overlaps (seed %i)',
  async (seed) => {
    const mutex = new Mutex();
    const random = randomFrom(seed);
    const running = new Map<string, number>();
    const order = new Map<string, number[]>();
    const jobs = Array.from({ length: 200 }, (_, index) => {
      const key = `k${Math.floor(4 * random())}`;
      const rounds = Math.floor(3 * random());
      const fails = random() < 0.3;
      return mutex
        .run(async () => {
          expect(running.get(key) ?? 0).toBe(0);
          running.set(key, 1);
          for (let k = 0; k < rounds; k += 1) await setImmediate();
          running.set(key, 0);
          order.set(key, [...(order.get(key) ?? []), index]);
          if (fails) throw new Error('broken');
        }, key)
        .catch((error: Error) => expect(error.message).toBe('broken'));
    });
    await Promise.all(jobs);
    const all = [...order.values()];
    for (const indices of all) expect(indices).toEqual([...indices].sort((a, b) => a - b));
    expect(all.flat()).toHaveLength(200);
  },
);
