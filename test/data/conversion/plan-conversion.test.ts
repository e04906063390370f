import { expect, test } from 'vitest';
import {
  type ConversionRequest,
  type OtherRates,
  planConversion,
} from '../../../src/data/conversion/plan-conversion.ts';
import { ClipFile } from '../../../src/data/listing/clip-files.ts';
import type { ClipEntry } from '../../../src/data/listing/dataset-snapshot.ts';
import { clipFileType } from '../../../src/formats/clip-registry.ts';

const NONE: OtherRates = { clips: new Set(), unreadable: new Map() };
const REQUEST: ConversionRequest = { which: 'missing', clips: [], mirror: false, repairs: false };

function file(name: string, format: 'csv' | 'npz', mtimeMs: number): ClipFile {
  return new ClipFile('/d', `${name}.${format}`, clipFileType(format), 1, mtimeMs);
}

/** @param raw @param npz modification times; null if the file does not exist */
function entry(name: string, raw: number | null, npz: number | null, error: string | null = null): ClipEntry {
  return {
    name,
    raw: raw === null ? null : file(name, 'csv', raw),
    npz: npz === null ? null : file(name, 'npz', npz),
    stale: raw !== null && npz !== null && npz < raw,
    error,
  };
}

const ENTRIES = [entry('done', 1, 2), entry('foreign', null, 2), entry('new', 1, null), entry('stale', 3, 2)];

const outputs = (request: Partial<ConversionRequest>, entries = ENTRIES) =>
  planConversion(entries, '/out', { ...REQUEST, ...request }, NONE).conversions.map(({ clip, outputs: made }) => [
    clip,
    ...made.map((output) => output.path),
  ]);

test('"missing" converts clips with a raw file and without an up-to-date npz', () => {
  expect(outputs({})).toEqual([
    ['new', '/out/new.npz'],
    ['stale', '/out/stale.npz'],
  ]);
});

test('"all" converts the clips with a raw file', () => {
  expect(outputs({ which: 'all' }).map(([clip]) => clip)).toEqual(['done', 'new', 'stale']);
});

test('selected clips are converted once each, whatever their state', () => {
  expect(outputs({ which: 'selected', clips: ['done', 'done'] })).toEqual([['done', '/out/done.npz']]);
});

test('a converted clip without a source is refused, unless it will be repaired', () => {
  const plan = planConversion(ENTRIES, '/out', { ...REQUEST, which: 'selected', clips: ['foreign'] }, NONE);
  expect(plan.conversions).toEqual([]);
  expect(plan.refused[0]?.clip).toBe('foreign');
  const request = { ...REQUEST, which: 'selected' as const, clips: ['foreign'], repairs: true };
  const repaired = planConversion(ENTRIES, '/out', request, NONE);
  expect(repaired.conversions[0]?.source).toMatchObject({ path: '/d/foreign.npz', raw: false });
});

test('a converted clip without a source is converted from its npz if it has another frame rate', () => {
  const others = { ...NONE, clips: new Set(['foreign']) };
  const all = planConversion(ENTRIES, '/out', { ...REQUEST, which: 'all' }, others);
  expect(all.conversions.map(({ clip, source }) => [clip, source.raw])).toEqual([
    ['done', true],
    ['foreign', false],
    ['new', true],
    ['stale', true],
  ]);
  const selected = planConversion(ENTRIES, '/out', { ...REQUEST, which: 'selected', clips: ['foreign'] }, others);
  expect(selected.conversions[0]?.source).toMatchObject({ path: '/d/foreign.npz', raw: false });
});

test('a mirror image without a raw file is made from its clip, and has none itself', () => {
  const entries = [entry('a', null, 2), entry('a_M', null, 2)];
  const own = { ...NONE, clips: new Set(['a', 'a_M']) };
  const made = (request: Partial<ConversionRequest>, clips = own) =>
    planConversion(entries, '/out', { ...REQUEST, which: 'all', ...request }, clips).conversions.map((one) => [
      one.clip,
      ...one.outputs.map(({ path, refresh }) => `${path}${refresh ? ' if mirrored' : ''}`),
    ]);
  expect(made({ mirror: true })).toEqual([['a', '/out/a.npz', '/out/a_M.npz']]);
  expect(made({}, { ...own, clips: new Set(['a']) })).toEqual([['a', '/out/a.npz', '/out/a_M.npz if mirrored']]);
  expect(made({ mirror: true, which: 'selected', clips: ['a_M'] })).toEqual([['a_M', '/out/a_M.npz']]);
});

test('a selected clip that cannot be read is refused with the reason', () => {
  const own = { ...NONE, unreadable: new Map([['foreign', 'the file is damaged']]) };
  const plan = planConversion(ENTRIES, '/out', { ...REQUEST, which: 'selected', clips: ['foreign'] }, own);
  expect(plan.refused).toEqual([{ clip: 'foreign', error: 'the file is damaged' }]);
});

test('missing mirror images are created, existing ones kept', () => {
  const entries = [entry('a', 1, 2), entry('a_M', null, 2), entry('b', 1, 2), entry('c', 1, 2), entry('c_M', 1, null)];
  const plan = planConversion(entries, '/out', { ...REQUEST, mirror: true }, NONE);
  expect(plan.conversions.map(({ clip, outputs: made }) => [clip, made])).toEqual([
    ['b', [{ path: '/out/b_M.npz', mirrored: true, refresh: false }]],
    // The raw mirror image exists. It is converted like a clip, so the clip is not mirrored.
    ['c_M', [{ path: '/out/c_M.npz', mirrored: false, refresh: false }]],
  ]);
  expect(plan.conversions[1]?.notes).toEqual(['not mirrored, because it is the mirror image of c']);
});

test('only the entry with an error is refused, with its error', () => {
  const plan = planConversion([entry('twin', 1, null, 'two files'), entry('new', 1, null)], '/out', REQUEST, NONE);
  expect(plan.refused).toEqual([{ clip: 'twin', error: 'two files' }]);
  expect(plan.conversions.map(({ clip }) => clip)).toEqual(['new']);
});

test.each([
  [{ which: 'selected' }, /clips: must name the clips/],
  [{ which: 'selected', clips: ['nwe'] }, /no clip "nwe"; did you mean "new"\?/],
  [{ which: 'all', clips: ['new'] }, /"which" must be "selected"/],
] as const)('the request %j is refused', (request, message) => {
  expect(() => planConversion(ENTRIES, '/out', { ...REQUEST, ...request }, NONE)).toThrow(message);
});

test('a clip whose mirror image would have a name that is too long is converted without it', () => {
  const name = 'w'.repeat(127);
  const request = { ...REQUEST, mirror: true };
  const [made, ...others] = planConversion([entry(name, 1, null)], '/out', request, NONE).conversions;
  expect(others).toEqual([]);
  expect(made!.outputs.map((output) => output.path)).toEqual([`/out/${name}.npz`]);
  expect(made!.notes).toEqual([expect.stringContaining('at most 128 characters')]);
});
