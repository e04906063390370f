import { crc32, inflateSync } from 'node:zlib';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Maximum width and height of an image, px. Nearly all devices with WebGL 2 support it. */
const MAX_SIDE = 4096;
const MAX_DECODED_BYTES = 64 << 20;
/** Samples per pixel by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Passes of an interlaced image: first column, first row, column step, row step. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Returns why a PNG cannot be decoded; null if it can. Reads the size before inflating, and inflates at most the
 *  number of bytes that the header implies. Source: PNG specification, third edition, sections 5, 7 and 8. */
export function pngProblem(bytes: Uint8Array): string | null {
  if (!SIGNATURE.every((byte, k) => bytes[k] === byte)) return 'is not a PNG';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Uint8Array[] = [];
  let expected = 0;
  for (let at = 8; ; ) {
    if (at + 12 > bytes.byteLength) return 'is truncated';
    const length = view.getUint32(at);
    if (at + 12 + length > bytes.byteLength) return 'is truncated';
    const kind = new TextDecoder('latin1').decode(bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) {
      return `has a damaged ${JSON.stringify(kind)} chunk`;
    }
    if (kind === 'IHDR') {
      const size = length === 13 ? decodedBytes(content) : 'has a damaged header';
      if (typeof size === 'string') return size;
      expected = size;
    }
    if (kind === 'IDAT') data.push(content);
    if (kind === 'IEND') break;
    at += 12 + length;
  }
  if (expected === 0) return 'has no header';
  try {
    const decoded = inflateSync(Buffer.concat(data), { maxOutputLength: expected });
    return decoded.byteLength === expected ? null : 'has fewer pixels than its header states';
  } catch {
    return 'has pixels that cannot be decoded';
  }
}

/** Returns the number of bytes of the filtered rows, or the defect of the header as a text. */
function decodedBytes(header: Uint8Array): number | string {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, type = 0, , , interlaced = 0] = header.subarray(8);
  const channels = CHANNELS[type];
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth) || width === 0 || height === 0 || interlaced > 1) {
    return 'has a damaged header';
  }
  if (width > MAX_SIDE || height > MAX_SIDE)
    return `has ${width} × ${height} pixels, the limit is ${MAX_SIDE} × ${MAX_SIDE}`;
  const rows = (columns: number, lines: number) =>
    columns === 0 ? 0 : lines * (1 + Math.ceil((columns * channels * depth) / 8));
  const passes = interlaced === 1 ? ADAM7 : ([[0, 0, 1, 1]] as const);
  const size = passes.reduce(
    (sum, [x, y, dx, dy]) => sum + rows(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
    0,
  );
  return size > MAX_DECODED_BYTES
    ? `needs ${size} bytes, the limit is ${MAX_DECODED_BYTES}. Use 8 bits per channel.`
    : size;
}
