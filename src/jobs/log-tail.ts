import type { FileHandle } from 'node:fs/promises';
import { IrregularFileError, openRegularFile } from '../core/files/read-regular-file.ts';

const BLOCK = 64 * 1024;
const MAX_BYTES = 1 << 20;
const LF = 0x0a;

/** Returns the last `count` lines of a text file, oldest first. Reads at most the last MiB, so the time does not depend
 *  on the size. For a line that was overwritten with carriage returns, returns its last text. Bytes that are not UTF-8
 *  become U+FFFD. A missing file, link, pipe or device has no lines. */
export async function tailLines(file: string, count: number): Promise<string[]> {
  if (count === 0) return [];
  let handle: FileHandle;
  try {
    handle = await openRegularFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || error instanceof IrregularFileError) return [];
    throw error;
  }
  try {
    return linesOf(await tailBytes(handle, count), count);
  } finally {
    await handle.close();
  }
}

/** Reads the end of the file, from the start of a line if one is within the limit. */
async function tailBytes(handle: FileHandle, count: number): Promise<Buffer> {
  const { size } = await handle.stat();
  const least = Math.max(0, size - MAX_BYTES);
  const blocks: Buffer[] = [];
  // A line break at the end of the file ends the last line and does not begin another one.
  let breaks = -1;
  let from = size;
  while (from > least && breaks < count) {
    const to = from;
    from = Math.max(least, to - BLOCK);
    const block = await readAll(handle, from, to - from);
    if (to === size && block.at(-1) !== LF) breaks = 0;
    for (let at = block.indexOf(LF); at !== -1; at = block.indexOf(LF, at + 1)) breaks += 1;
    blocks.unshift(block);
  }
  const bytes = Buffer.concat(blocks);
  if (from === 0) return bytes;
  const first = bytes.indexOf(LF);
  if (first !== -1 && first < bytes.length - 1) return bytes.subarray(first + 1);
  // A single line is longer than the limit: return the end of it, beginning with a complete character.
  let letter = 0;
  while (letter < 4 && (bytes[letter]! & 0xc0) === 0x80) letter += 1;
  return bytes.subarray(letter);
}

async function readAll(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break; // The file was truncated.
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

function linesOf(bytes: Buffer, count: number): string[] {
  if (bytes.length === 0) return [];
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(-count).map(lastText);
}

function lastText(line: string): string {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}
