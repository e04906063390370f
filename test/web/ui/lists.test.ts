import { expect, test } from 'vitest';
import { clipDuration, timelineTicks } from '../../../web/src/features/data/timeline-scale.ts';
import { backoffMs } from '../../../web/src/net/backoff.ts';
import { match } from '../../../web/src/ui/fuzzy-match.ts';
import { pagesOf, rowWindow, scrollTo } from '../../../web/src/ui/page-window.ts';

test('of 10,000 rows only the visible ones and a margin are rendered', () => {
  expect(rowWindow(0, 560, 28, 10_000)).toEqual({ first: 0, end: 28 });
  const deep = rowWindow(28 * 5000, 560, 28, 10_000);
  expect(deep).toEqual({ first: 4992, end: 5028 });
  expect(rowWindow(28 * 9990, 560, 28, 10_000).end).toBe(10_000);
  expect(rowWindow(0, 560, 28, 0)).toEqual({ first: 0, end: 0 });
});

test('a window requests the pages with its rows; an empty window requests none', () => {
  expect(pagesOf({ first: 195, end: 205 }, 200)).toEqual([1, 2]);
  expect(pagesOf({ first: 200, end: 400 }, 200)).toEqual([2]);
  expect(pagesOf({ first: 0, end: 0 }, 200)).toEqual([]);
});

test('a row is scrolled into view with the least movement', () => {
  expect(scrollTo(3, 280, 280, 28)).toBe(84); // above the view: to the top
  expect(scrollTo(30, 280, 280, 28)).toBe(588); // below the view: to the bottom
  expect(scrollTo(12, 280, 280, 28)).toBe(280); // the row is visible: nothing scrolls
});

test('reconnecting waits longer each time, up to 5 s, with a random share', () => {
  expect([0, 1, 2, 10, 1000].map((attempt) => backoffMs(attempt, 0))).toEqual([300, 600, 1200, 5000, 5000]);
  expect(backoffMs(1000, 1)).toBe(3750);
});

test('the ticks of a timeline are round times that leave room for their labels', () => {
  const { major, minor } = timelineTicks(131.47, 880);
  expect(major.map((tick) => tick.label)).toEqual([
    '0:00',
    '0:15',
    '0:30',
    '0:45',
    '1:00',
    '1:15',
    '1:30',
    '1:45',
    '2:00',
  ]);
  expect(minor.length).toBeGreaterThan(major.length);
  expect(timelineTicks(0.2, 900).major.map((tick) => tick.label)).toEqual([
    '0:00.00',
    '0:00.05',
    '0:00.10',
    '0:00.15',
    '0:00.20',
  ]);
  expect(timelineTicks(0, 900).major).toEqual([]);
});

test('a clip lasts from its first frame to its last', () => {
  expect(clipDuration(206, 30)).toBeCloseTo(6.8333, 4);
  expect([clipDuration(1, 30), clipDuration(0, 0)]).toEqual([0, 0]);
});

test('the palette ranks whole words before parts, parts before scattered letters, and marks the matches', () => {
  const score = (text: string) => match('walk', text)?.score ?? -1;
  expect(score('walk_forward')).toBeGreaterThan(score('sidewalk'));
  expect(score('sidewalk')).toBeGreaterThan(score('waist and leg kick'));
  expect(match('walk', 'squat')).toBeNull();
  expect(match('wave', 'arm_wave')?.spans).toEqual([[4, 8]]);
  expect(match('', 'anything')?.score).toBe(0);
});
