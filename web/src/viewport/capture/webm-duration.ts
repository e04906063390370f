/** Ids of the elements of a WebM file (EBML) that contain its duration. */
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
/** ns per unit of time, unless the file names another */
const DEFAULT_SCALE = 1e6;
/** id, size and a float64 */
const DURATION_BYTES = 11;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly body: number;
  /** bytes of the body; null: up to the end of the file, as in a live recording */
  readonly size: number | null;
  /** number of bytes that state the size */
  readonly sizeBytes: number;
}

/** Writes the duration of a recording into its head. Browsers record WebM as a live stream without a duration, so
 *  players show no length and cannot seek. Source: the EBML and Matroska specifications (RFC 8794, RFC 9559).
 *  @returns the file; unchanged if it has another layout or a duration already */
export function withDuration(file: Uint8Array<ArrayBuffer>, ms: number): Uint8Array<ArrayBuffer> {
  const segment = elementsIn(file, 0, file.length).find(({ id }) => id === SEGMENT);
  if (segment === undefined || segment.size !== null) return file;
  const info = elementsIn(file, segment.body, file.length).find(({ id }) => id === INFO);
  if (info?.size === null || info === undefined) return file;
  const end = info.body + info.size;
  if (end > file.length) return file;
  const inside = elementsIn(file, info.body, end);
  if (inside.some(({ id }) => id === DURATION)) return file;
  const scale = inside.find(({ id }) => id === TIMESTAMP_SCALE);
  const unit = scale === undefined ? DEFAULT_SCALE : unsigned(file, scale.body, scale.size ?? 0);
  const head = new Uint8Array(12);
  const view = new DataView(head.buffer);
  view.setUint32(0, INFO);
  view.setUint32(4, 0x01000000); // a size of 8 bytes
  view.setUint32(8, info.size + DURATION_BYTES);
  const duration = new Uint8Array(DURATION_BYTES);
  duration.set([0x44, 0x89, 0x88]);
  new DataView(duration.buffer).setFloat64(3, (ms * 1e6) / unit);
  return joined([file.subarray(0, info.start), head, file.subarray(info.body, end), duration, file.subarray(end)]);
}

/** Lists the elements in a range of a file, up to the first element that has no known size or exceeds the end. */
function elementsIn(file: Uint8Array, from: number, to: number): Element[] {
  const found: Element[] = [];
  let at = from;
  while (at < to) {
    const element = elementAt(file, at);
    if (element === null) break;
    found.push(element);
    if (element.size === null) break;
    at = element.body + element.size;
  }
  return found;
}

function elementAt(file: Uint8Array, start: number): Element | null {
  const idBytes = Math.clz32(file[start] ?? 0) - 23;
  if (idBytes > 4 || start + idBytes >= file.length) return null;
  const sizeBytes = Math.clz32(file[start + idBytes]!) - 23;
  const body = start + idBytes + sizeBytes;
  if (sizeBytes > 8 || body > file.length) return null;
  const bits = unsigned(file, start + idBytes, sizeBytes) - 2 ** (7 * sizeBytes);
  const size = bits >= 2 ** (7 * sizeBytes) - 1 ? null : bits;
  return { id: unsigned(file, start, idBytes), start, body, size, sizeBytes };
}

function unsigned(file: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let k = 0; k < length; k++) value = 256 * value + (file[at + k] ?? 0);
  return value;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
