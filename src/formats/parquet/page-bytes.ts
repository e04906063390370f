/** Number types of Thrift's compact protocol. */
const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I32 = 5;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const STRUCT = 12;
/** Maximum depth of the structures in a page header: header, header of the type, statistics. */
const MAX_DEPTH = 4;
/** Longest encodings of 32 and 64 bits in groups of 7 bits, bytes. */
const LONG_32 = 5;
const LONG_64 = 10;

/** Fields by number: numbers up to 32 bits, booleans and structures. Fields of other types are skipped. */
type Fields = ReadonlyMap<number, number | boolean | Fields>;

/** Reads page headers and runs of a Parquet file. Every method returns null if the bytes end or are not valid. */
export class PageBytes {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Number of bytes that have not been read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number | null {
    return this.#bytes[this.#at++] ?? null;
  }

  /** Returns a view of the next bytes. */
  take(length: number): Uint8Array | null {
    if (length > this.left) return null;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Reads four bytes, the least significant first. */
  uint32(): number | null {
    const bytes = this.take(4);
    return bytes && (bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24)) >>> 0;
  }

  /** Reads an unsigned number below 2³² in groups of 7 bits. Refuses numbers with more bits, because decoders treat
   *  them differently. */
  varint(): number | null {
    let value = 0;
    for (let k = 0; k < LONG_32; k += 1) {
      const byte = this.byte();
      if (byte === null) return null;
      value += (byte & 0x7f) * 2 ** (7 * k);
      if (byte < 0x80) return value < 2 ** 32 ? value : null;
    }
    return null;
  }

  /** Reads a structure of the compact protocol. */
  struct(depth = 1): Fields | null {
    if (depth > MAX_DEPTH) return null;
    const fields = new Map<number, number | boolean | Fields>();
    for (let field = 0; ; ) {
      const head = this.byte();
      if (head === null) return null;
      const type = head & 0x0f;
      if (type === STOP) return fields;
      const step = head >> 4 || this.#signed();
      if (step === null) return null;
      field = head >> 4 ? field + step : step;
      const value = this.#value(type, depth);
      if (value === null) return null;
      if (value === undefined) fields.delete(field);
      else fields.set(field, value);
    }
  }

  /** Reads a value. @returns undefined for a value that is skipped */
  #value(type: number, depth: number): number | boolean | Fields | null | undefined {
    switch (type) {
      case TRUE:
      case FALSE:
        return type === TRUE;
      case I16:
      case I32:
        return this.#signed();
      case STRUCT:
        return this.struct(depth + 1);
      case BYTE:
        return this.take(1) && undefined;
      case DOUBLE:
        return this.take(8) && undefined;
      case I64:
        return this.#skipLong();
      case BINARY: {
        const length = this.varint();
        return length === null ? null : this.take(length) && undefined;
      }
      default:
        return null;
    }
  }

  /** Reads a signed number whose sign is stored in the lowest bit. */
  #signed(): number | null {
    const value = this.varint();
    return value === null ? null : value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #skipLong(): null | undefined {
    for (let k = 0; k < LONG_64; k += 1) {
      const byte = this.byte();
      if (byte === null) return null;
      if (byte < 0x80) return undefined;
    }
    return null;
  }
}
