import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { placeOf } from '../../core/validation.ts';
import type { TransportRequest, TransportResponse } from '../transport/transport.ts';
import { tooLarge } from './upload-stream.ts';

/** The limit of a JSON body, and what to send instead of a larger one. */
export interface BodyLimit {
  readonly bytes: number;
  readonly remedy?: string | undefined;
}

/** Reads the bytes of a JSON body. Call it before the handler's first `await`.
 *  @param done receives all bytes, valid only during the call, or the error: too_large, unsupported_media */
export function readJsonBytes(
  response: TransportResponse,
  request: TransportRequest,
  { bytes: limitBytes, remedy }: BodyLimit,
  done: (bytes: Uint8Array, error: StudioError | null) => void,
): void {
  const length = Number(request.header('content-length'));
  if (length > limitBytes) throw tooLarge(limitBytes, remedy);
  const isJson = JSON_TYPE.test(request.header('content-type'));
  if (!isJson && length > 0) throw NOT_JSON;
  // Use one growing buffer. A client may send chunks of one byte, and a separate array for each chunk would take about
  // 100 bytes.
  let body = NO_BYTES;
  let received = 0;
  let over = false;
  response.onData((chunk, isLast) => {
    if (over) return;
    const before = received;
    received += chunk.byteLength;
    const error = received > limitBytes ? tooLarge(limitBytes, remedy) : !isJson && received > 0 ? NOT_JSON : null;
    over = isLast || error !== null;
    if (error !== null) {
      body = NO_BYTES;
      done(NO_BYTES, error);
    } else if (isLast && before === 0) done(chunk, null);
    else {
      if (received > body.byteLength) {
        const larger = new Uint8Array(Math.min(limitBytes, Math.max(received, 2 * body.byteLength)));
        larger.set(body.subarray(0, before));
        body = larger;
      }
      // Copy the chunk: it is valid only during this call.
      body.set(chunk, before);
      if (isLast) done(body.subarray(0, received), null);
    }
  });
}

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
const NO_BYTES = new Uint8Array();
const NOT_JSON = new StudioError(
  'unsupported_media',
  'the body must be JSON. Send it with the header content-type: application/json',
);

const decoder = new TextDecoder('utf-8', { fatal: true });
/** Maximum nesting depth. No contract needs as much, and the recursive functions that read the body afterwards can
 *  handle it. */
const MAX_DEPTH = 64;

/** Parses a JSON body. An empty body means `{}`.
 *  @throws bad_input for invalid JSON, numbers beyond the range of a double (which parse to Infinity), the key
 *  `__proto__` and more than 64 levels of nesting */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return {};
  const value = parse(bytes);
  refuseStrange(value);
  return value;
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw badInput('body: must be UTF-8');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badInput(`body: is not valid JSON: ${messageOf(error)}`);
  }
}

interface Place {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Place | null;
  readonly depth: number;
}

function refuseStrange(root: unknown): void {
  const stack: Place[] = [{ value: root, key: '', parent: null, depth: 0 }];
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { value, depth } = place;
    if (typeof value === 'number' && !Number.isFinite(value))
      throw badInput(`${nameOf(place)}: must be a finite number`);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) throw badInput(`body: nested more than ${MAX_DEPTH} levels deep, which is the limit`);
    for (const [key, item] of Object.entries(value)) {
      const inner: Place = { value: item, key, parent: place, depth: depth + 1 };
      if (key === '__proto__') throw badInput(`${nameOf(inner)}: this name is reserved. Use another name.`);
      stack.push(inner);
    }
  }
}

function nameOf(place: Place): string {
  const path: string[] = [];
  for (let at: Place | null = place; at?.parent; at = at.parent) path.unshift(at.key);
  return placeOf(path, 'body');
}
