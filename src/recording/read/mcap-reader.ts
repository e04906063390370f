import { closeSync, fstatSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { badInput } from '../../core/errors.ts';
import { refuseUnreadable } from '../../core/files/bounded-file.ts';
import { openRegularFileSync } from '../../core/files/read-regular-file.ts';

const MAGIC = Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a]);
const OP = {
  footer: 0x02,
  channel: 0x04,
  message: 0x05,
  chunk: 0x06,
  metadataIndex: 0x0d,
  metadata: 0x0c,
  dataEnd: 0x0f,
} as const;
const HEAD_BYTES = 9;
const FOOTER_BYTES = HEAD_BYTES + 20;
/** Number of bytes of a chunk header up to the name of its compression. */
const CHUNK_HEAD = 32;
/** Maximum sizes for reading an untrusted file, bytes. */
const MOST_CHUNK = 256 << 20;
const MOST_RECORD = 1 << 20;
const MOST_SUMMARY = 64 << 20;
/** Maximum number of records outside of chunks, and of channels. Files of the studio have about one chunk per
 *  second. */
const MOST_RECORDS = 500_000;
const MOST_CHANNELS = 1024;

export interface McapMessage {
  readonly topic: string;
  /** ms since 1970 */
  readonly atMs: number;
  /** valid until the next message */
  readonly data: Buffer;
}

/** Describes how an MCAP file of the studio ends. */
export interface McapEnd {
  /** values of the last metadata record; null: the file has no summary, because the recording was interrupted */
  readonly metadata: ReadonlyMap<string, string> | null;
  /** time from the first to the last message, s */
  readonly duration: number;
}

/** Reads MCAP files as `McapFile` writes them, also if they are interrupted or damaged. Files are not trusted: sizes
 *  are checked before anything is read. Reading blocks, so use it in worker threads. */
export class McapReader {
  readonly #fd: number;
  readonly size: number;
  /** metadata at the beginning of the file */
  readonly metadata: ReadonlyMap<string, string>;
  readonly #dataStart: number;

  /** Opens a file. @throws bad_input for a file that the studio has not recorded; system errors for a missing file */
  constructor(file: string) {
    this.#fd = openRegularFileSync(file);
    try {
      const stats = fstatSync(this.#fd);
      refuseUnreadable(stats);
      this.size = stats.size;
      if (!this.#read(0, Math.min(8, this.size)).equals(MAGIC)) throw badInput('the file is not an MCAP file');
      const header = this.#recordAt(8);
      const first = header && this.#recordAt(header.end);
      const metadata = first?.opcode === OP.metadata ? this.#metadataOf(first) : null;
      if (metadata?.name !== 'motion-studio') throw badInput('the MCAP file was not recorded by the studio');
      this.metadata = metadata.values;
      this.#dataStart = first!.end;
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Reads how the recording ended, without reading its messages. */
  end(): McapEnd {
    return { metadata: this.#endMetadata(), duration: this.#duration() };
  }

  /** Visits all messages of complete chunks in file order, up to the first damaged record. @returns true if nothing is
   *  missing @throws bad_input for compressed chunks */
  messages(visit: (message: McapMessage) => void): boolean {
    const channels = new Map<number, string>();
    for (const record of this.#records()) {
      if (record.opcode === OP.dataEnd) return true;
      if (record.opcode === OP.channel && record.length <= MOST_RECORD) this.#takeChannel(channels, this.#body(record));
      if (record.opcode !== OP.chunk) continue;
      const records = this.#chunkOf(record);
      if (!records || !visitChunk(records, channels, visit)) return false;
    }
    return false;
  }

  *#records(): Generator<Place> {
    let at = this.#dataStart;
    for (let count = 0; count < MOST_RECORDS; count += 1) {
      const record = this.#recordAt(at);
      if (!record) return;
      yield record;
      at = record.end;
    }
  }

  /** Returns the record at a position; null if it exceeds the end of the file. */
  #recordAt(at: number): Place | null {
    if (at + HEAD_BYTES > this.size) return null;
    const head = this.#read(at, HEAD_BYTES);
    const length = Number(head.readBigUInt64LE(1));
    const start = at + HEAD_BYTES;
    if (!Number.isSafeInteger(length) || length > this.size - start) return null;
    return { opcode: head[0]!, start, length, end: start + length };
  }

  #body({ start, length }: Place): Buffer {
    return this.#read(start, length);
  }

  /** Returns the records of a chunk; null if they are damaged. */
  #chunkOf(place: Place): Buffer | null {
    if (place.length > MOST_CHUNK || place.length < CHUNK_HEAD + 8) return null;
    const body = this.#body(place);
    const size = body.readBigUInt64LE(16);
    const crc = body.readUInt32LE(24);
    const name = body.readUInt32LE(28);
    if (name > 16) return null;
    if (name !== 0)
      throw badInput(
        `the MCAP file is compressed (${body.toString('latin1', 32, 32 + name)}). Unpack it, for example with mcap decompress.`,
      );
    const records = body.subarray(CHUNK_HEAD + 8);
    if (size !== BigInt(records.length) || body.readBigUInt64LE(CHUNK_HEAD) !== size) return null;
    return crc === 0 || crc32(records) === crc ? records : null;
  }

  #takeChannel(channels: Map<number, string>, body: Buffer): void {
    if (body.length < 8 || channels.size >= MOST_CHANNELS) return;
    const length = body.readUInt32LE(4);
    if (length <= body.length - 8) channels.set(body.readUInt16LE(0), body.toString('utf8', 8, 8 + length));
  }

