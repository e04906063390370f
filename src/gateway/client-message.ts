import type { ClientMessage } from '../protocol/events.ts';

/** Size limit of a message, bytes. Longer messages are ignored; both kinds of messages are far shorter. */
const MAX_BYTES = 256;
/** Limits of the frame rate that a client may request, frames per second. MIN_FPS is the rate at which every client
 *  receives frames while the scene does not change. */
const MAX_FPS = 1000;
const MIN_FPS = 1;

const decoder = new TextDecoder();

/** Parses a message of a client. Returns null for messages outside of the protocol, which are ignored. */
export function readClientMessage(message: Uint8Array, isBinary: boolean): ClientMessage | null {
  if (isBinary || message.byteLength > MAX_BYTES) return null;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(message));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  if (value.type === 'ack' && 'seq' in value && isNumber(value.seq)) {
    return { type: 'ack', seq: value.seq };
  }
  if (value.type === 'rate' && 'fps' in value && typeof value.fps === 'number' && value.fps > 0) {
    return { type: 'rate', fps: Math.min(MAX_FPS, Math.max(MIN_FPS, value.fps)) };
  }
  return null;
}

/** Returns true for a valid frame number. Frames are numbered from 1. */
function isNumber(seq: unknown): seq is number {
  return Number.isSafeInteger(seq) && (seq as number) > 0;
}
