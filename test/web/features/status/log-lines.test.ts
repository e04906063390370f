import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../../../src/protocol/schemas/log.ts';
import {
  addLines,
  blocksOf,
  countLevels,
  filterLog,
  type LogEntry,
} from '../../../../web/src/features/status/log-lines.ts';

const START = Date.parse('2026-11-22T10:00:00Z');
/** Line `seq` of a service that started `startS` seconds after the first one. */
const line = (seq: number, more: Partial<LogLine> = {}, startS = 0): LogLine => ({
  time: new Date(START + (startS + seq) * 1000).toISOString(),
  level: 'info',
  source: 'data',
  message: `line ${seq}`,
  seq,
  ...more,
});
const lines = (from: number, to: number, startS = 0) =>
  Array.from({ length: to - from + 1 }, (_, k) => line(from + k, {}, startS));

/** A list that grows like the list of the page. */
function list(most = 10_000) {
  let ids = 0;
  let entries: readonly LogEntry[] = [];
  const add = (more: readonly LogLine[]) => {
    entries = addLines(entries, more, () => ++ids, most);
    return entries;
  };
  return { add, seqs: () => entries.map(({ seq }) => seq) };
}

describe('fetched lines and lines from events', () => {
  test('fetched lines and lines from events form one ordered list without repeats, whichever arrive first', () => {
    const { add, seqs } = list();
    add([line(4)]);
    add([line(5)]);
    const entries = add(lines(1, 5));
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(add(lines(2, 5))).toBe(entries);
    add(lines(3, 7));
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const ids = add([]).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('lines of a restarted service are listed after those from before', () => {
    const { add, seqs } = list();
    add(lines(1, 3));
    add(lines(1, 2, 60));
    expect(seqs()).toEqual([1, 2, 3, 1, 2]);
  });

  test('lines are kept up to a limit, and the oldest are dropped', () => {
    const { add, seqs } = list(3);
    add(lines(1, 5));
    expect(seqs()).toEqual([3, 4, 5]);
    add([line(6)]);
    expect(seqs()).toEqual([4, 5, 6]);
  });
});

test('a filter keeps lines of a level and above, and lines that contain a text in source or message', () => {
  const { add } = list();
  const entries = add([
    line(1, { message: 'Clip walk loaded' }),
    line(2, { level: 'warn', source: 'gateway', message: 'refused' }),
    line(3, { level: 'error', source: 'jobs', message: 'train-1 failed' }),
  ]);
  const seqs = (level: LogLine['level'], text: string) => filterLog(entries, level, text).map(({ seq }) => seq);
  expect([
    seqs('info', ''),
    seqs('warn', ''),
    seqs('error', ''),
    seqs('info', ' GATE '),
    seqs('error', 'walk'),
  ]).toEqual([[1, 2, 3], [2, 3], [3], [2], []]);
  expect(countLevels(entries)).toEqual({ warn: 2, error: 1 });
});

test('a new line changes only the last block, also when the oldest lines are dropped', () => {
  const { add } = list(10_000);
  const before = blocksOf(add(lines(1, 10_000)));
  const after = blocksOf(add([line(10_001)]));
  const drawn = (blocks: typeof before) => new Set(blocks.map((block) => block.map(({ id }) => id).join()));
  const known = drawn(before);
  expect([...drawn(after)].filter((block) => !known.has(block))).toHaveLength(2); // only the first and the last block change
  expect(after.every((block) => block.length <= 100)).toBe(true);
});
