import { open } from 'node:fs/promises';
import { badInput } from '../core/errors.ts';
import { READ_FLAGS, refuseUnreadable } from '../core/files/bounded-file.ts';

/** Bytes read ahead. A zip directory is read in pieces of 46 bytes, so one system call serves many neighbouring
 *  reads. */
const WINDOW_BYTES = 64 * 1024;

/** Bytes that can be read in any order: a file or memory. */
export interface ByteSource {
  readonly size: number;
  /** Reads a range completely. The result may share memory with other ranges. Only one read may run at a time.
   *  @throws bad_input for a range beyond the end */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens a file or wraps bytes in memory.
 *  @throws bad_input for a pipe, folder or device, and for a large sparse file; NodeJS.ErrnoException if the file
 *  cannot be opened */
export async function openBytes(source: string | Uint8Array): Promise<ByteSource> {
  if (typeof source !== 'string') {
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    return {
      size: bytes.length,
      async read(position, length) {
        checkRange(position, length, bytes.length);
        return bytes.subarray(position, position + length);
      },
      async close() {},
    };
  }
  const handle = await open(source, READ_FLAGS);
  let size: number;
  try {
    const stats = await handle.stat();
    refuseUnreadable(stats);
    size = stats.size;
  } catch (error) {
    await handle.close();
    throw error;
  }
  const readAll = async (position: number, length: number) => {
    const bytes = Buffer.from(new ArrayBuffer(length));
    for (let done = 0; done < length; ) {
      const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
      if (bytesRead === 0) throw badInput('the file became shorter while it was being read. Try again.');
      done += bytesRead;
    }
    return bytes;
  };
  let window = Buffer.alloc(0);
  let windowStart = 0;
  return {
    size,
    async read(position, length) {
      checkRange(position, length, size);
      if (length > WINDOW_BYTES / 2) return readAll(position, length);
      if (position < windowStart || position + length > windowStart + window.length) {
        window = await readAll(position, Math.min(WINDOW_BYTES, size - position));
        windowStart = position;
      }
      return window.subarray(position - windowStart, position - windowStart + length);
    },
    close: () => handle.close(),
  };
}

function checkRange(position: number, length: number, size: number): void {
  if (!(position >= 0 && length >= 0 && position + length <= size))
    throw badInput('the file ends early: it is truncated or damaged');
}
