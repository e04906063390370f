import { crc32 } from 'node:zlib';
import { Slices } from '../../core/slices.ts';

/** Increase this number when the shape of stored values changes, or when files are read differently. Every index then
 *  starts empty. */
const VERSION = 3;
const NEWLINE = 0x0a;
/** Each line starts with a CRC of eight hexadecimal digits and a space. */
const CRC_DIGITS = 8;
const TEXT_AT = CRC_DIGITS + 1;

/** One stored value of a file with this size and modification time. */
export interface IndexLine {
  /** file name without the folder */
  readonly name: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly kind: string;
  readonly value: unknown;
}

/** Returns the first line of the index file for `folder`. */
export function headLine(folder: string): string {
  return lineText(['motion-studio index', VERSION, folder]);
}

/** Formats a line of an index file: the checksum of a JSON text, then this text. */
export function formatLine({ name, bytes, mtimeMs, kind, value }: IndexLine): string {
  return lineText([name, bytes, mtimeMs, kind, value]);
}

function lineText(content: readonly unknown[]): string {
  const text = JSON.stringify(content);
  return `${crc32(text).toString(16).padStart(CRC_DIGITS, '0')} ${text}\n`;
}

/** Passes every intact line to `take`, in order. Skips lines that were cut off by a crash or damaged on disk.
 *  @returns the number of lines and the number of damaged lines; null if `content` is not an index of `folder` */
export async function readIndex(
  content: Buffer,
  folder: string,
  take: (line: IndexLine) => void,
): Promise<{ lines: number; damaged: number } | null> {
  const head = headLine(folder);
  if (!content.subarray(0, Buffer.byteLength(head)).equals(Buffer.from(head))) return null;
  let lines = 0;
  let damaged = 0;
  const slices = new Slices();
  for (let at = Buffer.byteLength(head); at < content.length; ) {
    const end = content.indexOf(NEWLINE, at);
    const line = end < 0 ? null : parseLine(content.subarray(at, end));
    if (line) take(line);
    else damaged += 1;
    lines += 1;
    at = end < 0 ? content.length : end + 1;
    if (slices.due()) await slices.rest();
  }
  return { lines, damaged };
}

function parseLine(line: Buffer): IndexLine | null {
  const text = line.subarray(TEXT_AT);
  if (Number.parseInt(line.toString('latin1', 0, CRC_DIGITS), 16) !== crc32(text)) return null;
  const [name, bytes, mtimeMs, kind, value] = JSON.parse(text.toString()) as [string, number, number, string, unknown];
  return { name, bytes, mtimeMs, kind, value };
}
