import { expect, test } from 'vitest';
import type { ClipEntry } from '../../../src/data/listing/clip-entries.ts';
import { ClipFile } from '../../../src/data/listing/clip-files.ts';
import { libraryClips } from '../../../src/data/listing/library-clips.ts';
import { NO_MARKS } from '../../../src/data/marks/clip-marks.ts';
import { clipFileType } from '../../../src/formats/clip-registry.ts';

const npz = (name: string) => new ClipFile('/d/npz', `${name}.npz`, clipFileType('npz'), 1, 1);
const raw = (name: string) => new ClipFile('/d', `${name}.csv`, clipFileType('csv'), 1, 1);
const entry = (name: string, more: Partial<ClipEntry> = {}): ClipEntry => ({
  ...{ name, raw: raw(name), npz: npz(name), stale: false, error: null },
  ...more,
});
const entries = [
  entry('run'),
  entry('run_M', { raw: null }),
  entry('stale', { stale: true }),
  entry('unconverted', { npz: null }),
  entry('walk'),
];

test('a library has the converted clips that are not excluded, and their weights', () => {
  const marks = new Map([
    ['run', { ...NO_MARKS, exclude: true }],
    ['walk', { ...NO_MARKS, weight: 3 }],
  ]);
  expect(libraryClips(entries, marks)).toEqual({
    files: [{ name: 'walk', path: '/d/npz/walk.npz', weight: 3 }],
    excluded: 2, // `run` and its mirror image
    missing: 2,
  });
});

test('marks that neither exclude nor weight clips give the same library, and so the same training, as no marks', () => {
  const marks = new Map(entries.map(({ name }) => [name, { ...NO_MARKS, weight: 1, tags: ['gait'] }]));
  const { files } = libraryClips(entries, marks);
  expect(JSON.stringify(files)).toBe(JSON.stringify(libraryClips(entries, new Map()).files));
  expect(files.every((file) => !('weight' in file))).toBe(true);
});
