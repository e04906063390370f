import { open } from 'node:fs/promises';
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

const CHUNK_BYTES = 256 * 1024;
/** Kept for the next file: a scan reads a hundred thousand, and memory would be given back late. */
let spare: Uint8Array | null = null;

/** What a listing shows of a CSV clip. */
export interface CsvFacts {
  readonly frames: number;
  readonly columns: number;
  /** null where there is no header, or it names no joints */
  readonly jointNames: readonly string[] | null;
}

/** Counts the rows of a clip without reading their numbers; memory does not grow with the file.
 *  @throws bad_input where the first line is no clip's */
export async function csvFacts(file: string): Promise<CsvFacts> {
  const handle = await open(file, 'r');
  const chunk = spare ?? new Uint8Array(CHUNK_BYTES);
  spare = null;
  try {
    const header = new FirstLineFinder();
    const lines = new LineCounter();
    for (let isStart = true; ; isStart = false) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
      const bytes = chunk.subarray(isStart ? checkEncoding(chunk.subarray(0, bytesRead)) : 0, bytesRead);
      header.take(bytes, bytesRead === 0);
      lines.take(bytes);
      if (bytesRead === 0) break;
    }
    const { found } = header;
    const frames = found ? lines.count - (found.header ? 1 : 0) : 0;
    if (!found || frames === 0) throw noRows();
    return { frames, columns: found.columns, jointNames: found.jointNames };
  } finally {
    spare = chunk;
    await handle.close();
  }
}

/** Counts lines that hold more than blanks, of a file that comes in pieces. */
class LineCounter {
  count = 0;
  #counted = false;

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (bytes[at] === NEWLINE) {
        this.#counted = false;
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
      at = newline + 1;
    }
  }
}

/** Looks for the first line with content, of a file that comes in pieces; keeps no more than one line. */
class FirstLineFinder {
  found: FirstLine | null = null;
  #line = 1;
  #rest: Uint8Array = new Uint8Array(0);

  /** @param last nothing comes after these bytes */
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
      const { end, next, blank } = nextLine(head, at);
      const cut = next > head.length && !last && end - at <= MAX_LINE_BYTES;
      if (cut) break;
      if (!blank) {
        this.found = readFirstLine(head, at, end, this.#line);
        return;
      }
      this.#line += 1;
      at = next;
    }
    this.#rest = head.subarray(at);
  }
}
