import { maskedCrc32c } from './crc32c.ts';

/** Receives one scalar. @param step as in the file  @param wallTime s since 1970 */
export type ScalarVisitor = (tag: string, step: number, value: number, wallTime: number) => void;

/** Result of reading a piece of an event file. */
export interface EventsRead {
  /** bytes of complete records; the remaining bytes may be a record that is still being written */
  readonly consumed: number;
  /** why the record at `consumed` is damaged; null if it is only incomplete or absent */
  readonly damage: string | null;
}

/** Maximum size of a record, bytes. A larger length is treated as damage. */
const MAX_RECORD = 1 << 28;

/** Reads a piece of a TensorBoard event file and visits its scalars: `simple_value`, and scalar tensors of type float
 *  or double, which newer writers use. Skips other values. Leaves an incomplete record for the next call, because the
 *  file may be growing.
 *  @param bytes must begin at a record */
export function readEvents(bytes: Uint8Array, visit: ScalarVisitor): EventsRead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 12 <= bytes.length) {
    if (view.getUint32(at + 8, true) !== maskedCrc32c(bytes, at, at + 8)) {
      return { consumed: at, damage: `the record at byte ${at} has a damaged length` };
    }
    const length = Number(view.getBigUint64(at, true));
    if (length > MAX_RECORD) return { consumed: at, damage: `the record at byte ${at} claims ${length} bytes` };
    const end = at + 12 + length;
    if (end + 4 > bytes.length) break;
    if (view.getUint32(end, true) !== maskedCrc32c(bytes, at + 12, end)) {
      return { consumed: at, damage: `the record at byte ${at} has damaged content` };
    }
    readEvent(new Message(bytes, view, at + 12, end), visit);
    at = end + 4;
  }
  return { consumed: at, damage: null };
}

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Walks the fields of one protobuf message. */
class Message {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  #at: number;
  field = 0;
  wire = 0;

  /** @param view covers the same bytes */
  constructor(bytes: Uint8Array, view: DataView, start: number, end: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.#at = start;
    this.#end = end;
  }

  /** Moves to the next field. Returns false at the end and for invalid data. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const key = this.varint();
    this.field = Math.floor(key / 8);
    this.wire = key % 8;
    return this.#at <= this.#end;
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 0x80;
    }
    return value;
  }

  double(): number {
    this.#at += 8;
    return this.#at <= this.#end ? this.#view.getFloat64(this.#at - 8, true) : Number.NaN;
  }

  float(): number {
    this.#at += 4;
    return this.#at <= this.#end ? this.#view.getFloat32(this.#at - 4, true) : Number.NaN;
  }

  message(): Message {
    const [start, end] = this.#range();
    return new Message(this.#bytes, this.#view, start, end);
  }

  text(): string {
    const [start, end] = this.#range();
    return decodeTag(this.#bytes, start, end);
  }

  skip(): void {
    if (this.wire === WIRE.varint) this.varint();
    else if (this.wire === WIRE.fixed64) this.#at += 8;
    else if (this.wire === WIRE.fixed32) this.#at += 4;
    else if (this.wire === WIRE.bytes) this.#range();
    else this.#at = this.#end;
  }

  #range(): [number, number] {
    const length = this.varint();
    const start = this.#at;
    this.#at = Math.min(this.#end, start + length);
    return [start, this.#at];
  }
}

const decoder = new TextDecoder();
interface KnownTag {
  readonly bytes: Uint8Array;
  readonly text: string;
}
/** Cache of decoded tags in the order of their first appearance. Every step repeats the tags in the same order, so the
 *  next tag is usually predicted correctly. */
let inOrder: KnownTag[] = [];
let expected = 0;
const KEPT_TAGS = 4096;

function decodeTag(bytes: Uint8Array, start: number, end: number): string {
  const next = inOrder[expected];
  if (next && isTag(next, bytes, start, end)) {
    expected = (expected + 1) % inOrder.length;
    return next.text;
  }
  let found = inOrder.findIndex((known) => isTag(known, bytes, start, end));
  if (found === -1) {
    if (inOrder.length >= KEPT_TAGS) inOrder = [];
    const own = bytes.slice(start, end);
    found = inOrder.push({ bytes: own, text: decoder.decode(own) }) - 1;
  }
  expected = (found + 1) % inOrder.length;
  return inOrder[found]!.text;
}

function isTag({ bytes: known }: KnownTag, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  // Compare from the end, because tags share their first characters.
  for (let k = known.length - 1; k >= 0; k--) if (known[k] !== bytes[start + k]) return false;
  return true;
}

function readEvent(event: Message, visit: ScalarVisitor): void {
  let wallTime = 0;
  let step = 0;
  while (event.next()) {
    if (event.field === 1 && event.wire === WIRE.fixed64) wallTime = event.double();
    else if (event.field === 2 && event.wire === WIRE.varint) step = event.varint();
    else if (event.field === 5 && event.wire === WIRE.bytes) {
      const summary = event.message();
      while (summary.next()) {
        if (summary.field === 1 && summary.wire === WIRE.bytes) readValue(summary.message(), step, wallTime, visit);
        else summary.skip();
      }
    } else event.skip();
  }
}

function readValue(value: Message, step: number, wallTime: number, visit: ScalarVisitor): void {
  let tag = '';
  let scalar: number | null = null;
  while (value.next()) {
    if (value.field === 1 && value.wire === WIRE.bytes) tag = value.text();
    else if (value.field === 2 && value.wire === WIRE.fixed32) scalar = value.float();
    else if (value.field === 8 && value.wire === WIRE.bytes) scalar = scalarOf(value.message());
    else value.skip();
  }
  if (tag !== '' && scalar !== null) visit(tag, step, scalar, wallTime);
}

/** Returns the value of a tensor of one float (type 1) or double (type 2); null for other tensors. */
function scalarOf(tensor: Message): number | null {
  let type = 0;
  let scalar: number | null = null;
  while (tensor.next()) {
    if (tensor.field === 1 && tensor.wire === WIRE.varint) type = tensor.varint();
    else if (tensor.field === 4 && tensor.wire === WIRE.bytes) {
      const content = tensor.message();
      scalar = type === 2 ? content.double() : content.float();
    } else if (tensor.field === 5 && tensor.wire === WIRE.bytes) scalar = tensor.message().float();
    else if (tensor.field === 5 && tensor.wire === WIRE.fixed32) scalar = tensor.float();
    else if (tensor.field === 6 && tensor.wire === WIRE.bytes) scalar = tensor.message().double();
    else if (tensor.field === 6 && tensor.wire === WIRE.fixed64) scalar = tensor.double();
    else tensor.skip();
  }
  return type === 1 || type === 2 ? scalar : null;
}
