import { expect, test } from 'vitest';
import { type Attempt, Latest } from '../../src/core/latest.ts';

test("a newer attempt supersedes the previous one: its signal aborts, and it throws the owner's error", () => {
  const latest = new Latest(() => new Error('a newer inspection has begun'));
  const first = latest.begin();
  expect(first.isCurrent).toBe(true);
  expect(() => first.throwIfStale()).not.toThrow();
  const second = latest.begin();
  expect(first.isCurrent).toBe(false);
  expect(first.signal.aborted).toBe(true);
  expect(() => first.throwIfStale()).toThrow('a newer inspection has begun');
  expect(second.isCurrent).toBe(true);
  expect(second.number).toBe(first.number + 1);
});

test('work can join the current attempt without superseding it', () => {
  const latest = new Latest();
  const joined = latest.current;
  expect(latest.current).toBe(joined);
  expect(joined.isCurrent).toBe(true);
  latest.begin();
  expect(joined.isCurrent).toBe(false);
});

test('the newer attempt is already current when listeners of the superseded signal run', () => {
  const latest = new Latest();
  const first = latest.begin();
  let seen: Attempt | null = null;
  first.signal.addEventListener('abort', () => {
    seen = latest.current;
  });
  const second = latest.begin();
  expect(seen).toBe(second);
});

test('after any sequence of begins and joins, exactly the attempts of the last begin are current', () => {
  for (let pattern = 0; pattern < 2 ** 10; pattern += 1) {
    const latest = new Latest();
    const attempts: [Attempt, begun: number][] = [];
    let begun = 0;
    for (let step = 0; step < 10; step += 1) {
      if ((pattern >> step) & 1) begun += 1;
      attempts.push([(pattern >> step) & 1 ? latest.begin() : latest.current, begun]);
    }
    for (const [attempt, at] of attempts) {
      expect(attempt.isCurrent).toBe(at === begun);
      expect(attempt.number).toBe(at);
      expect(attempt.signal.aborted).toBe(at !== begun);
    }
  }
});
