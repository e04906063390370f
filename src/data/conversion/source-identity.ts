import { closeSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';

const BLOCK_BYTES = 1 << 20;

/** Returns size and checksum, which identify the content of a source in the record of its conversion. */
export function identityOf(content: Uint8Array): string {
  return identityText(content.length, crc32(content));
}

/** Returns the identity of the content of a file. Blocks the thread, which is acceptable because the threads that
 *  convert have no other work. */
export function fileIdentity(file: string): string {
  const descriptor = openSync(file, READ_FLAGS);
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let bytes = 0;
    let crc = 0;
    for (;;) {
      const read = readSync(descriptor, block, 0, block.length, null);
      if (read === 0) return identityText(bytes, crc);
      crc = crc32(block.subarray(0, read), crc);
      bytes += read;
    }
  } finally {
    closeSync(descriptor);
  }
}

function identityText(bytes: number, crc: number): string {
  return `${bytes} ${crc.toString(16)}`;
}
