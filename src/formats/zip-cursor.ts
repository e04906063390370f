import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { badInput } from '../core/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { type EntryPlace, readable } from './zip.ts';

const STEP_BYTES = 64 * 1024;

/** Reads an entry of a zip file in parts, from front to back. The checksum is not verified, because that requires the
 *  whole entry. */
export class EntryCursor {
  readonly #source: ByteSource;
  readonly #place: EntryPlace;
  readonly #inflate: InflateRaw | null;
  /** expanded bytes that are not consumed yet; the first one is at `#position` of the entry */
  #parts: Buffer[] = [];
  #available = 0;
  #position = 0;
  #packedAt = 0;
  #ended = false;

  constructor(source: ByteSource, place: EntryPlace) {
    this.#source = source;
    this.#place = place;
    this.#inflate = place.deflated ? createInflateRaw() : null;
    this.#inflate?.on('data', (part: Buffer) => {
      this.#parts.push(part);
      this.#available += part.length;
    });
    this.#inflate?.on('end', () => {
      this.#ended = true;
    });
    // The pending write rejects with this error. Without the listener, the error would end the process.
    this.#inflate?.on('error', () => {
      this.#ended = true;
    });
  }

  /** Reads bytes of the entry into a new array. @param position at or after the end of the previous read
   *  @throws bad_input for damaged data */
  async read(position: number, length: number): Promise<Uint8Array> {
    if (position + length > this.#place.bytes) throw this.#damaged();
    if (!this.#inflate) return new Uint8Array(await this.#source.read(this.#place.start + position, length));
    if (position < this.#position) throw new RangeError('an entry must be read from front to back');
    await this.#skip(position);
    const out = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      await this.#fill();
      const part = this.#take(length - done);
      out.set(part, done);
      done += part.length;
    }
    return out;
  }

  close(): void {
    this.#inflate?.destroy();
  }

  async #skip(position: number): Promise<void> {
    while (this.#position < position) {
      await this.#fill();
      this.#take(position - this.#position);
    }
  }

  /** Consumes at least one and at most `most` of the expanded bytes. */
  #take(most: number): Buffer {
    const first = this.#parts[0]!;
    const part = first.subarray(0, most);
    if (part.length === first.length) this.#parts.shift();
    else this.#parts[0] = first.subarray(most);
    this.#available -= part.length;
    this.#position += part.length;
    return part;
  }

  /** Expands packed bytes until at least one expanded byte is available. */
  async #fill(): Promise<void> {
    const inflate = this.#inflate!;
    while (this.#available === 0) {
      const left = this.#place.packedBytes - this.#packedAt;
      if (this.#ended || left === 0) throw this.#damaged();
      const packed = Buffer.from(
        await this.#source.read(this.#place.start + this.#packedAt, Math.min(STEP_BYTES, left)),
      );
      this.#packedAt += packed.length;
      await new Promise<void>((done, failed) => {
        inflate.write(packed, (error) => (error ? failed(readable(error)) : done()));
      });
      if (this.#packedAt === this.#place.packedBytes) await this.#finish();
    }
  }

  #finish(): Promise<void> {
    const inflate = this.#inflate!;
    return new Promise<void>((done, failed) => {
      if (this.#ended) return done();
      inflate.once('end', done).once('error', (error) => failed(readable(error)));
      inflate.end();
    });
  }

  #damaged(): Error {
    return badInput(`"${this.#place.name}" in the zip file is shorter than it claims: it is damaged`);
  }
}
