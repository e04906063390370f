import { expect, test } from 'vitest';
import { LatestSender } from '../../../web/src/net/latest-sender.ts';

/** A service that replies when the test tells it to. */
function slowService() {
  const calls: { key: string; value: number; answer: () => void; refuse: () => void }[] = [];
  const done: [string, number][] = [];
  const failed: string[] = [];
  const sender = new LatestSender<string, number, number>(
    (key, value) =>
      new Promise((resolve, reject) =>
        calls.push({ key, value, answer: () => resolve(value), refuse: () => reject(new Error('no')) }),
      ),
    (key, reply) => done.push([key, reply]),
    (key) => failed.push(key),
  );
  return { sender, calls, done, failed };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('while one value is being sent, only the newest of the later values is sent next', async () => {
  const { sender, calls, done } = slowService();
  for (const value of [1, 2, 3, 4]) sender.push('knee', value);
  expect(calls.map((call) => call.value)).toEqual([1]);
  calls[0]?.answer();
  await settled();
  expect(calls.map((call) => call.value)).toEqual([1, 4]);
  expect(done).toEqual([]); // the reply to 1 is outdated: 4 was sent in the meantime
  calls[1]?.answer();
  await settled();
  expect(done).toEqual([['knee', 4]]);
  expect(sender.pending()).toBe(false);
});

test('values of different keys do not wait for each other', () => {
  const { sender, calls } = slowService();
  sender.push('knee', 1);
  sender.push('hip', 2);
  expect(calls.map((call) => call.key)).toEqual(['knee', 'hip']);
  expect([sender.pending('knee'), sender.pending('elbow')]).toEqual([true, false]);
});

test('a refused value is reported once, and the next one is still sent', async () => {
  const { sender, calls, done, failed } = slowService();
  sender.push('knee', 1);
  calls[0]?.refuse();
  await settled();
  expect(failed).toEqual(['knee']);
  sender.push('knee', 2);
  calls[1]?.answer();
  await settled();
  expect(done).toEqual([['knee', 2]]);
});
