import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { badInput } from '../../core/errors.ts';
import { READ_FLAGS, refuseUnreadable } from '../../core/files/bounded-file.ts';
import type { PickleFile } from './pickle-input.ts';

/** Opens a file for reading in parts. Blocks, so call it in a worker thread.
 *  @throws errors of `read`, and NodeJS.ErrnoException */
export function withPickleFile<T>(path: string, read: (file: PickleFile) => T): T {
  const handle = openSync(path, READ_FLAGS);
  try {
    const stats = fstatSync(handle);
    refuseUnreadable(stats);
    return read({
      size: stats.size,
      read(position, length) {
        const bytes = new Uint8Array(length);
        for (let done = 0; done < length; ) {
          const count = readSync(handle, bytes, done, length - done, position + done);
          if (count === 0) throw badInput('the file became shorter while it was being read. Try again.');
          done += count;
        }
        return bytes;
      },
    });
  } finally {
    closeSync(handle);
  }
}
