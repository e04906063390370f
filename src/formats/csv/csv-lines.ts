import { badInput, StudioError } from '../../core/errors.ts';
import { MIN_COLUMNS } from '../raw-clip.ts';
import { type CsvHeader, type CsvLayout, isHeader, isNumbering, readHeader } from './csv-header.ts';

export const NEWLINE = 10;
const COMMA = 44;
const HASH = 35;
/** Maximum length of the first line, bytes. A line of 36 columns has about 350 bytes. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** Returns the index after a UTF-8 byte order mark; 0 without a mark. @throws bad_input for UTF-16 */
export function checkEncoding(bytes: Uint8Array): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) throw badInput('line 1, column 1: the file is UTF-16 text. Save it as UTF-8.');
  return 0;
}

/** Returns the `end` of the line that begins at `at`, and the start of the `next` line. After the last line, `next`
 *  is beyond the bytes. */
export function nextLine(
  bytes: Uint8Array,
  at: number,
): { end: number; next: number; blank: boolean; comment: boolean } {
  const newline = bytes.indexOf(NEWLINE, at);
  const end = newline < 0 ? bytes.length : newline;
  const start = skipBlanks(bytes, at);
  return { end, next: end + 1, blank: start >= end, comment: bytes[start] === HASH && isRemark(bytes, start, end) };
}

/** Returns true if a line that begins with `#` is a comment. A line with enough cells to name the columns is a
 *  header. */
function isRemark(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > MAX_LINE_BYTES) return false;
  let cells = 1;
  for (let at = start; at < end && cells < MIN_COLUMNS; at += 1) if (bytes[at] === COMMA) cells += 1;
  return cells < MIN_COLUMNS;
}

/** Returns the index of the first byte at or after `at` that is not a space, tab or carriage return. */
export function skipBlanks(bytes: Uint8Array, at: number): number {
  let index = at;
  while (index < bytes.length) {
    const byte = bytes[index]!;
    if (byte !== 32 && byte !== 9 && byte !== 13) break;
    index += 1;
  }
  return index;
}

/** Layout of a clip, derived from its first line with content. `columns` is the number of columns in the file. */
export interface FirstLine extends CsvHeader {
  readonly columns: number;
  readonly header: boolean;
}

/** Parses the first line with content. @param line line number, from 1
 *  @throws bad_input if it is not a line of a clip */
export function readFirstLine(bytes: Uint8Array, start: number, end: number, line: number): FirstLine {
  if (end - start > MAX_LINE_BYTES)
    throw badInput(`line ${line}: the line is longer than 1 MiB. A clip has one line of numbers per frame.`);
  const text = new TextDecoder().decode(bytes.subarray(start, end)).trim();
  const cells = text
    .replace(/^#\s*/, '')
    .split(',')
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const header = text.startsWith('#') || isHeader(cells);
  if (cells.length < MIN_COLUMNS) {
    const separated = /[;\t]/.test(text) || text.split(/\s+/).length >= MIN_COLUMNS;
    throw badInput(
      `line ${line}, column ${cells.length}: the line has only ${count(cells.length)}; ${
        separated ? 'separate the columns with commas' : 'a clip has at least 8: x, y, z, qx, qy, qz, qw, one per joint'
      }`,
    );
  }
  if (cells[0] === '' && isNumbering(cells.slice(1)))
    throw badInput(
      `line ${line}, column 1: the first column numbers the rows, and the others have no names. Write the file without row numbers: to_csv(…, index=False).`,
    );
  if (isNumbering(cells)) return { columns: cells.length, header: true, ...NO_NAMES };
  return { columns: cells.length, header, ...(header ? readHeader(cells, line) : NO_NAMES) };
}

const NO_NAMES: CsvHeader = { layout: null, namesRoot: false, jointNames: null };

/** Returns the layout that the header of a file states; null if the header is missing or cannot be read.
 *  @param head first bytes of the file */
export function headLayout(head: Uint8Array): CsvLayout | null {
  try {
    let at = checkEncoding(head);
    while (at < head.length) {
      const { end, next, blank, comment } = nextLine(head, at);
      if (!blank && !comment) return readFirstLine(head, at, end, 1).layout;
      at = next;
    }
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
  }
  return null;
}

/** Formats a number of columns for messages: `36 columns`. */
export function count(columns: number): string {
  return columns === 1 ? '1 column' : `${columns} columns`;
}

/** Returns the error for a file without frames. */
export function noRows(): StudioError {
  return badInput('line 1, column 1: the file has no rows. A clip has one line of numbers per frame.');
}
