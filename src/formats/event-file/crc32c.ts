/** Castagnoli polynomial in reversed bit order. */
const POLYNOMIAL = 0x82f63b78;

/** Bytes processed per step. */
const SLICE = 8;

/** `TABLES[256·k + byte]`: contribution of a byte followed by k further bytes. */
const TABLES = makeTables();

function makeTables(): Uint32Array {
  const tables = new Uint32Array(256 * SLICE);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    tables[byte] = value;
  }
  for (let k = 256; k < tables.length; k++) {
    const before = tables[k - 256]!;
    tables[k] = tables[before & 0xff]! ^ (before >>> 8);
  }
  return tables;
}

/** Computes the CRC-32C (RFC 3720, B.4) of the bytes from `start` to `end`, eight bytes per step ("slicing by 8"). */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = 0xffffffff;
  let at = start;
  for (; at + SLICE <= end; at += SLICE) {
    crc =
      TABLES[1792 + ((crc ^ bytes[at]!) & 0xff)]! ^
      TABLES[1536 + (((crc >>> 8) ^ bytes[at + 1]!) & 0xff)]! ^
      TABLES[1280 + (((crc >>> 16) ^ bytes[at + 2]!) & 0xff)]! ^
      TABLES[1024 + ((crc >>> 24) ^ bytes[at + 3]!)]! ^
      TABLES[768 + bytes[at + 4]!]! ^
      TABLES[512 + bytes[at + 5]!]! ^
      TABLES[256 + bytes[at + 6]!]! ^
      TABLES[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = TABLES[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Computes a masked checksum as in TFRecord files: rotated by 15 bits, plus a constant. Masking is needed because the
 *  data may itself contain checksums. */
export function maskedCrc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const crc = crc32c(bytes, start, end);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
