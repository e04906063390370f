import { expect, test } from 'vitest';
import { type ColumnChunk, checkPages } from '../../../src/formats/parquet/check-pages.ts';

const PLAIN = 0;
const DICTIONARY = 8;
const DELTA = 5;

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);
/** Encodes a structure of 32-bit numbers and structures in Thrift's compact protocol. */
function struct(fields: Readonly<Record<number, number | readonly number[]>>): number[] {
  let last = 0;
  const out = Object.entries(fields).flatMap(([id, value]) => {
    const step = Number(id) - last;
    last = Number(id);
    return typeof value === 'number' ? [16 * step + 5, ...zigzag(value)] : [16 * step + 12, ...value];
  });
  return [...out, 0];
}

interface Page {
  readonly values?: number;
  readonly encoding?: number;
  readonly content?: readonly number[];
  readonly packed?: number;
  readonly unpacked?: number;
}
/** Encodes a data page of version 1. */
function page({ values = 3, encoding = PLAIN, content = new Array<number>(24).fill(0), packed, unpacked }: Page = {}) {
  const own = struct({ 1: values, 2: encoding, 3: 3, 4: 3 });
  return [...struct({ 1: 0, 2: unpacked ?? content.length, 3: packed ?? content.length, 5: own }), ...content];
}

const COLUMN: ColumnChunk = { values: 3, maxBytes: 1000, repetition: 0, definition: 0, unpack: (input) => input };
const check =
  (bytes: readonly number[], chunk: Partial<ColumnChunk> = {}) =>
  () =>
    checkPages(Uint8Array.from(bytes), { ...COLUMN, ...chunk });
/** Levels of version 1: their length, then the runs. */
const levels = (runs: readonly number[]) => [runs.length, 0, 0, 0, ...runs];

test('pages that agree with their column are accepted', () => {
  expect(check(page())).not.toThrow();
  expect(check([...page({ values: 1, content: new Array<number>(8).fill(0) }), ...page({ values: 2 })])).not.toThrow();
  // Two of three values are not null: one run of three levels, and one group of 8 indices of 2 bits.
  const content = [...levels([2 * 3, 1]), 2, 3, 0, 0];
  expect(check(page({ encoding: DICTIONARY, content }), { definition: 1 })).not.toThrow();
});

test.each<[string, readonly number[], Partial<ColumnChunk>, string]>([
  ['two billion values', page({ values: 2e9 }), {}, 'has value number 2000000000, but the column has 3'],
  ['a negative number of values', page({ values: -5 }), {}, 'has -5 in field 1'],
  ['a size beyond the column', page({ packed: 4000 }), {}, 'claims 4000 bytes, but the column ends earlier'],
  ['a negative size', page({ packed: -24 }), {}, 'has -24 in field 3'],
  [
    'more bytes than allowed when unpacked',
    page({ unpacked: 5000 }),
    {},
    'expands to 5000 bytes, but the column has at most 1000',
  ],
  [
    'a level that is repeated a billion times',
    page({ content: [...levels([...varint(2 * 1e9), 1]), ...new Array<number>(24).fill(0)] }),
    { definition: 1 },
    'has runs that do not add up to 3 values',
  ],
  [
    'levels that end early',
    page({ content: [...levels([2, 1]), 0, 0] }),
    { definition: 1 },
    'do not add up to 3 values',
  ],
  [
    'indices repeated a billion times',
    page({ encoding: DICTIONARY, content: [2, ...varint(2e9), 1] }),
    {},
    'do not add up to 3',
  ],
  ['indices of 200 bits', page({ encoding: DICTIONARY, content: [200, 6, 1] }), {}, 'has indices of 200 bits'],
  [
    'two billion parts in a block',
    page({ encoding: DELTA, content: [...varint(128), ...varint(2e9), 3, 0] }),
    {},
    'parts',
  ],
  [
    'texts with common beginnings, whose size cannot be bounded',
    page({ encoding: 7 }),
    {},
    'has the encoding DELTA_BYTE_ARRAY',
  ],
  ['a number of more than 32 bits', [0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0], {}, 'has an unreadable header'],
  ['a header that does not end', [0x15, 0, 0x15], {}, 'has an unreadable header'],
])('a page with %s is refused', (_, bytes, chunk, text) => {
  expect(check(bytes, chunk)).toThrow(text);
});

test('a column of very many empty pages is refused', () => {
  const empty = page({ values: 0, content: [] });
  const many = Array.from({ length: 65_537 }, () => empty).flat();
  expect(check(many)).toThrow('more than 65536 pages');
});
