import { expect, test } from 'vitest';
import { Turns } from '../../src/core/turns.ts';

test('work on one subject is done one after another, in its order, whatever fails; other subjects do not wait', async () => {
  const turns = new Turns();
  const done: string[] = [];
  let release = () => {};
  const first = turns.take('a', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    done.push('first');
    throw new Error('broken');
  });
  const second = turns.take('a', async () => done.push('second'));
  await turns.take('b', async () => done.push('other'));
  release();
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});

test('what nobody waits for any more holds up nobody', async () => {
  const turns = new Turns();
  const abort = new AbortController();
  void turns.take('a', () => new Promise<never>(() => {}), abort.signal);
  const next = turns.take('a', async () => 'done');
  abort.abort();
  expect(await next).toBe('done');
});
