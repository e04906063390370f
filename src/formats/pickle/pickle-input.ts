import { badInput } from '../../core/errors.ts';

const NEWLINE = 10;
/** Names and numbers in decimal take less; texts may take all that is left. */
const MAX_LINE = 4096;
/** V8 holds strings of half a gigabyte. */
const MAX_TEXT = 256 << 20;

/** The bytes of a pickle, read once from front to back; every length is held against what is left. */
export class PickleInput {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.#at;
  }

  u8(): number {
    return this.#view.getUint8(this.#skip(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#skip(2), true);
  }
  i32(): number {
    return this.#view.getInt32(this.#skip(4), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#skip(4), true);
  }
  f64(): number {
    return this.#view.getFloat64(this.#skip(8), false);
  }
  /** A length of 8 bytes, little-endian. */
  u64(): number {
    const at = this.#skip(8);
    return this.#view.getUint32(at, true) + this.#view.getUint32(at + 4, true) * 2 ** 32;
  }

  /** The next bytes, in the file's memory. */
  take(length: number): Uint8Array {
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  utf8(length: number): string {
    checkText(length);
    const bytes = this.take(length);
    try {
      return this.#utf8.decode(bytes);
    } catch {
      throw badInput('the pickle holds a text that is not UTF-8: it is damaged');
    }
  }

  latin1(length: number): string {
    checkText(length);
    return toLatin1(this.take(length));
  }

  /** A line without its end, one character per byte. */
  line(limit = MAX_LINE): string {
    const end = this.#bytes.indexOf(NEWLINE, this.#at);
    if (end < 0) throw cutOff();
    if (end - this.#at > limit) throw badInput('the pickle holds a name or a number that is too long: it is damaged');
    const line = toLatin1(this.take(end - this.#at));
    this.#at += 1;
    return line;
  }

  textLine(): string {
    return this.line(MAX_TEXT);
  }

  #skip(length: number): number {
    const at = this.#at;
    if (!(length >= 0 && length <= this.#bytes.length - at)) throw cutOff();
    this.#at = at + length;
    return at;
  }
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function checkText(length: number): void {
  if (length > MAX_TEXT) throw badInput('the pickle holds a text of more than 256 MiB; save it with protocol 4 or 5');
}

function cutOff(): Error {
  return badInput('the pickle ends early: it was cut off or damaged');
}
