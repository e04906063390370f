import { ftruncateSync, writeSync, writevSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { McapRecordBuilder, type McapTypes, Opcode } from '@mcap/core';
import { type Instant, nanosOf } from '../instant.ts';

/** A chunk is written when it has this size or age. With the time between two looks at the frames, a kill loses no more
 *  than the last second. */
const CHUNK_BYTES = 1 << 20;
const CHUNK_MS = 800;
const MESSAGE_HEAD = 1 + 8 + 2 + 4 + 8 + 8;
const LIBRARY = 'motion-studio';

export interface ChannelSpec {
  readonly topic: string;
  readonly encoding: 'protobuf' | 'json';
  readonly schema: { readonly name: string; readonly encoding: 'protobuf' | 'jsonschema'; readonly data: Uint8Array };
}

export interface McapFileOptions {
  readonly channels: readonly ChannelSpec[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly attachment: { readonly name: string; readonly mediaType: string; readonly data: Uint8Array } | null;
  readonly at: Instant;
}

/** The memory of a chunk. */
export interface ChunkMemory {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Writes an MCAP file to an open descriptor. Only whole records are written: after an error or a kill the file ends
 *  with the last whole chunk. Chunks are not compressed. The hot path copies a message once, into the buffer of the
 *  chunk. */
export class McapFile {
  readonly #fd: number;
  readonly #builder = new McapRecordBuilder();
  readonly #options: McapFileOptions;
  readonly #schemas: McapTypes.TypedMcapRecords['Schema'][] = [];
  readonly #channels: McapTypes.TypedMcapRecords['Channel'][] = [];
  readonly #chunks: McapTypes.ChunkIndex[] = [];
  readonly #attachments: McapTypes.AttachmentIndex[] = [];
  readonly #metadata: McapTypes.MetadataIndex[] = [];
  readonly #counts: number[] = [];
  /** (log time, offset in the chunk) of each channel's messages in the chunk */
  readonly #index: [bigint, bigint][][] = [];
  #position = 0;
  #chunk = chunkOf(2 * CHUNK_BYTES);
  #used = 0;
  #first = 0n;
  #last = 0n;
  #start: bigint | null = null;
  #end = 0n;
  #began = Number.NEGATIVE_INFINITY;

  /** Creates the writer and writes the beginning of the file. @throws the errors of write(2) */
  constructor(fd: number, options: McapFileOptions) {
    this.#fd = fd;
    this.#options = options;
    const builder = this.#builder;
    builder.writeMagic();
    builder.writeHeader({ profile: '', library: LIBRARY });
    this.#putMetadata('motion-studio', options.metadata);
    for (const { topic, encoding, schema } of options.channels) {
      let known = this.#schemas.find(({ name }) => name === schema.name);
      if (!known) {
        known = { type: 'Schema', id: this.#schemas.length + 1, ...schema };
        this.#schemas.push(known);
        builder.writeSchema(known);
      }
      const channel = {
        type: 'Channel' as const,
        id: this.#channels.length,
        schemaId: known.id,
        topic,
        messageEncoding: encoding,
        metadata: new Map<string, string>(),
      };
      this.#channels.push(channel);
      this.#counts.push(0);
      this.#index.push([]);
      builder.writeChannel(channel);
    }
    if (options.attachment) this.#putAttachment(options.attachment);
    this.#flushBuilder();
  }

  /** Number of bytes written to the file. */
  get bytes(): number {
    return this.#position;
  }

  /** The memory of the chunk, for `reserve`. Another one after each `reserve`. */
  get chunk(): ChunkMemory {
    return this.#chunk;
  }

  /** Adds a message of `bytes` bytes; the caller writes its data to `chunk` at the returned position.
   *  @param channel index in `channels` */
  reserve(channel: number, at: Instant, bytes: number): number {
    const size = MESSAGE_HEAD + bytes;
    if (this.#used + size > this.#chunk.bytes.length) this.#grow(this.#used + size);
    const time = nanosOf(at);
    if (this.#used === 0) {
      this.#first = time;
      this.#last = time;
      this.#began = performance.now();
    } else {
      if (time < this.#first) this.#first = time;
      if (time > this.#last) this.#last = time;
    }
    const { view } = this.#chunk;
    const from = this.#used;
    view.setUint8(from, Opcode.MESSAGE);
    view.setBigUint64(from + 1, BigInt(size - 9), true);
    view.setUint16(from + 9, channel, true);
    view.setUint32(from + 11, this.#counts[channel]!, true);
    view.setBigUint64(from + 15, time, true);
    view.setBigUint64(from + 23, time, true);
    this.#counts[channel] = this.#counts[channel]! + 1;
    this.#index[channel]!.push([time, BigInt(from)]);
    this.#used += size;
    return from + MESSAGE_HEAD;
  }

  add(channel: number, at: Instant, data: Uint8Array): void {
    const to = this.reserve(channel, at, data.byteLength);
    this.#chunk.bytes.set(data, to);
  }

  /** Writes the chunk if it is large or old enough. Call it between messages. @throws the errors of write(2); the chunk
   *  is then kept and written by the next call */
  flushIfDue(): void {
    if (this.#used >= CHUNK_BYTES || (this.#used > 0 && performance.now() - this.#began >= CHUNK_MS)) this.flush();
  }

  /** Writes the chunk. @throws the same errors as `flushIfDue` */
  flush(): void {
    if (this.#used === 0) return;
    const records = this.#chunk.bytes.subarray(0, this.#used);
    const head = Buffer.alloc(49);
    head.writeUInt8(Opcode.CHUNK, 0);
    head.writeBigUInt64LE(BigInt(40 + records.length), 1);
    head.writeBigUInt64LE(this.#first, 9);
    head.writeBigUInt64LE(this.#last, 17);
    head.writeBigUInt64LE(BigInt(records.length), 25);
    head.writeUInt32LE(crc32(records), 33);
    head.writeUInt32LE(0, 37); // empty text: no compression
    head.writeBigUInt64LE(BigInt(records.length), 41);
    const chunkBytes = head.length + records.length;
    const offsets = new Map<number, bigint>();
    for (const [channelId, entries] of this.#index.entries()) {
      if (entries.length === 0) continue;
      offsets.set(channelId, BigInt(this.#position + chunkBytes + this.#builder.length));
      this.#builder.writeMessageIndex({ channelId, records: entries });
    }
    const indexBytes = this.#builder.length;
    const start = this.#position;
    try {
      this.#write([head, records, this.#builder.buffer]);
    } finally {
      this.#builder.reset();
    }
    this.#chunks.push({
      messageStartTime: this.#first,
      messageEndTime: this.#last,
      chunkStartOffset: BigInt(start),
      chunkLength: BigInt(chunkBytes),
      messageIndexOffsets: offsets,
      messageIndexLength: BigInt(indexBytes),
      compression: '',
      compressedSize: BigInt(records.length),
      uncompressedSize: BigInt(records.length),
    });
    this.#start = this.#start === null || this.#first < this.#start ? this.#first : this.#start;
    if (this.#last > this.#end) this.#end = this.#last;
    for (const entries of this.#index) entries.length = 0;
    this.#used = 0;
  }

  /** Writes the remaining chunk and the summary section. @param metadata how the recording ended @throws the errors of
   *  write(2); the method can then be called again */
  end(metadata: ReadonlyMap<string, string>): void {
    this.flush();
    const kept = this.#metadata.length;
    try {
      this.#writeEnd(metadata);
    } catch (error) {
      this.#metadata.length = kept;
      throw error;
    }
  }

  #writeEnd(metadata: ReadonlyMap<string, string>): void {
    const builder = this.#builder;
    this.#putMetadata('motion-studio-end', metadata);
    builder.writeDataEnd({ dataSectionCrc: 0 }); // 0 means that the checksum is not computed; every chunk has its own checksum
    const summaryStart = this.#position + builder.length;
    const groups: McapTypes.SummaryOffset[] = [];
    const group = (groupOpcode: Opcode, write: () => void) => {
      const from = this.#position + builder.length;
      write();
      const length = this.#position + builder.length - from;
      if (length > 0) groups.push({ groupOpcode, groupStart: BigInt(from), groupLength: BigInt(length) });
    };
    group(Opcode.SCHEMA, () => {
      for (const schema of this.#schemas) builder.writeSchema(schema);
    });
    group(Opcode.CHANNEL, () => {
      for (const channel of this.#channels) builder.writeChannel(channel);
    });
    group(Opcode.STATISTICS, () => builder.writeStatistics(this.#statistics()));
    group(Opcode.METADATA_INDEX, () => {
      for (const index of this.#metadata) builder.writeMetadataIndex(index);
    });
    group(Opcode.ATTACHMENT_INDEX, () => {
      for (const index of this.#attachments) builder.writeAttachmentIndex(index);
    });
    group(Opcode.CHUNK_INDEX, () => {
      for (const index of this.#chunks) builder.writeChunkIndex(index);
    });
    const summaryOffsetStart = this.#position + builder.length;
    for (const offset of groups) builder.writeSummaryOffset(offset);
    const footer = Buffer.alloc(25);
    footer.writeUInt8(Opcode.FOOTER, 0);
    footer.writeBigUInt64LE(20n, 1);
    footer.writeBigUInt64LE(BigInt(summaryStart), 9);
    footer.writeBigUInt64LE(BigInt(summaryOffsetStart), 17);
    const summary = builder.buffer.subarray(summaryStart - this.#position);
    const summaryCrc = crc32(footer, crc32(summary));
    builder.writeFooter({
      summaryStart: BigInt(summaryStart),
      summaryOffsetStart: BigInt(summaryOffsetStart),
      summaryCrc,
    });
    builder.writeMagic();
    this.#flushBuilder();
  }

  #statistics(): McapTypes.Statistics {
    return {
      messageCount: BigInt(this.#counts.reduce((sum, count) => sum + count, 0)),
      schemaCount: this.#schemas.length,
      channelCount: this.#channels.length,
      attachmentCount: this.#attachments.length,
      metadataCount: this.#metadata.length,
      chunkCount: this.#chunks.length,
      messageStartTime: this.#start ?? 0n,
      messageEndTime: this.#end,
      channelMessageCounts: new Map(
        this.#counts.flatMap((count, id) => (count > 0 ? [[id, BigInt(count)] as const] : [])),
      ),
    };
  }

  #putMetadata(name: string, values: ReadonlyMap<string, string>): void {
    const offset = BigInt(this.#position + this.#builder.length);
    const length = this.#builder.writeMetadata({ name, metadata: new Map(values) });
    this.#metadata.push({ offset, length, name });
  }

  #putAttachment({ name, mediaType, data }: NonNullable<McapFileOptions['attachment']>): void {
    const time = nanosOf(this.#options.at);
    const offset = BigInt(this.#position + this.#builder.length);
    const length = this.#builder.writeAttachment({ name, mediaType, data, logTime: time, createTime: time });
    const dataSize = BigInt(data.byteLength);
    this.#attachments.push({ offset, length, logTime: time, createTime: time, dataSize, name, mediaType });
  }

  #grow(least: number): void {
    const larger = chunkOf(Math.max(least, 2 * this.#chunk.bytes.length));
    larger.bytes.set(this.#chunk.bytes.subarray(0, this.#used));
    this.#chunk = larger;
  }

  #flushBuilder(): void {
    try {
      this.#write([this.#builder.buffer]);
    } finally {
      this.#builder.reset();
    }
  }

  /** Appends all parts, or nothing: after an error, the bytes that were already written are removed. */
  #write(parts: readonly Uint8Array[]): void {
    const from = this.#position;
    try {
      for (let rest = parts.filter((part) => part.length > 0); rest.length > 0; ) {
        let written = rest.length === 1 ? writeSync(this.#fd, rest[0]!) : writevSync(this.#fd, rest);
        this.#position += written;
        let whole = 0;
        while (whole < rest.length && written >= rest[whole]!.length) written -= rest[whole++]!.length;
        rest = [...rest.slice(whole, whole + 1).map((part) => part.subarray(written)), ...rest.slice(whole + 1)];
      }
    } catch (error) {
      ftruncateSync(this.#fd, from);
      this.#position = from;
      throw error;
    }
  }
}

function chunkOf(size: number): ChunkMemory {
  const bytes = Buffer.allocUnsafeSlow(size);
  return { bytes, view: new DataView(bytes.buffer) };
}
