import { maskedCrc32c } from './crc32c.ts';

/** One metric of a training. */
export interface Scalar {
  readonly tag: string;
  readonly value: number;
}

/** Fields of TensorFlow's Event, Summary and Summary.Value messages as key bytes (field number and wire type). */
const KEY = {
  wallTime: 0x09,
  step: 0x10,
  fileVersion: 0x1a,
  summary: 0x2a,
  summaryValue: 0x0a,
  valueTag: 0x0a,
  simpleValue: 0x15,
} as const;

const text = new TextEncoder();

/** Formats the version record, the first record of every event file. @param wallTime s since 1970 */
export function versionRecord(wallTime: number): Uint8Array {
  return record(concat([timeField(wallTime), lengthDelimited(KEY.fileVersion, text.encode('brain.Event:2'))]));
}

/** Formats a record with the scalars of one step. @param wallTime s since 1970  @param step integer ≥ 0 */
export function scalarsRecord(wallTime: number, step: number, scalars: readonly Scalar[]): Uint8Array {
  const values = scalars.map(({ tag, value }) => {
    const simple = new Uint8Array(5);
    simple[0] = KEY.simpleValue;
    new DataView(simple.buffer).setFloat32(1, value, true);
    return lengthDelimited(KEY.summaryValue, concat([lengthDelimited(KEY.valueTag, text.encode(tag)), simple]));
  });
  return record(
    concat([
      timeField(wallTime),
      Uint8Array.of(KEY.step, ...varint(step)),
      lengthDelimited(KEY.summary, concat(values)),
    ]),
  );
}

/** Frames a TFRecord: length, checksum of the length, content, checksum of the content. */
function record(content: Uint8Array): Uint8Array {
  const out = new Uint8Array(16 + content.length);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(content.length), true);
  view.setUint32(8, maskedCrc32c(out, 0, 8), true);
  out.set(content, 12);
  view.setUint32(12 + content.length, maskedCrc32c(content), true);
  return out;
}

function timeField(wallTime: number): Uint8Array {
  const out = new Uint8Array(9);
  out[0] = KEY.wallTime;
  new DataView(out.buffer).setFloat64(1, wallTime, true);
  return out;
}

function lengthDelimited(key: number, content: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(key, ...varint(content.length)), content]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
