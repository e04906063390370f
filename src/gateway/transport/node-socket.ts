import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type {
  SendResult,
  SocketBehavior,
  SocketMessage,
  TransportRequest,
  TransportResponse,
  TransportSocket,
} from './transport.ts';

/** Time for the client to answer a close frame, ms. */
const GOODBYE_MS = 2000;
/** Number of checks for silent clients within one idle timeout. */
const CHECKS = 4;

const FIN = 0x80;
const OPCODE = { text: 1, binary: 2, ping: 9 } as const;

/** A complete websocket frame (RFC 6455, 5.2), sent to every client of the message. */
interface NodeMessage extends SocketMessage {
  readonly wire: Buffer;
}

/** Returns an unmasked frame with room for `length` payload bytes, and the index of the first one. */
function frameFor(opcode: number, length: number): [Buffer, number] {
  const start = length < 126 ? 2 : length < 0x10000 ? 4 : 10;
  // Do not use Node's pool of small buffers, because the socket may keep the memory for a long time.
  const wire = Buffer.allocUnsafeSlow(start + length);
  wire[0] = FIN | opcode;
  if (start === 2) wire[1] = length;
  else if (start === 4) {
    wire[1] = 126;
    wire.writeUInt16BE(length, 2);
  } else {
    wire[1] = 127;
    wire.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    wire.writeUInt32BE(length >>> 0, 6);
  }
  return [wire, start];
}

class NodeSocket<Data> implements TransportSocket<Data> {
  readonly data: Data;
  readonly #socket: Socket;
  readonly #websocket: WebSocket;
  readonly #maxBufferedBytes: number;
  readonly #onEnd: (socket: NodeSocket<Data>) => void;
  /** time of the client's last message or pong, on the clock of performance.now() */
  heardMs = performance.now();

  constructor(
    data: Data,
    socket: Socket,
    websocket: WebSocket,
    maxBufferedBytes: number,
    onEnd: (socket: NodeSocket<Data>) => void,
  ) {
    this.data = data;
    this.#socket = socket;
    this.#websocket = websocket;
    this.#maxBufferedBytes = maxBufferedBytes;
    this.#onEnd = onEnd;
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Bypasses `ws`, which would build the frame head again for every client. Without compression `ws` does not queue
   *  messages, so the order of frames is kept. */
  send(message: SocketMessage): SendResult {
    const { wire } = message as NodeMessage;
    if (!this.#socket.writable || this.#socket.writableLength + wire.byteLength > this.#maxBufferedBytes)
      return 'dropped';
    this.#socket.write(wire);
    return 'sent';
  }

  ping(payload: Uint8Array): void {
    if (!this.#socket.writable) return;
    const [wire, start] = frameFor(OPCODE.ping, payload.byteLength);
    wire.set(payload, start);
    this.#socket.write(wire);
  }

  cork(writes: () => void): void {
    this.#socket.cork();
    try {
      writes();
    } finally {
      this.#socket.uncork();
    }
  }

  end(code: number, reason: string): void {
    this.#websocket.close(code, reason);
    setTimeout(() => this.#websocket.terminate(), GOODBYE_MS).unref();
    this.#onEnd(this);
  }

  cut(): void {
    this.#websocket.terminate();
  }
}

/** The websockets of the node transport. */
export class NodeSockets {
  readonly #open = new Set<NodeSocket<unknown>>();
  #behavior: SocketBehavior<unknown> | null = null;
  #server: WebSocketServer | null = null;
  #timer: NodeJS.Timeout | null = null;
  #accepted: unknown = null;
  #latest: { readonly seq: number; readonly message: NodeMessage } | null = null;

  serve<Data>(behavior: SocketBehavior<Data>): void {
    this.#behavior = behavior as SocketBehavior<unknown>;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // Frames are floats: compressing them costs more than it saves.
      perMessageDeflate: false,
      maxPayload: behavior.maxMessageBytes,
    });
    const idleMs = behavior.idleTimeoutS * 1000;
    this.#timer = setInterval(() => this.#check(idleMs), idleMs / CHECKS);
    this.#timer.unref();
  }

  /** Returns true if the handshake is accepted; then call `open` at once. A refused handshake has been answered. */
  accepts(request: TransportRequest, response: TransportResponse): boolean {
    this.#accepted = this.#behavior?.upgrade(request, response) ?? null;
    return this.#accepted !== null;
  }

  open(request: IncomingMessage, raw: Socket, head: Buffer): void {
    const behavior = this.#behavior!;
    const data = this.#accepted;
    this.#server!.handleUpgrade(request, raw, head, (websocket) => {
      const closed = (socket: NodeSocket<unknown>) => {
        if (this.#open.delete(socket)) behavior.close(socket);
      };
      const socket = new NodeSocket(data, raw, websocket, behavior.maxBufferedBytes, closed);
      this.#open.add(socket);
      websocket.on('message', (message: Buffer, isBinary: boolean) => {
        socket.heardMs = performance.now();
        if (this.#open.has(socket)) behavior.message(socket, message, isBinary);
      });
      websocket.on('pong', (payload: Buffer) => {
        socket.heardMs = performance.now();
        if (this.#open.has(socket)) behavior.pong(socket, payload);
      });
      websocket.on('ping', () => {
        socket.heardMs = performance.now();
      });
      // `ws` closes the connection with the code of the client's error.
      websocket.on('error', () => {});
      websocket.on('close', () => closed(socket));
      behavior.open(socket);
    });
  }

  /** Copies a frame once for all clients: sockets may write it later, when the ring has already been overwritten. */
  frame(bytes: Uint8Array, seq: number): NodeMessage {
    if (this.#latest?.seq === seq) return this.#latest.message;
    const [wire, start] = frameFor(OPCODE.binary, bytes.byteLength);
    wire.set(bytes, start);
    const message = { byteLength: bytes.byteLength, wire };
    this.#latest = { seq, message };
    return message;
  }

  text(text: string): NodeMessage {
    const length = Buffer.byteLength(text);
    const [wire, start] = frameFor(OPCODE.text, length);
    wire.write(text, start);
    return { byteLength: length, wire };
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    for (const socket of this.#open) socket.cut();
  }

  #check(idleMs: number): void {
    const now = performance.now();
    for (const socket of this.#open) {
      const silentMs = now - socket.heardMs;
      if (silentMs > idleMs) socket.cut();
      else if (silentMs > idleMs / 2) socket.ping(NO_BYTES);
    }
  }
}

const NO_BYTES = new Uint8Array(0);
