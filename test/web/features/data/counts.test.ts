import { expect, test } from 'vitest';
import { clipsOf, countsText, lengthText, readyClips } from '../../../../web/src/features/data/shared/counts.ts';

const SOURCES = { source: 6, converted: 5, extra: 0, failed: 1 };
const MIRRORED = { ...SOURCES, extra: 5 };
const BUNDLE = { source: 0, converted: 0, extra: 40, failed: 0 };

test('every clip is counted once; trainings also read clips without a source', () => {
  expect([SOURCES, MIRRORED, BUNDLE].map(clipsOf)).toEqual([6, 11, 40]);
  expect([SOURCES, MIRRORED, BUNDLE].map(readyClips)).toEqual([5, 10, 40]);
});

test('the counts are shown as a sentence', () => {
  expect(countsText(SOURCES)).toBe('6 clips, 5 of them converted');
  expect(countsText(MIRRORED)).toBe('6 clips, 5 of them converted, 5 more without a source');
  expect(countsText(BUNDLE)).toBe('40 clips without a source');
});

test('the length of a short dataset is shown in minutes, of a long one in hours', () => {
  expect([null, 0.011, 0.0999, 0.1, 12.345].map(lengthText)).toEqual(['–', '0.7 min', '6.0 min', '0.10 h', '12.35 h']);
});
