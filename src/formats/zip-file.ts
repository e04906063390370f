import { ftruncateSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { centralDirectory, localHeader, type ZipPlace } from './zip-write.ts';

const LARGEST = 0xffffffff;

/** Writes a zip file of uncompressed entries to an open descriptor, entry by entry, without holding an entry in
 *  memory. */
export class ZipFile {
  readonly #fd: number;
  readonly #entries: ZipPlace[] = [];
  #at = 0;

  /** @param fd of an empty file */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Adds an entry. @param write passes the content in parts; it must not keep them
   *  @throws what write(2) throws; RangeError beyond 4 GiB, which needs zip64 */
  add(name: string, write: (put: (part: Uint8Array) => void) => void): void {
    const start = this.#at;
    const place = { name: Buffer.from(name), bytes: 0, crc: 0, at: start };
    this.#put(localHeader(place));
    write((part) => {
      if (part.byteLength === 0) return;
      place.crc = crc32(part, place.crc);
      place.bytes += part.byteLength;
      this.#put(part);
    });
    if (this.#at > LARGEST) throw new RangeError('a zip file of more than 4 GiB requires zip64');
    // The checksum and the size become known only after writing the content.
    writeAll(this.#fd, localHeader(place), start);
    this.#entries.push(place);
  }

  /** Completes the file. */
  end(): void {
    this.#put(centralDirectory(this.#entries, this.#at));
    ftruncateSync(this.#fd, this.#at);
  }

  #put(bytes: Uint8Array): void {
    writeAll(this.#fd, bytes, this.#at);
    this.#at += bytes.byteLength;
  }
}

function writeAll(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.byteLength; ) done += writeSync(fd, bytes, done, bytes.byteLength - done, at + done);
}
