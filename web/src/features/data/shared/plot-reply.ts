import type { ReplyOf } from '../../../../../src/protocol/route.ts';
import type { getClipPlots } from '../../../../../src/protocol/routes/plots.ts';

export type PlotReply = ReplyOf<typeof getClipPlots>;
export type Channel = PlotReply['channels'][number];

/** Decodes base64 into little-endian float32, the byte order of all machines that run browsers.
 *  @throws Error if the text is not base64 or its length is not a multiple of 4 bytes */
export function decodeFloats(text: string): Float32Array {
  const bytes = decodeBase64(text);
  if (bytes.length % 4 !== 0)
    throw new Error(`plot data: ${bytes.length} bytes are not a whole count of float32 numbers`);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native !== undefined) return native.call(Uint8Array, text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = characters.charCodeAt(k);
  return bytes;
}
