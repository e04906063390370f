import { expect, test } from 'vitest';
import { ChangeLog } from '../../../src/runs/store/change-log.ts';

test('a reader gets each change once, with the last state of each key, and the removed keys', () => {
  const log = new ChangeLog<number>();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    log.set(key, value);
  const first = log.since(null);
  expect(first).toMatchObject({
    anew: true,
    more: false,
    changes: [
      ['b', 2],
      ['a', 3],
    ],
  });
  log.set('b', null);
  log.set('never there', null);
  expect(log.since(first.cursor)).toMatchObject({ anew: false, changes: [['b', null]] });
  expect(log.since(null).changes).toEqual([['a', 3]]);
  expect(log.since(log.cursor).changes).toEqual([]);
});

test('changes are returned in parts that together lose none', () => {
  const log = new ChangeLog<number>();
  for (let k = 0; k < 10; k++) log.set(`key ${k}`, k);
  const seen: string[] = [];
  let cursor = null;
  for (let more = true; more; ) {
    const part = log.since(cursor, 3);
    expect(part.changes.length).toBeLessThanOrEqual(3);
    seen.push(...part.changes.map(([key]) => key));
    ({ cursor, more } = part);
  }
  expect(seen).toEqual(Array.from({ length: 10 }, (_, k) => `key ${k}`));
});

test('after very many removals a reader starts again from the beginning', () => {
  const log = new ChangeLog<number>();
  log.set('stays', 1);
  const { cursor } = log;
  for (let k = 0; k <= 10_000; k++) {
    log.set(`${k}`, k);
    log.set(`${k}`, null);
  }
  expect(log.since(cursor)).toMatchObject({ anew: true, changes: [['stays', 1]] });
});