  #metadataOf(place: Place): { name: string; values: Map<string, string> } | null {
    if (place.length > MOST_RECORD) return null;
    const texts = textsOf(this.#body(place));
    if (!texts) return null;
    const [name = '', ...pairs] = texts;
    const values = new Map<string, string>();
    for (let k = 0; k + 1 < pairs.length; k += 2) values.set(pairs[k]!, pairs[k + 1]!);
    return { name, values };
  }

  #endMetadata(): ReadonlyMap<string, string> | null {
    const footerAt = this.size - MAGIC.length - FOOTER_BYTES;
    const footer = footerAt > this.#dataStart ? this.#recordAt(footerAt) : null;
    if (footer?.opcode !== OP.footer || footer.length !== 20) return null;
    const start = Number(this.#body(footer).readBigUInt64LE(0));
    if (!(start >= this.#dataStart && start < footerAt && footerAt - start <= MOST_SUMMARY)) return null;
    for (let at = start; at < footerAt; ) {
      const record = this.#recordAt(at);
      if (!record) return null;
      if (record.opcode === OP.metadataIndex && record.length <= MOST_RECORD) {
        const offset = Number(this.#body(record).readBigUInt64LE(0));
        const place = Number.isSafeInteger(offset) ? this.#recordAt(offset) : null;
        const metadata = place?.opcode === OP.metadata ? this.#metadataOf(place) : null;
        if (metadata?.name === 'motion-studio-end') return metadata.values;
      }
      at = record.end;
    }
    return null;
  }

  /** Reads only the times of the chunks. */
  #duration(): number {
    let first: bigint | null = null;
    let last = 0n;
    for (const record of this.#records()) {
      if (record.opcode === OP.dataEnd) break;
      if (record.opcode !== OP.chunk || record.length < CHUNK_HEAD) continue;
      const times = this.#read(record.start, 16);
      const start = times.readBigUInt64LE(0);
      if (first === null || start < first) first = start;
      if (times.readBigUInt64LE(8) > last) last = times.readBigUInt64LE(8);
    }
    return first === null || last < first ? 0 : Number(last - first) / 1e9;
  }

  /** Reads a range of the file. @throws bad_input if the file became shorter */
  #read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#fd, bytes, done, length - done, at + done);
      if (read === 0) throw badInput('the file became shorter while it was being read. Try again.');
      done += read;
    }
    return bytes;
  }
}

interface Place {
  readonly opcode: number;
  /** position of the content */
  readonly start: number;
  readonly length: number;
  readonly end: number;
}

/** Visits the messages of a chunk. @returns whether the chunk is complete */
function visitChunk(
  records: Buffer,
  channels: ReadonlyMap<number, string>,
  visit: (message: McapMessage) => void,
): boolean {
  for (let at = 0; at < records.length; ) {
    if (at + HEAD_BYTES > records.length) return false;
    const length = Number(records.readBigUInt64LE(at + 1));
    const start = at + HEAD_BYTES;
    if (!(length <= records.length - start)) return false;
    if (records[at] === OP.message && length >= 22) {
      const topic = channels.get(records.readUInt16LE(start));
      const atMs = Number(records.readBigUInt64LE(start + 6) / 1000n) / 1e3;
      if (topic !== undefined) visit({ topic, atMs, data: records.subarray(start + 22, start + length) });
    }
    at = start + length;
  }
  return true;
}

/** Reads the texts of a metadata record: the name, then keys and values in turn. Returns null if they do not fill the
 *  record exactly. */
function textsOf(body: Buffer): string[] | null {
  const texts: string[] = [];
  let at = 0;
  while (at < body.length) {
    if (texts.length === 1) at += 4; // skip the length of the map in bytes
    if (at === body.length) break;
    if (at + 4 > body.length) return null;
    const length = body.readUInt32LE(at);
    if (length > body.length - at - 4) return null;
    texts.push(body.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return texts;
}
