import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { badInput } from '../core/errors.ts';
import { READ_FLAGS, refuseUnreadable } from '../core/files/bounded-file.ts';

/** Maximum size of a file, bytes. A clip lasts minutes; two hours at 500 frames per second are about 1.2 GB of CSV. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** Maximum size of the shared buffer, bytes. A larger file gets a separate buffer. */
const KEPT_BYTES = 16 * 1024 * 1024;
const LEAST_KEPT_BYTES = 256 * 1024;
/** Number of bytes that `head` reads, enough for a header line. */
const HEAD_BYTES = 64 * 1024;

/** A file that is read as a whole. Reading blocks the thread. */
export class WholeFile {
  readonly path: string;
  readonly #onContent: ((content: Uint8Array) => void) | undefined;
  #content: Uint8Array | null = null;
  #head: Uint8Array | null = null;

  /** @param onContent receives the bytes after they are read; the buffer is reused for the next file */
  constructor(path: string, onContent?: (content: Uint8Array) => void) {
    this.path = path;
    this.#onContent = onContent;
  }

  /** Returns the first bytes, at most 64 KiB. They are valid until another file is read. */
  head(): Uint8Array {
    if (this.#content) return this.#content.subarray(0, HEAD_BYTES);
    this.#head ??= open(this.path, (size, read) => read(new Uint8Array(Math.min(size, HEAD_BYTES))));
    return this.#head;
  }

  /** Reads all bytes. They are valid until another file is read. @throws bad_input for a file over 1 GiB */
  bytes(): Uint8Array {
    this.#content ??= open(this.path, (size, read) => {
      if (size > MAX_BYTES) throw badInput('the file is larger than 1 GiB. Split the clip into shorter ones.');
      const content = read(memoryOf(size).subarray(0, size));
      this.#onContent?.(content);
      return content;
    });
    return this.#content;
  }
}

/** Opens a file for the duration of `use`.
 *  @param use receives the file size and a function `read`, which fills the memory from the start of the file and
 *  returns the filled part */
function open(path: string, use: (size: number, read: (memory: Uint8Array) => Uint8Array) => Uint8Array): Uint8Array {
  const descriptor = openSync(path, READ_FLAGS);
  try {
    const stats = fstatSync(descriptor);
    refuseUnreadable(stats);
    return use(stats.size, (memory) => {
      let bytes = 0;
      while (bytes < memory.length) {
        const read = readSync(descriptor, memory, bytes, memory.length - bytes, null);
        if (read === 0) break;
        bytes += read;
      }
      return memory.subarray(0, bytes);
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Buffer shared by consecutive files. Allocating a new buffer takes as long as reading the file into it. */
let kept: Uint8Array = new Uint8Array(0);

function memoryOf(bytes: number): Uint8Array {
  if (bytes > KEPT_BYTES) return new Uint8Array(bytes);
  if (bytes > kept.length) kept = new Uint8Array(Math.max(LEAST_KEPT_BYTES, bytes));
  return kept;
}
