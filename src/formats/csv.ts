import { open } from 'node:fs/promises';
import { badInput, StudioError } from '../core/errors.ts';
import { headerJoints, isHeader } from './csv-header.ts';
import { latin1, type NumberCell, readNumber } from './csv-number.ts';
import { MIN_COLUMNS, type RawClip } from './raw-clip.ts';

const NEWLINE = 10;
const COMMA = 44;
const CHUNK_BYTES = 256 * 1024;
/** A first line longer than this is no clip: 36 columns take about 350 bytes. */
const MAX_LINE_BYTES = 1024 * 1024;
const SHOWN_CHARACTERS = 40;

export interface CsvOptions {
  /** what messages call the file, such as `walk.csv` */
  readonly name?: string;
}

/** Reads a clip: comma separated, one line per frame, `x,y,z,qx,qy,qz,qw,joint…` in m and rad. A header line, a byte
 *  order mark, CRLF, blanks around numbers and blank lines are tolerated.
 *  @throws bad_input naming line and column, both from 1, and what to do */
export function parseClipCsv(bytes: Uint8Array, options: CsvOptions = {}): RawClip {
  try {
    return parse(bytes);
  } catch (error) {
    if (options.name === undefined || !(error instanceof StudioError)) throw error;
    throw new StudioError(error.code, `${options.name}: ${error.message}`, { cause: error });
  }
}

function parse(bytes: Uint8Array): RawClip {
  let at = checkEncoding(bytes);
  let line = 1;
  let first = nextLine(bytes, at);
  while (first.blank && first.next <= bytes.length) {
    at = first.next;
    line += 1;
    first = nextLine(bytes, at);
  }
  if (first.blank) throw noRows();
  const { columns, header, jointNames } = readFirstLine(bytes, at, first.end, line);
  if (header) {
    at = first.next;
    line += 1;
  }
  // A cell takes two bytes with its separator, so a file of blank lines below one wide line allocates no more than that.
  const room = Math.min(countNewlines(bytes, at) + 1, Math.ceil((bytes.length - at + 1) / 2 / columns)) * columns;
  const rows = new Float64Array(room);
  const cell: NumberCell = { value: 0, end: 0 };
  let filled = 0;
  for (; at < bytes.length; line += 1) {
    at = skipBlanks(bytes, at);
    if (at < bytes.length && bytes[at] !== NEWLINE) {
      for (let column = 1; column <= columns; column += 1) {
        if (!readNumber(bytes, at, bytes.length, cell)) throw badCell(bytes, at, line, column, columns);
        const end = skipBlanks(bytes, cell.end);
        const separator = end < bytes.length ? bytes[end]! : NEWLINE;
        if (separator !== COMMA && separator !== NEWLINE) throw badCell(bytes, at, line, column, columns);
        if (!Number.isFinite(cell.value)) throw badCell(bytes, at, line, column, columns);
        if (separator === NEWLINE ? column < columns : column === columns)
          throw ragged(line, column, columns, end >= bytes.length);
        rows[filled] = cell.value;
        filled += 1;
        at = column < columns ? skipBlanks(bytes, end + 1) : end;
      }
    }
    at += 1;
  }
  if (filled === 0) throw noRows();
  return {
    rows: filled === rows.length ? rows : rows.slice(0, filled),
    frames: filled / columns,
    columns,
    fps: null,
    jointNames,
  };
}

/** Index behind a UTF-8 byte order mark. */
function checkEncoding(bytes: Uint8Array): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) throw badInput('line 1, column 1: the file is UTF-16 text; save it as UTF-8');
  return 0;
}

/** Ends of the line at `at`: `end` of its content, `next` line's start (beyond the bytes after the last line). */
function nextLine(bytes: Uint8Array, at: number): { end: number; next: number; blank: boolean } {
  const newline = bytes.indexOf(NEWLINE, at);
  const end = newline < 0 ? bytes.length : newline;
  return { end, next: end + 1, blank: skipBlanks(bytes, at) >= end };
}

/** Index of the first byte from `at` on that is no space, tab or carriage return. */
function skipBlanks(bytes: Uint8Array, at: number): number {
  let index = at;
  while (index < bytes.length) {
    const byte = bytes[index]!;
    if (byte !== 32 && byte !== 9 && byte !== 13) break;
    index += 1;
  }
  return index;
}

