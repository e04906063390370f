import { badInput } from '../../core/errors.ts';
import { PageBytes } from './page-bytes.ts';

/** Maximum number of pages of one column in one row group. Writers create one page per MiB or per 20,000 values. */
const MAX_PAGES = 1 << 16;
/** Maximum number of bits of a level or of an index into a dictionary. */
const MAX_BITS = 32;
/** Maximum number of values of a block of differences. Writers use 128. */
const MAX_BLOCK = 1 << 16;
/** Bit-packed runs consist of groups of 8 values, so the last run of a page may have up to 7 values too many. */
const PADDING = 7;

/** Page types and encodings of the format. The index in the list is the number in the file. */
const PAGE_TYPES = ['DATA_PAGE', 'INDEX_PAGE', 'DICTIONARY_PAGE', 'DATA_PAGE_V2'] as const;
const ENCODINGS = [
  'PLAIN',
  'GROUP_VAR_INT',
  'PLAIN_DICTIONARY',
  'RLE',
  'BIT_PACKED',
  'DELTA_BINARY_PACKED',
  'DELTA_LENGTH_BYTE_ARRAY',
  'DELTA_BYTE_ARRAY',
  'RLE_DICTIONARY',
  'BYTE_STREAM_SPLIT',
] as const;
/** Encodings of numbers whose decoded length is known from the number of values. */
const READ = new Set<unknown>([
  'PLAIN',
  'PLAIN_DICTIONARY',
  'RLE',
  'RLE_DICTIONARY',
  'DELTA_BINARY_PACKED',
  'BYTE_STREAM_SPLIT',
]);

/** One column in one row group, as the footer describes it. */
export interface ColumnChunk {
  /** number of values, including nulls */
  readonly values: number;
  /** maximum size of all pages together, decompressed, bytes */
  readonly maxBytes: number;
  /** largest repetition and definition level of the column */
  readonly repetition: number;
  readonly definition: number;
  /** Decompresses a page. The decompressed size has been checked before. */
  readonly unpack: (input: Uint8Array, bytes: number) => Uint8Array;
}

/** Checks the pages of a column before they are decoded: their number, their sizes, and the lengths of the runs that
 *  encode levels and indices. Without this, one damaged number makes a decoder loop for billions of values.
 *  @param bytes all pages of the column  @throws bad_input naming the page */
export function checkPages(bytes: Uint8Array, chunk: ColumnChunk): void {
  const reader = new PageBytes(bytes);
  let [values, unpacked] = [0, 0];
  // The decoder also ignores a single remaining byte.
  for (let page = 1; reader.left > 1; page += 1) {
    if (page > MAX_PAGES)
      throw badInput(`a column has more than ${MAX_PAGES} pages in one row group. Write larger pages.`);
    const refuse = (problem: string) => badInput(`page ${page} of a column ${problem}: the file is damaged`);
    const header = readHeader(reader, refuse);
    unpacked += header.unpacked;
    if (unpacked > chunk.maxBytes)
      throw refuse(`expands to ${unpacked} bytes, but the column has at most ${chunk.maxBytes}`);
    const content = reader.take(header.packed);
    if (content === null) throw refuse(`claims ${header.packed} bytes, but the column ends earlier`);
    if (header.type === 'DICTIONARY_PAGE') {
      // Every entry needs at least one byte.
      if (header.values > header.unpacked) throw refuse(`claims ${header.values} entries in ${header.unpacked} bytes`);
      continue;
    }
    values += header.values;
    if (values > chunk.values) throw refuse(`has value number ${values}, but the column has ${chunk.values} values`);
    checkRuns(content, header, chunk, refuse);
  }
}

type Refuse = (problem: string) => Error;

interface PageHeader {
  readonly type: (typeof PAGE_TYPES)[number];
  /** sizes of the content in the file and decompressed, bytes */
  readonly packed: number;
  readonly unpacked: number;
  /** number of values, including nulls; for a dictionary page, the number of entries */
  readonly values: number;
  readonly encoding: (typeof ENCODINGS)[number];
  /** only in pages of version 2: sizes of the levels, bytes, and whether the values are compressed; otherwise null */
  readonly levels: { readonly repetition: number; readonly definition: number; readonly isPacked: boolean } | null;
}

/** Reads the fields of the page header and of the header of its page type, by their numbers in the format's
 *  definition. */
