import { badInput } from '../../core/errors.ts';
import { UnreadBytes } from './pickle-values.ts';

const NEWLINE = 10;
/** Limit of a line with a name or a decimal number; texts may be longer. */
const MAX_LINE = 4096;
/** Limit of a text, bytes. V8 limits strings to half a gigabyte. */
const MAX_TEXT = 256 << 20;
/** Size of the pieces in which a file is read. Byte strings longer than this are skipped. */
const WINDOW_BYTES = 64 * 1024;

/** A file from which a pickle is read in parts. */
export interface PickleFile {
  readonly size: number;
  /** Reads a range completely. @throws if the file has become shorter */
  read(position: number, length: number): Uint8Array;
}

/** The bytes of a pickle, read once from front to back. Every length is checked against the remaining bytes. When
 *  reading from a file, long byte strings are skipped, because listings do not need them. */
export class PickleInput {
  readonly #file: PickleFile | null;
  readonly #size: number;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #window: Uint8Array;
  #view: DataView;
  /** offset of the window in the file; `#at` is the offset of the next byte in the window */
  #start = 0;
  #at = 0;

  constructor(source: Uint8Array | PickleFile) {
    this.#file = source instanceof Uint8Array ? null : source;
    this.#size = source instanceof Uint8Array ? source.length : source.size;
    this.#window = source instanceof Uint8Array ? source : new Uint8Array(0);
    this.#view = viewOf(this.#window);
  }

  get position(): number {
    return this.#start + this.#at;
  }

  u8(): number {
    const at = this.#next(1); // must be called first, because it may replace the view
    return this.#view.getUint8(at);
  }
  u16(): number {
    const at = this.#next(2);
    return this.#view.getUint16(at, true);
  }
  i32(): number {
    const at = this.#next(4);
    return this.#view.getInt32(at, true);
  }
  u32(): number {
    const at = this.#next(4);
    return this.#view.getUint32(at, true);
  }
  f64(): number {
    const at = this.#next(8);
    return this.#view.getFloat64(at, false);
  }
  /** Reads a length of 8 bytes, little-endian. */
  u64(): number {
    const at = this.#next(8);
    return this.#view.getUint32(at, true) + this.#view.getUint32(at + 4, true) * 2 ** 32;
  }

  /** Returns the next bytes as a view of the source. When reading from a file, long byte strings yield only their
   *  length. */
  take(length: number): Uint8Array | UnreadBytes {
    if (!this.#file || length <= WINDOW_BYTES) return this.#bytes(length);
    const { position } = this;
    if (length > this.#size - position) throw cutOff();
    this.#move(position + length, new Uint8Array(0));
    return new UnreadBytes(length);
  }

  utf8(length: number): string {
    checkText(length);
    const bytes = this.#bytes(length);
    try {
      return this.#utf8.decode(bytes);
    } catch {
      throw badInput('the pickle contains a text that is not UTF-8: it is damaged');
    }
  }

  latin1(length: number): string {
    checkText(length);
    return toLatin1(this.#bytes(length));
  }

  /** Reads an integer in two's complement, little-endian. */
  long(length: number): bigint {
    if (length === 0) return 0n;
    const hex = Buffer.from(this.#bytes(length)).reverse().toString('hex');
    return BigInt.asIntN(8 * length, BigInt(`0x${hex}`));
  }

  /** Reads a line without its line break, one character per byte. */
  line(limit = MAX_LINE): string {
    let end = this.#window.indexOf(NEWLINE, this.#at);
    for (let wanted = WINDOW_BYTES; end < 0; wanted *= 4) {
      const left = this.#size - this.position;
      if (this.#window.length - this.#at >= left) throw cutOff();
      if (this.#window.length - this.#at > limit) throw tooLong();
      this.#fetch(Math.min(wanted, left));
      end = this.#window.indexOf(NEWLINE, this.#at);
    }
    if (end - this.#at > limit) throw tooLong();
    const line = toLatin1(this.#bytes(end - this.#at));
    this.#at += 1;
    return line;
  }

  textLine(): string {
    return this.line(MAX_TEXT);
  }

  #bytes(length: number): Uint8Array {
    const at = this.#next(length);
    return this.#window.subarray(at, at + length);
  }

  /** Consumes the next bytes and returns their offset in the window. @throws bad_input if fewer bytes are left */
  #next(length: number): number {
    if (!(length <= this.#window.length - this.#at)) {
      if (!(length <= this.#size - this.position)) throw cutOff();
      this.#fetch(Math.max(length, Math.min(WINDOW_BYTES, this.#size - this.position)));
    }
    const at = this.#at;
    this.#at = at + length;
    return at;
  }

  /** Reads a new window that starts at the next byte. */
  #fetch(length: number): void {
    const { position } = this;
    this.#move(position, this.#file!.read(position, length));
  }

  #move(start: number, window: Uint8Array): void {
    this.#start = start;
    this.#at = 0;
    this.#window = window;
    this.#view = viewOf(window);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function checkText(length: number): void {
  if (length > MAX_TEXT)
    throw badInput('the pickle contains a text of more than 256 MiB. Save it with protocol 4 or 5.');
}

function cutOff(): Error {
  return badInput('the pickle ends early: it is truncated or damaged');
}

function tooLong(): Error {
  return badInput('the pickle contains a name or a number that is too long: it is damaged');
}
