import { open } from 'node:fs/promises';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { ROOT_COLUMNS } from '../raw-clip.ts';
import type { CsvLayout } from './csv-header.ts';
import {
  checkEncoding,
  type FirstLine,
  MAX_LINE_BYTES,
  NEWLINE,
  nextLine,
  noRows,
  readFirstLine,
  skipBlanks,
} from './csv-lines.ts';
import { latin1 } from './csv-number.ts';

const CHUNK_BYTES = 256 * 1024;
/** Buffer that is reused for the next file. A scan reads a hundred thousand files, and the garbage collector would free
 *  separate buffers too late. */
let spare: Uint8Array | null = null;

/** Properties of a CSV clip for a listing. */
export interface CsvFacts {
  readonly frames: number;
  /** 7 + joints */
  readonly columns: number;
  /** column layout that the header states; null for the usual column order */
  readonly layout: CsvLayout | null;
  /** true if a header names the root's columns */
  readonly namesRoot: boolean;
  /** null if the file has no header, or if its header does not name the joints */
  readonly jointNames: readonly string[] | null;
  /** line (from 1) of the first nan or inf; absent if all numbers are finite */
  readonly notFinite?: number;
}

/** Reads the properties of a clip and counts its rows, in constant memory and without parsing the numbers.
 *  @throws bad_input if the first line is not a line of a clip */
export async function csvFacts(file: string): Promise<CsvFacts> {
  const handle = await open(file, READ_FLAGS);
  const chunk = spare ?? new Uint8Array(CHUNK_BYTES);
  spare = null;
  try {
    const header = new FirstLineFinder();
    const lines = new LineCounter();
    let notFinite: number | null = null;
    let offset = 0;
    for (let isStart = true; ; isStart = false) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
      const bytes = chunk.subarray(isStart ? checkEncoding(chunk.subarray(0, bytesRead)) : 0, bytesRead);
      header.take(bytes, bytesRead === 0);
      const from = Math.max(0, header.above - offset);
      if (notFinite === null && header.found) notFinite = wordLine(bytes, from, lines.newlines + 1);
      lines.take(bytes);
      offset += bytes.length;
      if (bytesRead === 0) break;
    }
    const { found } = header;
    const frames = found ? lines.count - header.remarks - (found.header ? 1 : 0) : 0;
    if (!found || frames === 0) throw noRows();
    const { layout, namesRoot, jointNames } = found;
    const columns = layout ? ROOT_COLUMNS + layout.jointsAt.length : found.columns;
    return { frames, columns, layout, namesRoot, jointNames, ...(notFinite === null ? {} : { notFinite }) };
  } finally {
    spare = chunk;
    await handle.close();
  }
}

/** The first letters of nan and inf, `n` and `i`, in both cases. The only letter in other numbers is the `e` of an
 *  exponent. */
const WORD_LETTERS = [0x6e, 0x4e, 0x69, 0x49] as const;

/** Returns the line number of the first nan or inf at or after `at`; null if there is none.
 *  @param line number of the first line of the bytes */
function wordLine(bytes: Uint8Array, at: number, line: number): number | null {
  const places = WORD_LETTERS.map((letter) => bytes.indexOf(letter, at)).filter((place) => place >= 0);
  if (places.length === 0) return null;
  const first = Math.min(...places);
  // Other words are reported when the numbers are parsed.
  if (!/^(nan|inf)/i.test(latin1(bytes, first, Math.min(bytes.length, first + 3)))) return null;
  let count = line;
  for (let place = bytes.indexOf(NEWLINE); place >= 0 && place < first; place = bytes.indexOf(NEWLINE, place + 1))
    count += 1;
  return count;
}

/** Counts the lines that are not blank, in a file that is read in pieces. */
class LineCounter {
  count = 0;
  newlines = 0;
  #counted = false;

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (bytes[at] === NEWLINE) {
        this.#counted = false;
        this.newlines += 1;
        at += 1;
        continue;
      }
      if (!this.#counted) at = skipBlanks(bytes, at);
      if (at >= bytes.length) return;
      if (!this.#counted && bytes[at] !== NEWLINE) {
        this.#counted = true;
        this.count += 1;
      }
      const newline = bytes.indexOf(NEWLINE, at);
      if (newline < 0) return;
      this.#counted = false;
      this.newlines += 1;
      at = newline + 1;
    }
  }
}

/** Finds the first line with content, in a file that is read in pieces. Buffers at most one line. */
class FirstLineFinder {
  found: FirstLine | null = null;
  /** number of bytes above the rows; valid once `found` is set */
  above = 0;
  /** number of comment lines before the first line with content */
  remarks = 0;
  /** number of bytes consumed before those in `#rest` */
  #before = 0;
  #line = 1;
  #rest: Uint8Array = new Uint8Array(0);

  /** @param last true for the last bytes of the file */
  take(bytes: Uint8Array, last: boolean): void {
    if (this.found) return;
    const head = Buffer.concat([this.#rest, bytes]);
    let at = 0;
    while (at < head.length) {
      if (head[at] === NEWLINE) {
        this.#line += 1;
        at += 1;
        continue;
      }
      const { end, next, blank, comment } = nextLine(head, at);
      const cut = next > head.length && !last && end - at <= MAX_LINE_BYTES;
      if (cut) break;
      if (comment) this.remarks += 1;
      if (!blank && !comment) {
        this.found = readFirstLine(head, at, end, this.#line);
        this.above = this.#before + (this.found.header ? next : at);
        return;
      }
      this.#line += 1;
      at = next;
    }
    this.#before += at;
    this.#rest = head.subarray(at);
  }
}
