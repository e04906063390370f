import { randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import type { Socket } from 'node:net';

const BINARY = 2;
const CLOSE = 8;
const FINAL = 0x80;
const MASKED = 0x80;

/** A websocket client that only acknowledges and counts frames, so that the measurement shows the cost of the
 *  service. Understands unmasked messages in one part, which is what the service sends. */
export class FrameClient {
  frames = 0;
  bytes = 0;
  readonly #request: ClientRequest;
  #socket: Socket | null = null;
  #rest: Buffer = Buffer.alloc(0);

  /** @param url of a service, with a slash at the end */
  constructor(url: string) {
    this.#request = request(`${url}ws`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
  }

  /** Resolves when the connection is open. @throws if the service refuses it */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#request.once('upgrade', (_, socket, head) => {
        this.#socket = socket;
        socket.on('data', (chunk: Buffer) => this.#take(chunk));
        socket.on('error', () => {}); // Ignore errors after the connection opened: the service ends before its clients.
        this.#take(head);
        resolve();
      });
      this.#request.once('response', ({ statusCode }) => reject(new Error(`/ws answers ${statusCode}`)));
      this.#request.once('error', reject);
      this.#request.end();
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const message = firstMessage(this.#rest);
      if (message === null) return;
      this.#rest = this.#rest.subarray(message.end);
      if (message.kind === CLOSE) this.close();
      if (message.kind === BINARY) this.#frame(message.payload);
    }
  }

  #frame(payload: Buffer): void {
    this.frames += 1;
    this.bytes += payload.length;
    const { seq } = JSON.parse(payload.toString('utf8', 4, 4 + payload.readUInt32LE(0))) as { readonly seq: number };
    const text = Buffer.from(JSON.stringify({ type: 'ack', seq }));
    // A mask of zeros leaves the text as it is.
    this.#socket?.write(Buffer.concat([Buffer.from([FINAL | 1, MASKED | text.length, 0, 0, 0, 0]), text]));
  }
}

/** Returns the first message of `data`, or null if the message is incomplete (RFC 6455, 5.2). */
function firstMessage(data: Buffer): { readonly kind: number; readonly payload: Buffer; readonly end: number } | null {
  if (data.length < 2) return null;
  const short = data[1]! & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < start) return null;
  const length = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  const end = start + length;
  return data.length < end ? null : { kind: data[0]! & 0x0f, payload: data.subarray(start, end), end };
}
