import { open } from 'node:fs/promises';
import { badInput, StudioError } from '../errors.ts';

/** Smaller files may have holes: reading them takes no more than this. */
const FREE_BYTES = 64 << 20;
/** File systems that compress store text in a tenth of its size. */
const MAX_RATIO = 32;

/** Refuses a large file that is mostly holes: reading it would take memory that nobody wrote to the disk.
 *  @param stats of the file @throws bad_input */
export function refuseHoles({ size, blocks }: { readonly size: number; readonly blocks: number }): void {
  const stored = blocks * 512;
  if (size > FREE_BYTES && stored * MAX_RATIO < size)
    throw badInput(`the file claims ${size} bytes and has ${stored} on the disk: it is damaged; copy it again`);
}

/** Reads a file that must be small. Not more than one byte beyond the limit is read, whatever its size says.
 *  @param name what messages call it @throws too_large; a missing file as the system says */
export async function readSmallFile(file: string, maxBytes: number, name: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > maxBytes)
      throw new StudioError('too_large', `${name}: is larger than ${maxBytes / 2 ** 20} MiB (${size} bytes)`);
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await handle.read(bytes, read, size - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
}
