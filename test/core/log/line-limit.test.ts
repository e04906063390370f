import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LineLimit } from '../../../src/core/log/line-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A limit of `burst` lines per minute. `lines` receives what the log would get. */
function limited(burst: number) {
  const lines: string[] = [];
  const limit = new LineLimit({
    burst,
    windowMs: 60_000,
    summarise: (held, seconds) => lines.push(`and ${held} more in ${seconds} s`),
  });
  const event = (name: string) => {
    if (limit.admit()) lines.push(name);
  };
  return { lines, limit, event };
}

test('the first lines of a minute are written; the others are summarised at its end', () => {
  const { lines, event } = limited(2);
  for (let k = 1; k <= 243; k += 1) event(`event ${k}`);
  expect(lines).toEqual(['event 1', 'event 2']);
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(['event 1', 'event 2', 'and 241 more in 60 s']);
});

test('a lasting flood gets at most `burst` lines a minute, summaries included', () => {
  const { lines, event } = limited(3);
  for (let second = 0; second < 600; second += 1) {
    for (let k = 0; k < 100; k += 1) event('event');
    vi.advanceTimersByTime(1000);
  }
  // 3 lines in the first minute, then a summary and 2 lines in each minute, and a last summary.
  expect(lines).toHaveLength(3 + 9 * 3 + 1);
  const counted = lines.reduce((sum, line) => sum + (line === 'event' ? 1 : Number(/\d+/.exec(line)![0])), 0);
  expect(counted).toBe(60_000);
});

test('lines of the same text are written once a minute', () => {
  const { lines, limit } = limited(10);
  for (const text of ['a', 'a', 'b', 'a']) if (limit.admit(text)) lines.push(text);
  vi.advanceTimersByTime(60_000);
  for (const text of ['a', 'b']) if (limit.admit(text)) lines.push(text);
  expect(lines).toEqual(['a', 'b', 'and 2 more in 60 s', 'a', 'b']);
});

test('after a quiet minute lines are written again, and nothing is summarised twice', () => {
  const { lines, event } = limited(1);
  event('a');
  event('b');
  vi.advanceTimersByTime(60_000);
  vi.advanceTimersByTime(60_000);
  event('c');
  vi.advanceTimersByTime(120_000);
  expect(lines).toEqual(['a', 'and 1 more in 60 s', 'c']);
});

test('flush writes the summary at once, for the time that has passed', () => {
  const { lines, limit, event } = limited(1);
  event('a');
  event('b');
  vi.advanceTimersByTime(12_000);
  limit.flush();
  limit.flush();
  expect(lines).toEqual(['a', 'and 1 more in 12 s']);
});
