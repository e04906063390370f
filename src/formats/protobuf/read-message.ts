import { badInput } from '../../core/errors.ts';

/** Content of a field, by wire type. */
export type WireValue =
  | { readonly wire: 'varint'; readonly value: bigint }
  | { readonly wire: 'fixed'; readonly bytes: Uint8Array }
  | { readonly wire: 'bytes'; readonly bytes: Uint8Array };

const utf8 = new TextDecoder('utf-8');
const MAX_VARINT_BYTES = 10;
const MAX_TEXT_BYTES = 1 << 20;

/** Yields the fields of a protobuf message in file order. Contents are views of `message`.
 *  @throws bad_input for a truncated message, or one with groups, which are obsolete */
export function* fieldsOf(message: Uint8Array): Generator<readonly [field: number, value: WireValue]> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let i = 0; i < MAX_VARINT_BYTES; i += 1) {
      const byte = message[at];
      if (byte === undefined) throw damaged('ends within a number');
      at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw damaged('contains a number that does not end');
  };
  const take = (length: number): Uint8Array => {
    if (length > message.length - at) throw damaged('ends too early');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (field === 0 || field > 0x1fffffff) throw damaged('has a field without a number');
    if (wire === 0) yield [field, { wire: 'varint', value: varint() }];
    else if (wire === 1) yield [field, { wire: 'fixed', bytes: take(8) }];
    else if (wire === 2) yield [field, { wire: 'bytes', bytes: take(Number(varint())) }];
    else if (wire === 5) yield [field, { wire: 'fixed', bytes: take(4) }];
    else throw damaged(`has a field of wire type ${wire}`);
  }
}

export function bytesOf(value: WireValue): Uint8Array {
  if (value.wire !== 'bytes') throw damaged('has a number in a field that requires bytes');
  return value.bytes;
}

/** Decodes a text. @throws bad_input for more than 1 MiB, because names and lists of names are shorter */
export function textOf(value: WireValue): string {
  const bytes = bytesOf(value);
  if (bytes.length > MAX_TEXT_BYTES)
    throw damaged(`has a text of ${bytes.length} bytes, the limit is ${MAX_TEXT_BYTES}`);
  return utf8.decode(bytes);
}

/** Decodes an integer within ±2^53. */
export function intOf(value: WireValue): number {
  if (value.wire !== 'varint') throw damaged('has bytes in a field that requires a number');
  const number = Number(BigInt.asIntN(64, value.value));
  if (!Number.isSafeInteger(number)) throw damaged('contains a number beyond 2^53');
  return number;
}

export function floatOf(value: WireValue): number {
  if (value.wire !== 'fixed' || value.bytes.length !== 4) throw damaged('has no float32 in a field that requires one');
  return viewOf(value.bytes).getFloat32(0, true);
}

/** Decodes the integers of a repeated field: all integers of a packed field, or a single one.
 *  @param most maximum count: an integer can take one byte in the file, but takes eight in memory
 *  @throws bad_input beyond the maximum */
export function intsOf(value: WireValue, most: number): number[] {
  if (value.wire === 'varint') return [intOf(value)];
  const bytes = bytesOf(value);
  const out: number[] = [];
  let number = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    number |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (shift > 70n) throw damaged('contains a number that does not end');
    if (byte >= 0x80) continue;
    if (out.length === most) throw damaged(`has a list of more than ${most} numbers, which is the limit`);
    out.push(intOf({ wire: 'varint', value: BigInt.asUintN(64, number) }));
    number = 0n;
    shift = 0n;
  }
  if (shift !== 0n) throw damaged('ends within a number');
  return out;
}

/** Returns the little-endian float32 bytes of a repeated field: all floats of a packed field, or a single one. The
 *  result is a view of the message. */
export function floatBytesOf(value: WireValue): Uint8Array {
  if (value.wire === 'varint' || value.bytes.length % 4 !== 0)
    throw damaged('has no float32 in a field that requires them');
  return value.bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(what: string): Error {
  return badInput(`not a protobuf message, or a damaged one: it ${what}`);
}
