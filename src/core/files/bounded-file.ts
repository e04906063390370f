import { constants, type Stats } from 'node:fs';
import { badInput, messageOf, StudioError } from '../errors.ts';
import { FileTooLargeError, readRegularFile } from './read-regular-file.ts';

/** Flags to open a file of a workspace for reading. Without `O_NONBLOCK`, a pipe in its place blocks the thread
 *  forever. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Sparse files are accepted up to this size, bytes, because reading one takes at most this much memory. */
const FREE_BYTES = 64 << 20;
/** Largest allowed ratio of size to stored bytes. Compressing file systems store text in a tenth of its size. */
const MAX_RATIO = 32;

/** Refuses a pipe, folder or device, and a large file that is mostly holes: reading it would need memory although
 *  almost nothing is stored on the disk. @param stats of the open file @throws bad_input */
export function refuseUnreadable(stats: Stats): void {
  if (!stats.isFile()) throw badInput(`is a ${stats.isDirectory() ? 'folder' : 'pipe or device'}, not a file`);
  const { size, blocks } = stats;
  const stored = blocks * 512;
  if (size > FREE_BYTES && stored * MAX_RATIO < size)
    throw badInput(
      `the file has a size of ${size} bytes, but only ${stored} bytes are stored on the disk: it is damaged. Copy it again.`,
    );
}

/** Reads a small text file that a person wrote, such as settings. Follows links, because datasets may be linked and
 *  settings mounted.
 *  @param name of the file in messages
 *  @throws bad_input for a folder, pipe or device; too_large; ENOENT for a missing file, as the system reports it */
export async function readSmallFile(file: string, maxBytes: number, name: string): Promise<Buffer> {
  try {
    return await readRegularFile(file, maxBytes, { followLinks: true });
  } catch (error) {
    if (error instanceof FileTooLargeError)
      throw new StudioError('too_large', `${name}: is larger than ${maxBytes / 2 ** 20} MiB (${error.bytes} bytes)`);
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw badInput(`${name}: ${messageOf(error)}`);
  }
}
