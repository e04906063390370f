import { badInput } from '../../core/errors.ts';
import { isHeader } from './csv-header.ts';
import { checkEncoding, MAX_LINE_BYTES, nextLine } from './csv-lines.ts';

/** The content of a CSV file of numbers. */
export interface NumberTable {
  /** names of the columns; null if the file has no header */
  readonly header: readonly string[] | null;
  readonly columns: number;
  readonly rows: number;
  /** (rows, columns) row-major; may contain nan and inf if the file does */
  readonly values: Float64Array;
}

/** Reads a CSV table with any number of columns: an optional header, then one line of numbers per row.
 *  @throws bad_input naming line and column, both from 1 */
export function parseNumberTable(bytes: Uint8Array): NumberTable {
  const decoder = new TextDecoder();
  let header: readonly string[] | null = null;
  let columns = 0;
  let values = new Float64Array(0);
  let filled = 0;
  let line = 0;
  for (let at = checkEncoding(bytes); at < bytes.length; ) {
    const { end, next, blank } = nextLine(bytes, at);
    if (end - at > MAX_LINE_BYTES) throw badInput(`line ${line + 1}: is longer than 1 MiB`);
    const start = at;
    at = next;
    line += 1;
    if (blank) continue;
    const cells = decoder.decode(bytes.subarray(start, end)).trim().split(',');
    if (columns === 0) {
      columns = cells.length;
      // A cell needs at least two bytes, including its separator.
      values = new Float64Array(Math.ceil((bytes.length - start + 1) / 2));
      if (isHeader(cells.map((cell) => cell.trim()))) {
        header = cells.map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
        continue;
      }
    }
    if (cells.length !== columns)
      throw badInput(`line ${line}: has ${cells.length} columns, but the lines before it have ${columns}`);
    for (const [column, cell] of cells.entries()) {
      const value = numberOf(cell.trim());
      if (value === null)
        throw badInput(`line ${line}, column ${column + 1}: ${JSON.stringify(cell.slice(0, 40))} is not a number`);
      values[filled++] = value;
    }
  }
  return { header, columns, rows: columns === 0 ? 0 : filled / columns, values: values.subarray(0, filled) };
}

function numberOf(text: string): number | null {
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(text)) return Number.NaN;
  return /^[+-]?(?:\d|\.\d)[\d.eE+-]*$/.test(text) && !Number.isNaN(Number(text)) ? Number(text) : null;
}
