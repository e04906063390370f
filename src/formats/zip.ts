import { promisify } from 'node:util';
import { constants, crc32, inflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { badInput, messageOf, StudioError } from '../core/errors.ts';
import { type ByteSource, openBytes } from './byte-source.ts';

const MIB = 1 << 20;
const STORED = 0;
const DEFLATED = 8;
/** Deflate makes at most 1032 bytes of one (a run of 258 in two bits): a header that promises more lies. */
const DEFLATE_MAX_RATIO = 1032;
const DEFLATE_SLACK = 1024;

export interface ZipLimits {
  /** of all entries read together, expanded */
  readonly maxBytes?: number;
  readonly maxEntries?: number;
}

const DEFAULT_MAX_BYTES = 1024 * MIB;
const DEFAULT_MAX_ENTRIES = 1024;
/** Motion data shrinks to a half; what expands a hundredfold beyond this size is a bomb. */
const FREE_BYTES = 64 * MIB;
const MAX_RATIO = 100;

/** An entry as it was read. */
export interface ZipEntry {
  readonly bytes: Uint8Array;
  /** of the whole entry, expanded; more than `bytes` holds where only its head was asked for */
  readonly size: number;
}

const inflate = promisify(
  (bytes: Uint8Array, options: object, done: (error: Error | null, out: Buffer) => void) =>
    void inflateRaw(bytes, options, done),
);

/** Reads entries of a zip file, stored or deflated. Whole entries are checked against their CRC.
 *  @param want how many first bytes of an entry are wanted: 0 skips it, Infinity is all
 *  @throws bad_input for what is damaged, encrypted, repeated or expands beyond the limits */
export async function readZip(
  source: string | Uint8Array,
  want: (name: string) => number,
  limits: ZipLimits = {},
): Promise<Map<string, ZipEntry>> {
  const { maxBytes = DEFAULT_MAX_BYTES, maxEntries = DEFAULT_MAX_ENTRIES } = limits;
  const bytes = await openBytes(source);
  try {
    const allowed = Math.min(maxBytes, Math.max(FREE_BYTES, bytes.size * MAX_RATIO));
    const zip = await openZip(bytes);
    const picked = new Map<string, { entry: Entry; wanted: number }>();
    let expanded = 0;
    let seen = 0;
    for await (const entry of zip.eachEntry()) {
      seen += 1;
      if (seen > maxEntries) throw badInput(`the zip file holds more than ${maxEntries} entries`);
      const asked = want(entry.fileName);
      if (asked <= 0) continue;
      if (picked.has(entry.fileName)) throw badInput(`the zip file holds "${entry.fileName}" twice`);
      const wanted = Math.min(asked, entry.uncompressedSize);
      expanded += wanted;
      if (expanded > allowed)
        throw badInput(
          `the zip file expands to more than ${Math.floor(allowed / MIB)} MiB, more than any clip or checkpoint needs`,
        );
      picked.set(entry.fileName, { entry, wanted });
    }
    const entries = new Map<string, ZipEntry>();
    for (const [name, { entry, wanted }] of picked)
      entries.set(name, { bytes: await readEntry(zip, entry, bytes, wanted), size: entry.uncompressedSize });
    return entries;
  } catch (error) {
    throw readable(error);
  } finally {
    await bytes.close();
  }
}

/** Where an entry lies in a zip file. */
export interface EntryPlace {
  readonly name: string;
  /** of its packed bytes in the file */
  readonly start: number;
  readonly packedBytes: number;
  /** expanded */
  readonly bytes: number;
  readonly deflated: boolean;
  /** of all its bytes, expanded */
  readonly crc32: number;
}

/** Finds entries without reading them, for those that are read in parts.
 *  @throws bad_input for what is damaged, encrypted, repeated or claims more than its bytes can hold */
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
      if (seen > maxEntries) throw badInput(`the zip file holds more than ${maxEntries} entries`);
      if (want(entry.fileName)) entries.push(entry);
    }
    const places = new Map<string, EntryPlace>();
    for (const entry of entries) {
      if (places.has(entry.fileName)) throw badInput(`the zip file holds "${entry.fileName}" twice`);
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

/** What yauzl reads the directory with. Ranges from the file are checked here: its own reader would throw them out of
 *  a callback, where nobody can catch them. */
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

/** @throws bad_input for what is encrypted, packed in another way, or claims more than its bytes can hold */
function checkEntry(entry: Entry): void {
  const { fileName: name, compressedSize, uncompressedSize: size } = entry;
  if (entry.isEncrypted()) throw badInput(`"${name}" in the zip file is encrypted`);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw badInput(`"${name}" in the zip file is compressed in a way that is not read: use plain zip`);
  if (size > compressedSize * DEFLATE_MAX_RATIO + DEFLATE_SLACK)
    throw badInput(`"${name}" in the zip file claims a size that its bytes cannot expand to`);
}

async function readEntry(zip: ZipFile, entry: Entry, bytes: ByteSource, wanted: number): Promise<Uint8Array> {
  const { fileName: name, compressedSize, uncompressedSize: size } = entry;
  checkEntry(entry);
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const whole = wanted >= size;
  // A deflated byte and the block headers before it take at most about as much as the byte itself.
  const packed = await bytes.read(fileDataStart, whole ? compressedSize : Math.min(compressedSize, wanted + 64 * 1024));
  const content =
    entry.compressionMethod === STORED ? packed.subarray(0, wanted) : await expand(packed, size, wanted, name);
  if (whole && crc32(content) !== entry.crc32)
    throw badInput(`"${name}" in the zip file is damaged: its checksum does not match; copy the file again`);
  return content;
}

async function expand(packed: Buffer, size: number, wanted: number, name: string): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array(0);
  const whole = wanted >= size;
  const content = await inflate(packed, {
    maxOutputLength: size,
    ...(whole ? {} : { finishFlush: constants.Z_SYNC_FLUSH }),
  });
  if (content.length < wanted) throw badInput(`"${name}" in the zip file is shorter than it claims: it is damaged`);
  return content.subarray(0, wanted);
}

/** What the libraries say about the content becomes bad input; what the system says stays. */
export function readable(error: unknown): unknown {
  if (error instanceof StudioError || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return new StudioError('bad_input', `not a readable zip file: ${messageOf(error)}`, { cause: error });
}
