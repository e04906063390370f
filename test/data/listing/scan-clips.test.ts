import { expect, test } from 'vitest';
import type { ClipFacts } from '../../../src/data/clip/clip-facts.ts';
import type { ClipEntry } from '../../../src/data/listing/clip-entries.ts';
import { ClipFile } from '../../../src/data/listing/clip-files.ts';
import { otherOptions } from '../../../src/data/listing/other-options.ts';
import { type ScanSource, scanClips } from '../../../src/data/listing/scan-clips.ts';
import { clipFileType } from '../../../src/formats/clip-registry.ts';

const entry = (name: string, error: string | null = null): ClipEntry => ({
  name,
  raw: new ClipFile('/d', `${name}.csv`, clipFileType('csv'), 1, 1),
  npz: null,
  stale: false,
  error,
});

/** Returns a dataset with clips of these lengths, s, at 10 frames per second. A length of NaN makes the clip
 *  unreadable. */
function dataset(lengths: Readonly<Record<string, number>>) {
  const known = new Map<string, ClipFacts>();
  const read: string[] = [];
  const source: ScanSource = {
    shownFile: (clip) => (clip.error === null ? clip.raw : null),
    known: (file) => known.get(file.stem) ?? null,
    read: async (files) =>
      files.map((file) => {
        const seconds = lengths[file.stem]!;
        const bad = Number.isNaN(seconds);
        const facts: ClipFacts = {
          frames: bad ? null : seconds * 10 + 1,
          fps: 10,
          columns: 8,
          error: bad ? 'broken' : null,
          assumed: null,
        };
        read.push(file.stem);
        known.set(file.stem, facts);
        return facts;
      }),
    problem: (_file, { error }) => error,
    fps: (_, own) => own ?? 30,
  };
  return { source, read, entries: Object.keys(lengths).map((name) => entry(name)) };
}
const progress = () => ({ signal: new AbortController().signal, report: () => {} });

test('a scan sums up hours and lengths; a clip at a bin edge counts in the bin that starts there', async () => {
  const { source, entries } = dataset({ a: 2, b: 2.9, c: 3, d: 44.9, bad: Number.NaN });
  const scan = await scanClips([...entries, entry('twin', 'two files')], progress(), source);
  expect(scan).toMatchObject({
    clips: 4,
    unreadable: [
      { clip: 'bad', error: 'broken' },
      { clip: 'twin', error: 'two files' },
    ],
    unreadable_total: 2,
    histogram: { edges: [2, 3, 5, 7, 10, 15, 20, 30, 45], counts: [2, 1, 0, 0, 0, 0, 0, 1] },
  });
  expect(scan.hours).toBeCloseTo(52.8 / 3600, 12);
});

test('a scan reads only unknown clips', async () => {
  const { source, entries, read } = dataset({ a: 1, b: 2 });
  await scanClips(entries, progress(), source);
  await scanClips(entries, progress(), source);
  expect(read.sort()).toEqual(['a', 'b']);
});

test('a scan has one empty bin without clips, a bin for a clip of hours, and up to 500 names of unreadable clips', async () => {
  const none = dataset({});
  expect((await scanClips([], progress(), none.source)).histogram).toEqual({ edges: [0, 1], counts: [0] });
  const long = dataset({ a: 20_000 });
  const { edges, counts } = (await scanClips(long.entries, progress(), long.source)).histogram;
  expect([edges, counts]).toEqual([[14_400, 28_800], [1]]);
  const broken = Array.from({ length: 700 }, (_, k) => entry(`c${k}`, 'twins'));
  const scan = await scanClips(broken, progress(), none.source);
  expect([scan.unreadable.length, scan.unreadable_total, scan.clips]).toEqual([500, 700, 0]);
});

test('a scan ends when it is superseded', async () => {
  const { source, entries } = dataset({ a: 1 });
  const abort = new AbortController();
  abort.abort();
  await expect(scanClips(entries, { signal: abort.signal, report: () => {} }, source)).rejects.toThrow('aborted');
});

test.each<[Parameters<typeof otherOptions>[1], string[]]>([
  [{}, []],
  [{ output_fps: 50 }, []],
  [{ output_fps: 30 }, ['output_fps 50 instead of 30']],
  [{ input_fps: 60 }, ['input_fps 30 instead of 60']],
  [{ debias_z: true }, ['debias_z false instead of true']],
  [{ debias_z: false, mirror: true }, []],
  [{ read: {} }, []],
  [{ read: { fps: 60 } }, ['read with fps as the file states instead of 60']],
  [
    { read: { fps: 60, quaternion: 'wxyz' }, input_fps: 30 },
    ['read with quaternion as the file states instead of wxyz'],
  ],
  [{ fixes: ['trim_first_frame'] }, ['without the repair trim_first_frame']],
  [{ fixes: { walk: ['trim_first_frame'] } }, ['without the repair trim_first_frame']],
  [{ fixes: { run: ['trim_first_frame'] } }, []],
])('a clip converted with default options 30 → 50 differs from dataset.yaml %j by %j', (wanted, expected) => {
  const record = { inputFps: 30, outputFps: 50, debiasZ: false, mirrored: false, fixes: [], source: null, read: {} };
  expect(otherOptions(record, wanted, 'walk')).toEqual(expected);
  expect(otherOptions(null, wanted, 'walk')).toEqual([]);
});

test('a shift by a repair is not a difference', () => {
  const record = {
    inputFps: 30,
    outputFps: 50,
    debiasZ: true,
    mirrored: false,
    fixes: ['debias_z'],
    source: null,
    read: {},
  };
  expect(otherOptions(record, { debias_z: false }, 'walk')).toEqual([]);
  expect(otherOptions({ ...record, fixes: [] }, { debias_z: true }, 'walk')).toEqual([]);
  expect(otherOptions({ ...record, fixes: [] }, { debias_z: false }, 'walk')).toEqual([
    'debias_z true instead of false',
  ]);
});
