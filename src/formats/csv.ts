import { badInput, StudioError } from '../core/errors.ts';
import { arrangeColumns } from './csv/arrange-columns.ts';
import type { CsvLayout } from './csv/csv-header.ts';
import { checkEncoding, count, NEWLINE, nextLine, noRows, readFirstLine, skipBlanks } from './csv/csv-lines.ts';
import { latin1, type NumberCell, readNotFinite, readNumber } from './csv/csv-number.ts';
import { readPlainRow } from './csv/plain-row.ts';
import { type RawClip, ROOT_COLUMNS } from './raw-clip.ts';

const COMMA = 44;
const SHOWN_CHARACTERS = 40;
/** Allocated memory for rows, as a multiple of the size that a file with lines of equal length needs. */
const SPARE = 1.05;
const GROWTH = 1.5;

export interface CsvOptions {
  /** name of the file in messages, such as `walk.csv` */
  readonly name?: string;
}

/** A clip, and the column layout of its file; the layout is null for the usual column order. */
export interface CsvClip extends RawClip {
  readonly layout: CsvLayout | null;
  /** true if a header names the root's columns */
  readonly namesRoot: boolean;
}

/** Reads a clip in CSV, one line per frame. The columns are `x,y,z,qx,qy,qz,qw,joint…` in m and rad, or in the order
 *  of a header (`csv-header.ts`). Accepts comments after `#` above the rows, a byte order mark, CRLF, spaces around
 *  numbers, and blank lines. Reads `nan`, `inf` and overflow as values that are not finite; the preview refuses them
 *  and the checks report their frames.
 *  @throws bad_input naming line and column, both from 1, and the remedy */
export function parseClipCsv(bytes: Uint8Array, options: CsvOptions = {}): CsvClip {
  try {
    return parse(bytes);
  } catch (error) {
    if (options.name === undefined || !(error instanceof StudioError)) throw error;
    throw new StudioError(error.code, `${options.name}: ${error.message}`, { cause: error });
  }
}

function parse(bytes: Uint8Array): CsvClip {
  let at = checkEncoding(bytes);
  let line = 1;
  for (; bytes[at] === NEWLINE; at += 1) line += 1;
  let first = nextLine(bytes, at);
  while ((first.blank || first.comment) && first.next <= bytes.length) {
    at = first.next;
    line += 1;
    first = nextLine(bytes, at);
  }
  if (first.blank || first.comment) throw noRows();
  const { columns, header, layout, namesRoot, jointNames } = readFirstLine(bytes, at, first.end, line);
  if (header) {
    at = first.next;
    line += 1;
  }
  let rows = new Float64Array(roomFor(bytes, at, columns));
  const cell: NumberCell = { value: 0, end: 0 };
  const lastBreak = bytes.lastIndexOf(NEWLINE);
  let filled = 0;
  for (; at < bytes.length; line += 1) {
    if (filled + columns > rows.length) rows = enlarged(rows, columns);
    const next = at <= lastBreak ? readPlainRow(bytes, at, columns, rows, filled) : -1;
    if (next >= 0) {
      filled += columns;
      at = next;
      continue;
    }
    at = skipBlanks(bytes, at);
    if (at < bytes.length && bytes[at] !== NEWLINE) {
      for (let column = 1; column <= columns; column += 1) {
        if (!readNumber(bytes, at, bytes.length, cell) && !readNotFinite(bytes, at, bytes.length, cell))
          throw badCell(bytes, at, line, column, columns);
        let end = cell.end;
        let separator = end < bytes.length ? bytes[end]! : NEWLINE;
        if (separator !== COMMA && separator !== NEWLINE) {
          end = skipBlanks(bytes, end);
          separator = end < bytes.length ? bytes[end]! : NEWLINE;
          if (separator !== COMMA && separator !== NEWLINE) throw badCell(bytes, at, line, column, columns);
        }
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
  const frames = filled / columns;
  const facts = { frames, fps: null, jointNames, layout, namesRoot };
  if (!layout) return { ...facts, rows: rows.subarray(0, filled), columns };
  return {
    ...facts,
    rows: arrangeColumns(rows, frames, columns, layout),
    columns: ROOT_COLUMNS + layout.jointsAt.length,
  };
}

/** Returns the expected number of cells in the rest of a file, if all lines are as long as the first one, plus a small
 *  reserve. */
function roomFor(bytes: Uint8Array, at: number, columns: number): number {
  const length = Math.max(2 * columns, nextLine(bytes, at).next - at);
  return columns * (Math.ceil((SPARE * (bytes.length - at)) / length) + 1);
}

function enlarged(rows: Float64Array<ArrayBuffer>, columns: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(columns * Math.ceil((GROWTH * rows.length) / columns));
  larger.set(rows);
  return larger;
}

function ragged(line: number, column: number, columns: number, fileEnds: boolean): StudioError {
  if (column === columns)
    return badInput(
      `line ${line}, column ${columns + 1}: the line has more values than the lines before it (${count(columns)}). Remove the extra values.`,
    );
  const remedy = fileEnds ? 'The file may be truncated: copy it again.' : 'Complete or remove that line.';
  return badInput(
    `line ${line}, column ${column + 1}: ${count(column)}, expected ${columns} as in the lines before. ${remedy}`,
  );
}

/** Returns an error that describes the problem of the cell that begins at `at`. */
function badCell(bytes: Uint8Array, at: number, line: number, column: number, columns: number): StudioError {
  let end = at;
  while (end < bytes.length && bytes[end] !== COMMA && bytes[end] !== NEWLINE) end += 1;
  const text = latin1(bytes, at, Math.min(end, at + SHOWN_CHARACTERS)).trim();
  const place = `line ${line}, column ${column}`;
  if (text === '') {
    const lineEnds = end >= bytes.length || bytes[end] === NEWLINE;
    if (lineEnds && column > 1)
      return badInput(
        `${place}: the line ends with a comma, so column ${column} of ${columns} is empty. Write a number there.`,
      );
    return badInput(`${place}: the cell is empty. Write a number there.`);
  }
  const shown = JSON.stringify(text.replace(/[^\x20-\x7e]/g, '?'));
  return badInput(`${place}: ${shown} is not a number. Write a plain decimal such as -0.125.`);
}

/** Numbers of decimals to try in this order. With the last one, the error of any value is at most 5e-8. */
const DECIMALS = [6, 7] as const;
const ROUND_TRIP = 1e-7;

/** Formats a clip without a header. Uses six decimals, or seven if values with six decimals differ by more than 1e-7
 *  when read back.
 *  @param rows (frames, columns), all finite  @param columns number of values per row */
export function formatClipCsv(rows: ArrayLike<number>, columns: number): string {
  if (!Number.isInteger(columns) || columns < 1 || rows.length % columns !== 0)
    throw new RangeError(`${rows.length} values are not a multiple of ${columns} columns`);
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