function countNewlines(bytes: Uint8Array, from: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

interface FirstLine {
  readonly columns: number;
  readonly header: boolean;
  readonly jointNames: readonly string[] | null;
}

function readFirstLine(bytes: Uint8Array, start: number, end: number, line: number): FirstLine {
  if (end - start > MAX_LINE_BYTES)
    throw badInput(`line ${line}: the line is longer than 1 MiB; a clip has one line of numbers per frame`);
  const text = new TextDecoder().decode(bytes.subarray(start, end)).trim();
  const cells = text
    .replace(/^#\s*/, '')
    .split(',')
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const header = text.startsWith('#') || isHeader(cells);
  if (cells.length < MIN_COLUMNS) {
    const separated = /[;\t]/.test(text) || text.split(/\s+/).length >= MIN_COLUMNS;
    throw badInput(
      `line ${line}, column ${cells.length}: the line ends after ${count(cells.length)}; ${
        separated ? 'separate the columns with commas' : 'a clip has at least 8: x, y, z, qx, qy, qz, qw, one per joint'
      }`,
    );
  }
  return { columns: cells.length, header, jointNames: header ? headerJoints(cells, line) : null };
}

function count(columns: number): string {
  return columns === 1 ? '1 column' : `${columns} columns`;
}

function noRows(): StudioError {
  return badInput('line 1, column 1: the file holds no rows; a clip has one line of numbers per frame');
}

function ragged(line: number, column: number, columns: number, fileEnds: boolean): StudioError {
  if (column === columns)
    return badInput(
      `line ${line}, column ${columns + 1}: the line goes on after ${count(columns)}, which the lines before it have; remove what is too much`,
    );
  const remedy = fileEnds ? 'the file may be cut off: copy it again' : 'complete or remove that line';
  return badInput(
    `line ${line}, column ${column + 1}: the line ends after ${count(column)} of the ${columns} that the lines before it have; ${remedy}`,
  );
}

/** Says what is wrong with the cell that begins at `at`. */
function badCell(bytes: Uint8Array, at: number, line: number, column: number, columns: number): StudioError {
  let end = at;
  while (end < bytes.length && bytes[end] !== COMMA && bytes[end] !== NEWLINE) end += 1;
  const text = latin1(bytes, at, Math.min(end, at + SHOWN_CHARACTERS)).trim();
  const place = `line ${line}, column ${column}`;
  if (text === '') {
    const lineEnds = end >= bytes.length || bytes[end] === NEWLINE;
    if (lineEnds && column > 1)
      return badInput(
        `${place}: the line ends in a comma, column ${column} of ${columns} is empty; write a number there`,
      );
    return badInput(`${place}: the cell is empty; write a number there`);
  }
  const shown = JSON.stringify(text.replace(/[^\x20-\x7e]/g, '?'));
  const finite = /^[+-]?(?:nan|inf|infinity)$/i.test(text) || Math.abs(Number(text)) === Number.POSITIVE_INFINITY;
  if (finite) return badInput(`${place}: ${shown} is not a finite number; repair or remove that frame`);
  return badInput(`${place}: ${shown} is not a number; write a plain decimal such as -0.125`);
}

/** Decimals tried, fewest first; the last is within 5e-8 of any value. */
const DECIMALS = [6, 7] as const;
const ROUND_TRIP = 1e-7;

/** Text of a clip, no header, six or seven decimals: whichever reads back within 1e-7.
 *  @param rows (frames, columns), all finite  @param columns of a row */
export function formatClipCsv(rows: ArrayLike<number>, columns: number): string {
  if (!Number.isInteger(columns) || columns < 1 || rows.length % columns !== 0)
    throw new RangeError(`${rows.length} values do not fill rows of ${columns} columns`);
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += columns) {
    const cells: string[] = [];
    for (let column = 0; column < columns; column += 1) cells.push(formatCell(rows[start + column]!));
    lines.push(`${cells.join(',')}\n`);
  }
  return lines.join('');
}

function formatCell(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written to a clip`);
  let text = '';
  for (const decimals of DECIMALS) {
    text = value.toFixed(decimals);
    if (Math.abs(Number(text) - value) <= ROUND_TRIP) break;
  }
  return /^-0\.0+$/.test(text) ? text.slice(1) : text;
}

/** What a listing shows of a CSV clip. */
export interface CsvFacts {
  readonly frames: number;
  readonly columns: number;
  readonly jointNames: readonly string[] | null;
}

/** Counts the rows of a clip without reading their numbers; memory does not grow with the file.
 *  @throws bad_input where the first line is no clip's */
export async function csvFacts(file: string): Promise<CsvFacts> {
  const handle = await open(file, 'r');
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    let first: FirstLine | null = null;
    let head = new Uint8Array(0);
    let lines = 0;
    let lineHasContent = false;
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
      const bytes = chunk.subarray(0, bytesRead);
      const start = head.length === 0 ? checkEncoding(bytes) : 0;
      if (first === null) {
        head = concat(head, bytes);
        first = findFirstLine(head, bytesRead === 0);
      }
      if (bytesRead === 0) break;
      for (let at = start; at < bytes.length; ) {
        if (!lineHasContent) at = skipBlanks(bytes, at);
        if (at >= bytes.length) break;
        if (!lineHasContent && bytes[at] !== NEWLINE) {
          lineHasContent = true;
          lines += 1;
        }
        const newline = bytes.indexOf(NEWLINE, at);
        if (newline < 0) break;
        lineHasContent = false;
        at = newline + 1;
      }
    }
    if (first === null) throw noRows();
    const frames = lines - (first.header ? 1 : 0);
    if (frames === 0) throw noRows();
    return { frames, columns: first.columns, jointNames: first.jointNames };
  } finally {
    await handle.close();
  }
}

/** The first line with content, null while `head` may not hold all of it. */
function findFirstLine(head: Uint8Array, whole: boolean): FirstLine | null {
  let at = checkEncoding(head);
  for (let line = 1; at <= head.length; line += 1) {
    const { end, next, blank } = nextLine(head, at);
    const cut = next > head.length;
    if (cut && !whole && end - at <= MAX_LINE_BYTES) return null;
    if (!blank) return readFirstLine(head, at, end, line);
    at = next;
  }
  return null;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
