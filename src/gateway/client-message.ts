import type { ClientMessage } from '../protocol/events.ts';

/** Most bytes of a message that is looked at; both kinds are far shorter. */
const MAX_BYTES = 256;
/** Frames a second that a client may ask for; an unchanged scene gives one, which everyone gets. */
const MAX_FPS = 1000;
const MIN_FPS = 1;

const decoder = new TextDecoder();

/** Reads what a client sent. Null for everything that is no message of the protocol: it is ignored. */
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

/** Frames are counted from 1. */
function isNumber(seq: unknown): seq is number {
  return Number.isSafeInteger(seq) && (seq as number) > 0;
}
