/** Writes a protobuf message field by field. */
export class MessageWriter {
  readonly #parts: Uint8Array[] = [];

  /** @param value integer from 0 to 2^53 */
  int(field: number, value: number): this {
    this.#parts.push(varint(8 * field), varint(value));
    return this;
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#parts.push(varint(8 * field + 5), bytes);
    return this;
  }

  double(field: number, value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#parts.push(varint(8 * field + 1), bytes);
    return this;
  }

  /** @param value bytes, a text (UTF-8) or a message */
  bytes(field: number, value: Uint8Array | string | MessageWriter): this {
    const content =
      typeof value === 'string'
        ? new TextEncoder().encode(value)
        : value instanceof MessageWriter
          ? value.done()
          : value;
    this.#parts.push(varint(8 * field + 2), varint(content.length), content);
    return this;
  }

  done(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}

function varint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not an integer ≥ 0`);
  const bytes: number[] = [];
  let left = value;
  while (left >= 128) {
    bytes.push((left % 128) | 128);
    left = Math.floor(left / 128);
  }
  return Uint8Array.from([...bytes, left]);
}
