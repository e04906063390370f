import { promisify } from 'node:util';
import { constants, crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { badInput, messageOf, StudioError } from '../core/errors.ts';
import { type ByteSource, openBytes } from './byte-source.ts';

const MIB = 1 << 20;
const STORED = 0;
const DEFLATED = 8;
/** Maximum ratio of deflate: one byte expands to at most 1032 bytes (a run of 258 bytes in two bits). A header that
 *  states a larger ratio is false. */
const DEFLATE_MAX_RATIO = 1032;
const DEFLATE_SLACK = 1024;

export interface ZipLimits {
  /** limit of all entries that are read together, expanded bytes */
  readonly maxBytes?: number;
  readonly maxEntries?: number;
  /** Checks the beginning of a large entry before the entry is expanded: a few MB can expand to gigabytes.
   *  @param head the first bytes, at most `HEAD_BYTES`  @param size expanded size of the whole entry */
  readonly check?: (name: string, head: Uint8Array, size: number) => void;
}

/** Number of bytes that `check` sees. */
const HEAD_BYTES = 16 * 1024;
/** Smaller entries are read without a call of `check`. */
const UNCHECKED_BYTES = MIB;
const DEFAULT_MAX_BYTES = 1024 * MIB;
const DEFAULT_MAX_ENTRIES = 1024;
/** Motion data compresses to about half. An entry above this size that expands more than a hundredfold is a zip
 *  bomb. */
const FREE_BYTES = 64 * MIB;
const MAX_RATIO = 100;

/** The part of an entry that was read. */
export interface ZipEntry {
  readonly bytes: Uint8Array;
  /** expanded size of the whole entry; larger than `bytes` if only the beginning was read */
  readonly size: number;
}

const inflate = promisify(
  (bytes: Uint8Array, options: object, done: (error: Error | null, out: Buffer) => void) =>
    void inflateRaw(bytes, options, done),
);

/** Reads entries of a zip file, stored or deflated. Verifies the CRC of entries that are read whole.
 *  @param want returns how many leading bytes of an entry to read: 0 skips it, Infinity reads all
 *  @throws bad_input for entries that are damaged, encrypted, repeated or expand beyond the limits */
export async function readZip(
  source: string | Uint8Array,
  want: (name: string) => number,
  limits: ZipLimits = {},
): Promise<Map<string, ZipEntry>> {
  const { maxBytes = DEFAULT_MAX_BYTES, maxEntries = DEFAULT_MAX_ENTRIES, check } = limits;
  const bytes = await openBytes(source);
  try {
    const allowed = Math.min(maxBytes, Math.max(FREE_BYTES, bytes.size * MAX_RATIO));
    const zip = await openZip(bytes);
    const picked = new Map<string, { entry: Entry; wanted: number }>();
    let expanded = 0;
    let seen = 0;
    for await (const entry of zip.eachEntry()) {
      seen += 1;
      if (seen > maxEntries) throw badInput(`the zip file contains more than ${maxEntries} entries`);
      const asked = want(entry.fileName);
      if (asked <= 0) continue;
      if (picked.has(entry.fileName)) throw badInput(`the zip file contains "${entry.fileName}" twice`);
      const wanted = Math.min(asked, entry.uncompressedSize);
      expanded += wanted;
      if (expanded > allowed)
        throw badInput(`the zip file expands to more than ${Math.floor(allowed / MIB)} MiB, which is the limit`);
      picked.set(entry.fileName, { entry, wanted });
    }
    const entries = new Map<string, ZipEntry>();
    for (const [name, { entry, wanted }] of picked) {
      const size = entry.uncompressedSize;
      if (check && wanted > UNCHECKED_BYTES) check(name, await readEntry(zip, entry, bytes, HEAD_BYTES), size);
      entries.set(name, { bytes: await readEntry(zip, entry, bytes, wanted), size });
    }
    return entries;
  } catch (error) {
    throw readable(error);
  } finally {
    await bytes.close();
  }
}

/** Location of an entry in a zip file. */
export interface EntryPlace {
  readonly name: string;
  /** position of the packed bytes in the file */
  readonly start: number;
  readonly packedBytes: number;
  /** expanded size */
  readonly bytes: number;
  readonly deflated: boolean;
  /** checksum of all expanded bytes */
  readonly crc32: number;
}

/** Finds entries without reading them, so that they can be read in parts later.
 *  @throws bad_input for entries that are damaged, encrypted, repeated or claim an impossible size */
export async function findEntries(
  bytes: ByteSource,
  want: (name: string) => boolean,
  maxEntries = DEFAULT_MAX_ENTRIES,
): Promise<Map<string, EntryPlace>> {
  try {
    const zip = await openZip(bytes);
    const entries: Entry[] = [];
    let seen = 0;
    for await (const entry of zip.eachEntry()) {
      seen += 1;
      if (seen > maxEntries) throw badInput(`the zip file contains more than ${maxEntries} entries`);
      if (want(entry.fileName)) entries.push(entry);
    }
    const places = new Map<string, EntryPlace>();
    for (const entry of entries) {
      if (places.has(entry.fileName)) throw badInput(`the zip file contains "${entry.fileName}" twice`);
      checkEntry(entry);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      places.set(entry.fileName, {
        name: entry.fileName,
        start: fileDataStart,
        packedBytes: entry.compressedSize,
        bytes: entry.uncompressedSize,
        deflated: entry.compressionMethod === DEFLATED,
        crc32: entry.crc32,
      });
    }
    return places;
  } catch (error) {
    throw readable(error);
  }
}

function openZip(bytes: ByteSource): Promise<ZipFile> {
  return fromRandomAccessReaderPromise(new Reader(bytes), bytes.size, {
    decodeStrings: true,
    validateEntrySizes: true,
    autoClose: false,
  });
}

/** Reader for yauzl. It checks ranges first, because yauzl's own reader would throw from a callback, where the error
 *  cannot be caught. */
class Reader extends RandomAccessReader {
  readonly #bytes: ByteSource;
  constructor(bytes: ByteSource) {
    super();
    this.#bytes = bytes;
  }
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#bytes.read(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(null, length);
      },
      (error: Error) => callback(error),
    );
  }
}

