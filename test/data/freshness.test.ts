import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beginListing,
  beginReading,
  changed,
  FRESH,
  type Freshness,
  failReading,
  finishReading,
  postponeListing,
  UNREAD,
} from '../../src/data/freshness.ts';

const nameIn = (folder: string, name: string) => ({ names: new Map([[folder, new Set([name])]]) });

test('a dataset that was never listed is entirely stale', () => {
  expect(UNREAD).toMatchObject({ kind: 'stale', changes: { all: true, reported: false } });
  const reading = beginReading(UNREAD, true);
  expect(reading.taken.all).toBe(true);
  expect(finishReading(reading)).toBe(FRESH);
});

test('changes of single files add up by folder', () => {
  const first = changed(FRESH, { ...nameIn('raw', 'a.csv'), reported: true });
  const state = changed(changed(first, nameIn('raw', 'b.csv')), nameIn('npz', 'a.npz'));
  expect(beginReading(state, true).taken).toMatchObject({
    all: false,
    reported: true,
    names: new Map([
      ['raw', new Set(['a.csv', 'b.csv'])],
      ['npz', new Set(['a.npz'])],
    ]),
  });
});

test('a file that changes while it is read is read again', () => {
  const reading = beginReading(changed(FRESH, nameIn('raw', 'a.csv')), true);
  const during = changed(reading, nameIn('raw', 'b.csv'));
  const after = finishReading(during);
  expect(after.kind).toBe('stale');
  expect(beginReading(after, true).taken.names).toEqual(new Map([['raw', new Set(['b.csv'])]]));
});

test('reading single files does not replace a listing that is due', () => {
  const state = changed(changed(FRESH, nameIn('raw', 'a.csv')), { all: true, settled: true });
  const reading = beginReading(state, false);
  expect(reading.taken).toMatchObject({ all: false, names: new Map([['raw', new Set(['a.csv'])]]) });
  expect(finishReading(reading)).toMatchObject({ kind: 'stale', changes: { all: true, settled: true } });
});

test('a listing includes changes that happen while single files are read; a postponed listing stays due', () => {
  const reading = changed(beginReading(changed(FRESH, nameIn('raw', 'a.csv')), true), nameIn('raw', 'b.csv'));
  expect(finishReading(beginListing(reading))).toBe(FRESH);
  expect(postponeListing(reading)).toMatchObject({ kind: 'stale', changes: { all: true } });
});

test('a failed read leaves its files stale', () => {
  const complete = new Set(['/data/raw/a.csv']);
  const reading = beginReading(changed(FRESH, { ...nameIn('raw', 'a.csv'), complete }), true);
  const after = failReading(changed(reading, { all: true }));
  expect(beginReading(after, true).taken).toMatchObject({
    all: true,
    complete,
    names: new Map([['raw', new Set(['a.csv'])]]),
  });
});

test('steps that the state does not allow are bugs', () => {
  expect(() => beginReading(FRESH, true)).toThrow('but it is fresh');
  expect(() => finishReading(UNREAD)).toThrow('must be in the state reading, but it is stale');
  expect(() => beginReading(beginReading(UNREAD, true), true)).toThrow('but it is reading');
});

/** Models what the reader has seen, with version numbers of all names on an imaginary disk. */
interface Model {
  readonly disk: Map<string, number>;
  readonly seen: Map<string, number>;
  /** versions that the current reading will have seen at its end */
  pending: Map<string, number>;
}

const NAMES = ['a', 'b', 'c'];
const steps = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('write' as const), name: fc.constantFrom(...NAMES), whole: fc.boolean() }),
    fc.record({ step: fc.constant('begin' as const), listing: fc.boolean() }),
    fc.record({ step: fc.constantFrom('list' as const, 'postpone' as const, 'finish' as const, 'fail' as const) }),
  ),
  { maxLength: 60 },
);

test('no sequence of events loses a change: a fresh dataset includes every write', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const model: Model = { disk: new Map(), seen: new Map(), pending: new Map() };
      let state: Freshness = UNREAD;
      /** Notes the versions on disk when a read of these names begins. */
      const read = (all: boolean, names: Iterable<string>) => {
        for (const name of all ? NAMES : names) model.pending.set(name, model.disk.get(name) ?? 0);
      };
      const takeStep = (one: (typeof sequence)[number]) => {
        if (one.step === 'write') {
          model.disk.set(one.name, (model.disk.get(one.name) ?? 0) + 1);
          state = changed(state, one.whole ? { all: true } : nameIn('raw', one.name));
        } else if (one.step === 'begin') {
          if (state.kind !== 'stale') return;
          const reading = beginReading(state, one.listing);
          state = reading;
          model.pending = new Map();
          read(reading.taken.all, reading.taken.names.get('raw') ?? []);
        } else if (state.kind === 'reading') {
          if (one.step === 'list') {
            state = beginListing(state);
            read(true, []);
          } else if (one.step === 'finish') {
            state = finishReading(state);
            for (const [name, version] of model.pending) model.seen.set(name, version);
          } else state = one.step === 'postpone' ? postponeListing(state) : failReading(state);
        }
      };
      const isCurrent = () => NAMES.every((name) => (model.disk.get(name) ?? 0) === (model.seen.get(name) ?? 0));
      for (const one of sequence) {
        takeStep(one);
        if (state.kind === 'fresh') expect(isCurrent()).toBe(true);
      }
      // Whatever happened before: if no more writes follow, two listings are enough to be fresh and up to date.
      for (const step of ['finish', 'begin', 'finish', 'begin', 'finish'] as const)
        takeStep(step === 'begin' ? { step, listing: true } : { step });
      expect(state.kind).toBe('fresh');
      expect(isCurrent()).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
