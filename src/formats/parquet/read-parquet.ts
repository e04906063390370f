import path from 'node:path';
import * as zlib from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { type ByteSource, openBytes } from '../byte-source.ts';
import { type ColumnChunk, checkPages } from './check-pages.ts';

const MIB = 1 << 20;
/** Maximum size of the footer (metadata at the end of a file), bytes. Datasets of a million rows need a few MiB. */
const MAX_FOOTER_BYTES = 64 * MIB;
/** Maximum size of one column in one row group, bytes, both compressed and decompressed. */
const MAX_CHUNK_BYTES = 256 * MIB;
/** Maximum number of values of one column in one row group. */
const MAX_CHUNK_VALUES = 1 << 25;
/** Maximum depth of a nested column. A list has two levels. */
const MAX_DEPTH = 8;
/** Physical types of columns that are supported. */
const NUMBERS = new Set(['BOOLEAN', 'INT32', 'INT64', 'FLOAT', 'DOUBLE']);
/** Size of the end of the file: the length of the footer, then `PAR1`. */
const TAIL_BYTES = 8;
const MAGIC = 'PAR1';

/** A range of rows. */
export interface RowRange {
  readonly from: number;
  /** end of the range, exclusive */
  readonly to: number;
}

/** An open Parquet file. */
export interface ParquetFile {
  readonly columns: ReadonlySet<string>;
  readonly groups: readonly RowRange[];
  /** Reads some rows. Memory is needed for all row groups that contain these rows, but only for the requested
   *  columns.
   *  @returns for each row the values of `columns`: numbers, bigints, booleans, lists of these, or null
   *  @throws bad_input for a damaged file, one that exceeds the limits, or a column with values of another type */
  read(columns: readonly string[], range: RowRange): Promise<unknown[][]>;
}

/** Opens a Parquet file for the duration of `use`. Checks all sizes before data is decompressed.
 *  @throws bad_input naming the file and the problem */
export async function withParquet<T>(file: string, use: (parquet: ParquetFile) => Promise<T>): Promise<T> {
  const name = path.basename(file);
  const source = await openBytes(file);
  try {
    const buffer = bufferOf(source);
    const { metadata, columns } = await inWords(name, async () => {
      await checkFooter(source);
      const found = await parquetMetadataAsync(buffer, { geoparquet: false });
      // A damaged schema makes the package throw here, or refer to children that are missing.
      return { metadata: found, columns: new Set(parquetSchema(found).children.map(({ element }) => element.name)) };
    });
    const groups = groupsOf(metadata);
    return await use({
      columns,
      groups,
      read: (columns, range) =>
        inWords(name, async () => {
          for (const chunk of checkedChunks(metadata, groups, columns, range)) {
            const bytes = await source.read(chunk.start, chunk.bytes);
            checkPages(bytes, { ...chunk, maxBytes: MAX_CHUNK_BYTES });
          }
          let rows: unknown[][] = [];
          await parquetRead({
            file: buffer,
            metadata,
            columns: [...columns],
            rowStart: range.from,
            rowEnd: range.to,
            compressors: COMPRESSORS,
            onComplete: (read) => {
              rows = read as unknown[][];
            },
          });
          return rows;
        }),
    });
  } finally {
    await source.close();
  }
}

/** Adapts `ByteSource`, which allows one read at a time, to the Parquet package, which requests several ranges at
 *  once. */
function bufferOf(source: ByteSource): AsyncBuffer {
  let last: Promise<unknown> = Promise.resolve();
  return {
    byteLength: source.size,
    slice(start, end = source.size) {
      const read = async () => {
        const { buffer, byteOffset, byteLength } = await source.read(start, end - start);
        return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
      };
      const next = last.then(read, read);
      last = next;
      return next;
    },
  };
}

async function checkFooter(source: ByteSource): Promise<void> {
  const tail = source.size < TAIL_BYTES ? null : await source.read(source.size - TAIL_BYTES, TAIL_BYTES);
  if (tail?.toString('latin1', 4) !== MAGIC)
    throw badInput('is not a Parquet file, or it is truncated. Copy it again. Files of git-lfs must be fetched first.');
  const bytes = tail.readUInt32LE(0);
  if (bytes > MAX_FOOTER_BYTES) throw badInput(`its footer claims ${bytes} bytes, the limit is ${MAX_FOOTER_BYTES}`);
}

function groupsOf({ row_groups }: FileMetaData): RowRange[] {
  let from = 0;
  return row_groups.map(({ num_rows }) => {
    const range = { from, to: from + Number(num_rows) };
    from = range.to;
    return range;
  });
}

/** One column in one row group: its place in the file, and the values that its pages must match. */
interface CheckedChunk extends Omit<ColumnChunk, 'maxBytes'> {
  readonly start: number;
  readonly bytes: number;
}

