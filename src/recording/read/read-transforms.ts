const POSE = 7;

/** Reads the poses of a `foxglove.FrameTransforms`: position m, quaternion wxyz. Unknown fields are skipped.
 *  @param out receives the poses, starting at index `at` @returns the number of transforms; null for a damaged message,
 *  or if `out` is too small */
export function readTransforms(message: Buffer, out: Float32Array, at: number): number | null {
  const cursor = new Cursor(message);
  let count = 0;
  while (cursor.at < message.length) {
    const tag = cursor.varint();
    if (tag !== 0x0a) {
      if (!cursor.skip(tag)) return null;
      continue;
    }
    const end = cursor.lengthEnd(message.length);
    const to = at + POSE * count;
    if (end < 0 || to + POSE > out.length) return null;
    out.fill(0, to, to + POSE);
    while (cursor.at < end) {
      const field = cursor.varint();
      const isPart = field === 0x22 || field === 0x2a;
      const partEnd = isPart ? cursor.lengthEnd(end) : 0;
      if (isPart ? partEnd < 0 || !readDoubles(cursor, partEnd, out, to, field === 0x2a) : !cursor.skip(field))
        return null;
    }
    if (cursor.at !== end) return null;
    count += 1;
  }
  return cursor.at === message.length ? count : null;
}

/** Reads x y z of a translation, or x y z w of a rotation. */
function readDoubles(cursor: Cursor, end: number, out: Float32Array, to: number, isRotation: boolean): boolean {
  while (cursor.at < end) {
    const tag = cursor.varint();
    const field = tag >> 3;
    if ((tag & 7) !== 1 || field < 1 || field > (isRotation ? 4 : 3)) {
      if (!cursor.skip(tag)) return false;
      continue;
    }
    if (cursor.at + 8 > end) return false;
    const index = isRotation ? (field === 4 ? 3 : 3 + field) : field - 1;
    out[to + index] = cursor.double();
  }
  return cursor.at === end;
}

class Cursor {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads a varint below 2^35. Returns −1 for a longer one. */
  varint(): number {
    let value = 0;
    for (let k = 0, scale = 1; k < 5; k += 1, scale *= 128) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) return -1;
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 128) return value;
    }
    return -1;
  }

  double(): number {
    this.at += 8;
    return this.#bytes.readDoubleLE(this.at - 8);
  }

  /** Reads a length. @returns the end of the content; −1 if it is after `limit` */
  lengthEnd(limit: number): number {
    const length = this.varint();
    return length < 0 || this.at + length > limit ? -1 : this.at + length;
  }

  /** Skips the content of a field. @returns whether the content is inside the message */
  skip(tag: number): boolean {
    if (tag < 0) return false;
    const wire = tag & 7;
    if (wire === 0) return this.varint() >= 0;
    const size = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? this.varint() : -1;
    if (size < 0 || this.at + size > this.#bytes.length) return false;
    this.at += size;
    return true;
  }
}