/** Checks the header of an entry.
 *  @throws bad_input for an entry that is encrypted, uses an unsupported compression method, or claims an impossible
 *  size */
function checkEntry(entry: Entry): void {
  const { fileName: name, compressedSize, uncompressedSize: size } = entry;
  if (entry.isEncrypted()) throw badInput(`"${name}" in the zip file is encrypted`);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw badInput(`"${name}" in the zip file uses an unsupported compression method. Use deflate or none.`);
  if (size > compressedSize * DEFLATE_MAX_RATIO + DEFLATE_SLACK)
    throw badInput(`"${name}" in the zip file claims a size to which its bytes cannot expand`);
}

async function readEntry(zip: ZipFile, entry: Entry, bytes: ByteSource, wanted: number): Promise<Uint8Array> {
  const { fileName: name, compressedSize, uncompressedSize: size } = entry;
  checkEntry(entry);
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const whole = wanted >= size;
  // Deflate with its block headers takes at most slightly more bytes than the data itself.
  const packed = await bytes.read(fileDataStart, whole ? compressedSize : Math.min(compressedSize, wanted + 64 * 1024));
  const content =
    entry.compressionMethod === STORED ? packed.subarray(0, wanted) : await expand(packed, size, wanted, name);
  if (whole && crc32(content) !== entry.crc32)
    throw badInput(`"${name}" in the zip file is damaged: its checksum does not match. Copy the file again.`);
  return content;
}

async function expand(packed: Buffer, size: number, wanted: number, name: string): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array(0);
  const content = wanted >= size ? await inflate(packed, { maxOutputLength: size }) : await expandStart(packed, wanted);
  if (content.length < wanted) throw badInput(`"${name}" in the zip file is shorter than it claims: it is damaged`);
  return content.subarray(0, wanted);
}

/** Expands the entry until the wanted number of bytes is available, because a few packed kilobytes can expand a
 *  thousand times. */
async function expandStart(packed: Buffer, wanted: number): Promise<Buffer> {
  // the packed bytes may end within a block
  const stream = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  stream.end(packed);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= wanted) break;
  }
  return Buffer.concat(chunks);
}

/** Converts errors that the libraries report about the content to bad_input. System errors stay unchanged. */
export function readable(error: unknown): unknown {
  if (error instanceof StudioError || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return new StudioError('bad_input', `not a readable zip file: ${messageOf(error)}`, { cause: error });
}