/** Returns the columns that a read needs. @throws bad_input for a column whose declared size exceeds the limits, or
 *  that contains anything but numbers */
function checkedChunks(
  metadata: FileMetaData,
  groups: readonly RowRange[],
  columns: readonly string[],
  range: RowRange,
): CheckedChunk[] {
  const schema = parquetSchema(metadata);
  const chunks: CheckedChunk[] = [];
  for (const [k, { from, to }] of groups.entries()) {
    if (to <= range.from || from >= range.to) continue;
    for (const { meta_data: chunk } of metadata.row_groups[k]!.columns) {
      const column = chunk?.path_in_schema[0];
      if (!chunk || column === undefined || !columns.includes(column)) continue;
      const bytes = Math.max(Number(chunk.total_compressed_size), Number(chunk.total_uncompressed_size));
      const values = Number(chunk.num_values);
      if (bytes > MAX_CHUNK_BYTES || values > MAX_CHUNK_VALUES)
        throw badInput(
          `column "${column}" has ${values} values in ${bytes} bytes in one row group. The limits are ${MAX_CHUNK_VALUES} values and ${MAX_CHUNK_BYTES} bytes. Write smaller row groups.`,
        );
      // Every row has at least one value, which is a null if the row is empty.
      if (!(to - from <= values)) throw badInput(`column "${column}" has ${values} values for ${to - from} rows`);
      if (!NUMBERS.has(chunk.type)) throw badInput(`column "${column}" contains ${chunk.type}, expected numbers`);
      const unpack = chunk.codec === 'UNCOMPRESSED' ? (input: Uint8Array) => input : COMPRESSORS[chunk.codec];
      if (!unpack)
        throw badInput(
          `column "${column}" is compressed with ${chunk.codec}, which is not supported. Write it with snappy.`,
        );
      chunks.push({
        start: Number(chunk.dictionary_page_offset || chunk.data_page_offset),
        bytes: Number(chunk.total_compressed_size),
        values,
        ...levelsOf(schema, chunk.path_in_schema),
        unpack,
      });
    }
  }
  return chunks;
}

/** Returns the largest repetition and definition levels of a column. */
function levelsOf(schema: SchemaTree, path: readonly string[]): Pick<ColumnChunk, 'repetition' | 'definition'> {
  const name = path.join('.');
  if (path.length > MAX_DEPTH)
    throw badInput(`column "${name}" is nested ${path.length} levels deep, the limit is ${MAX_DEPTH}`);
  let [node, repetition, definition] = [schema, 0, 0];
  for (const part of path) {
    const child = node.children.find(({ element }) => element.name === part);
    if (!child) throw badInput(`column "${name}" is missing in the schema`);
    if (child.element.repetition_type === 'REPEATED') repetition += 1;
    if (child.element.repetition_type !== 'REQUIRED') definition += 1;
    node = child;
  }
  return { repetition, definition };
}

type Unpack = (input: Uint8Array, outputLength: number) => Uint8Array;
type NodeUnpack = (input: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Only newer versions of Node support zstd. The type declarations are those of the oldest supported version. */
const zstd = (zlib as { zstdDecompressSync?: NodeUnpack }).zstdDecompressSync;

const COMPRESSORS: Compressors = {
  SNAPPY: bounded((input, outputLength) => {
    const output = new Uint8Array(outputLength);
    snappyUncompress(input, output);
    return output;
  }),
  GZIP: bounded(ofNode(zlib.gunzipSync)),
  BROTLI: bounded(ofNode(zlib.brotliDecompressSync)),
  ZSTD: bounded(
    zstd
      ? ofNode(zstd)
      : () => {
          throw badInput(
            'is compressed with zstd, which requires Node 22.15 or later. Update Node, or write it with snappy.',
          );
        },
  ),
};

/** Also checks the size that a page states, because the check of the footer does not include it. */
function bounded(unpack: Unpack): Unpack {
  return (input, outputLength) => {
    if (!(outputLength >= 0 && outputLength <= MAX_CHUNK_BYTES))
      throw badInput(`a page claims ${outputLength} bytes, the limit is ${MAX_CHUNK_BYTES}`);
    return outputLength === 0 ? new Uint8Array(0) : unpack(input, outputLength);
  };
}

function ofNode(unpack: NodeUnpack): Unpack {
  return (input, maxOutputLength) => unpack(input, { maxOutputLength });
}

/** Adds the file name to errors. All errors of the Parquet package concern the content of the file, its only input. */
async function inWords<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StudioError) throw new StudioError(error.code, `${name}: ${error.message}`, { cause: error });
    if (typeof (error as NodeJS.ErrnoException).syscall === 'string') throw error;
    throw new StudioError('bad_input', `${name}: cannot be read as Parquet: ${messageOf(error)}`, { cause: error });
  }
}
