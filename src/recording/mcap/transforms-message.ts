import type { Instant } from '../instant.ts';
import type { ChunkMemory } from './mcap-file.ts';

const STAMP_BYTES = 12;
const POSE = 7;
/** For each double of a transform (x y z, then quaternion x y z w), its index in a pose (x y z, quaternion wxyz). */
const POSE_ORDER = [0, 1, 2, 4, 5, 6, 3];

/** Encodes `foxglove.FrameTransforms` of a fixed list of frames below `world` in place. The layout of the message is
 *  computed once: timestamps have a fixed number of bytes (padded varints, which every decoder accepts) and zeros are
 *  written, so that a message is a copy of the template with new numbers. */
export class TransformsMessage {
  readonly #template: Uint8Array;
  /** byte offsets in the message: of the timestamps, of the first double of each translation, and of each rotation */
  readonly #stamps: Int32Array;
  readonly #translations: Int32Array;
  readonly #rotations: Int32Array;
  readonly #stamp = new DataView(new ArrayBuffer(STAMP_BYTES));

  /** @param frames names of the child frames, in the order of the poses */
  constructor(frames: readonly string[]) {
    const parts: Uint8Array[] = [];
    this.#stamps = new Int32Array(frames.length);
    this.#translations = new Int32Array(frames.length);
    this.#rotations = new Int32Array(frames.length);
    let at = 0;
    for (const [k, frame] of frames.entries()) {
      const name = Buffer.from(frame);
      const length = 2 + STAMP_BYTES + 2 + WORLD.length + 1 + sizeOfVarint(name.length) + name.length + 29 + 38;
      const head = Buffer.from([0x0a, ...varint(length), 0x0a, STAMP_BYTES]);
      const names = Buffer.from([0x12, WORLD.length, ...WORLD, 0x1a, ...varint(name.length), ...name]);
      const translation = Buffer.from([0x22, 27, ...doubles(3)]);
      const rotation = Buffer.from([0x2a, 36, ...doubles(4)]);
      this.#stamps[k] = at + head.length;
      this.#translations[k] = this.#stamps[k]! + STAMP_BYTES + names.length + 3;
      this.#rotations[k] = this.#translations[k]! - 3 + translation.length + 3;
      const whole = Buffer.concat([head, Buffer.alloc(STAMP_BYTES), names, translation, rotation]);
      parts.push(whole);
      at += whole.length;
    }
    this.#template = Buffer.concat(parts);
  }

  /** Size of the message, bytes. */
  get bytes(): number {
    return this.#template.length;
  }

  /** Writes the message to a chunk at `at`. @param poses position m, quaternion wxyz; those of the first frame at
   *  `from` */
  write({ bytes, view }: ChunkMemory, at: number, stamp: Instant, poses: ArrayLike<number>, from: number): void {
    bytes.set(this.#template, at);
    writeStamp(this.#stamp, stamp);
    const [first, second, third] = [0, 4, 8].map((byte) => this.#stamp.getUint32(byte)) as [number, number, number];
    for (let k = 0, pose = from; k < this.#stamps.length; k += 1, pose += POSE) {
      let to = at + this.#stamps[k]!;
      view.setUint32(to, first);
      view.setUint32(to + 4, second);
      view.setUint32(to + 8, third);
      to = at + this.#translations[k]!;
      for (let axis = 0; axis < 3; axis += 1, to += 9) view.setFloat64(to, poses[pose + axis]!, true);
      to = at + this.#rotations[k]!;
      for (let axis = 3; axis < POSE; axis += 1, to += 9) view.setFloat64(to, poses[pose + POSE_ORDER[axis]!]!, true);
    }
  }
}

const WORLD = Buffer.from('world');

/** Returns the encoded fields 1, 2 … of type double with value 0. */
function doubles(count: number): number[] {
  return Array.from({ length: count }, (_, k) => [8 * (k + 1) + 1, 0, 0, 0, 0, 0, 0, 0, 0]).flat();
}

function varint(value: number): number[] {
  const out: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...out, left];
    out.push((left % 128) | 128);
  }
}

function sizeOfVarint(value: number): number {
  return varint(value).length;
}

/** Writes the fields of a google.protobuf.Timestamp in 12 bytes. */
function writeStamp(out: DataView, { seconds, nanos }: Instant): void {
  out.setUint8(0, 0x08);
  writePadded(out, 1, seconds);
  out.setUint8(6, 0x10);
  writePadded(out, 7, nanos);
}

/** Writes a varint in 5 bytes. @param value below 2^35 */
function writePadded(out: DataView, at: number, value: number): void {
  let left = value;
  for (let k = 0; k < 5; k += 1) {
    out.setUint8(at + k, (left % 128) | (k < 4 ? 128 : 0));
    left = Math.floor(left / 128);
  }
}