function readHeader(reader: PageBytes, refuse: Refuse): PageHeader {
  const fields = reader.struct();
  if (fields === null) throw refuse('has an unreadable header');
  const size = (of: typeof fields, field: number) => {
    const value = of.get(field);
    if (typeof value !== 'number' || value < 0) throw refuse(`has ${String(value)} in field ${field} of its header`);
    return value;
  };
  const type = PAGE_TYPES[size(fields, 1)];
  const own = fields.get(type === 'DATA_PAGE' ? 5 : type === 'DICTIONARY_PAGE' ? 7 : 8);
  if (type === undefined || type === 'INDEX_PAGE' || !(own instanceof Map)) throw refuse('has no readable type');
  const isNew = type === 'DATA_PAGE_V2';
  const values = size(own, 1);
  const encoding = ENCODINGS[size(own, isNew ? 4 : 2)];
  if (encoding === undefined || !READ.has(encoding))
    throw badInput(
      `a column has the encoding ${encoding ?? 'unknown'}, which is not supported. Write it with the default encodings.`,
    );
  if (isNew && Math.max(size(own, 2), size(own, 3)) > values) throw refuse('has more nulls or rows than values');
  return {
    type,
    packed: size(fields, 3),
    unpacked: size(fields, 2),
    values,
    encoding,
    levels: isNew ? { definition: size(own, 5), repetition: size(own, 6), isPacked: own.get(7) !== false } : null,
  };
}

/** Checks the runs of the levels and of the values of a data page. */
function checkRuns(content: Uint8Array, header: PageHeader, chunk: ColumnChunk, refuse: Refuse): void {
  const { levels, values, encoding, unpacked } = header;
  const check = (bytes: PageBytes, bits: number, isWhole: boolean) => {
    if (bits > MAX_BITS) throw refuse(`has indices of ${bits} bits`);
    if (!areRunsShort(bytes, bits, values, isWhole)) throw refuse(`has runs that do not add up to ${values} values`);
  };
  const widths = [chunk.repetition, chunk.definition].map((most) => 32 - Math.clz32(most));
  let data: PageBytes;
  if (levels === null) {
    data = new PageBytes(chunk.unpack(content, unpacked));
    for (const bits of widths.filter((width) => width > 0)) {
      const length = data.uint32();
      const runs = length === null ? null : data.take(length);
      if (runs === null) throw refuse('has levels beyond its end');
      check(new PageBytes(runs), bits, true);
    }
  } else {
    const reader = new PageBytes(content);
    const runs = [reader.take(levels.repetition), reader.take(levels.definition)];
    for (const [k, bits] of widths.entries()) {
      const own = runs[k];
      if (own == null) throw refuse('has levels beyond its end');
      if (bits > 0) check(new PageBytes(own), bits, true);
    }
    const bytes = unpacked - levels.repetition - levels.definition;
    if (bytes < 0) throw refuse('has levels beyond its end');
    const rest = reader.take(reader.left)!;
    data = new PageBytes(levels.isPacked ? chunk.unpack(rest, bytes) : rest);
  }
  if (values === 0) return;
  if (encoding === 'RLE') {
    if (levels === null) data.uint32();
    check(data, 1, false);
  } else if (encoding.endsWith('DICTIONARY')) {
    const bits = data.byte() ?? 0;
    if (bits > 0 || levels !== null) check(data, bits, false);
  } else if (encoding === 'DELTA_BINARY_PACKED') {
    const [block, parts] = [data.varint(), data.varint()];
    if (block === null || parts === null || parts < 1 || parts > block || block > MAX_BLOCK)
      throw refuse(`has blocks of ${block} values in ${parts} parts`);
  }
}

/** Returns whether the runs of a run-length encoding contain at most `count` values. A repeated value begins with twice
 *  the length of its run; bit-packed groups of 8 values begin with twice the number of groups plus 1. @param isWhole
 *  true: they must contain exactly `count` values; false: there may be fewer, because nulls are omitted */
function areRunsShort(bytes: PageBytes, bits: number, count: number, isWhole: boolean): boolean {
  let seen = 0;
  while (seen < count && bytes.left > 0) {
    const head = bytes.varint();
    if (head === null) return false;
    const half = Math.floor(head / 2);
    const isPacked = head % 2 === 1;
    const length = isPacked ? 8 * half : half;
    if (length > count - seen + PADDING) return false;
    seen += length;
    bytes.take(Math.min(bytes.left, isPacked ? half * bits : Math.ceil(bits / 8)));
  }
  return !isWhole || seen >= count;
}
