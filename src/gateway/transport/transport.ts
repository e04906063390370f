/** The interface between the gateway and an HTTP engine. Two adapters implement it: `uws` (uWebSockets.js) and `node`
 *  (node:http and the `ws` package). Clients see no difference. */

type TransportName = 'uws' | 'node';

/** `auto` selects uws if its binary loads, otherwise node. */
export const TRANSPORT_CHOICES = ['auto', 'uws', 'node'] as const;
export type TransportChoice = (typeof TRANSPORT_CHOICES)[number];

/** Lower-case names; values without line breaks. */
export type Headers = Readonly<Record<string, string>>;

/** The start of an answer. Adapters add `x-request-id`, `SECURITY_HEADERS` and the framing of the body. */
export interface Head {
  readonly status: number;
  readonly requestId: string;
  readonly headers: Headers;
}

/** Headers of every answer. */
export const SECURITY_HEADERS: Headers = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** A request. Read it only in the synchronous part of the handler: the transport reuses it afterwards. */
export interface TransportRequest {
  /** method as sent, so `GET`, not `get` */
  readonly method: string;
  /** path as sent: not decoded, without the query */
  readonly path: string;
  /** without the question mark; `''` if missing */
  readonly query: string;
  /** @param name in lower case  @returns `''` if the header is missing */
  header(name: string): string;
  /** @param visit gets each name in lower case */
  eachHeader(visit: (name: string, value: string) => void): void;
}

/** Reader of a request's body. `chunk` is valid only during the call. */
export type DataListener = (chunk: Uint8Array, isLast: boolean) => void;

/** The answer to a request, and the body of the request. Calls have no effect after the client has disconnected or the
 *  answer is complete. */
export interface TransportResponse {
  /** 4 or 16 bytes */
  readonly peer: Uint8Array;
  /** Calls `listener` when the connection ends before the answer is complete. A new listener replaces the previous
   *  one. */
  onGone(listener: () => void): void;
  /** Reads the body. Call this within the handler's synchronous part. The last call has `isLast` and may be empty. */
  onData(listener: DataListener): void;
  /** Stops and continues reading the body. */
  pause(): void;
  resume(): void;
  /** Sends a complete answer. @param body null sends only headers, with the `content-length` of `head` if present */
  answer(head: Head, body: string | Uint8Array | null): void;
  /** Starts an answer whose body is written in parts. @param size bytes of the whole body, or null if unknown */
  begin(head: Head, size: number | null): BodyWriter;
  /** Cuts the connection. */
  cut(): void;
}

/** Writes the body of an answer part by part. */
export interface BodyWriter {
  /** Resolves when the socket has room for the next part, or the client has disconnected. */
  write(part: Uint8Array): Promise<void>;
  /** Ends a body of unknown size. A body of known size ends with its last byte. */
  end(): void;
}

export type RequestHandler = (request: TransportRequest, response: TransportResponse) => void;

/** A message in the form that the adapter sends: created once, sent to any number of clients. */
export interface SocketMessage {
  /** length of the message itself */
  readonly byteLength: number;
}

/** Result of `send`. */
export type SendResult = 'sent' | 'dropped';

export interface TransportSocket<Data> {
  readonly data: Data;
  /** Bytes waiting in this process. The operating system buffers megabytes before any wait here. */
  readonly bufferedBytes: number;
  /** Sends the message, or drops it if too many bytes wait for this client. Does not use the memory after it
   *  returns. */
  send(message: SocketMessage): SendResult;
  /** @param payload at most 125 bytes */
  ping(payload: Uint8Array): void;
  /** Calls `writes` and combines all messages that it sends into one write. */
  cork(writes: () => void): void;
  /** Sends a close frame and closes. */
  end(code: number, reason: string): void;
}

/** Limits and listeners of the websocket. */
export interface SocketBehavior<Data> {
  /** A connection that is silent for longer is closed, s. The adapter sends pings in time. */
  readonly idleTimeoutS: number;
  /** A longer message ends the connection with code 1009. */
  readonly maxMessageBytes: number;
  /** `send` drops messages above this. */
  readonly maxBufferedBytes: number;
  /** @returns the data of the new socket, or null to refuse; `response` is then answered, now or later */
  upgrade(request: TransportRequest, response: TransportResponse): Data | null;
  open(socket: TransportSocket<Data>): void;
  /** `message` is valid during the call only. */
  message(socket: TransportSocket<Data>, message: Uint8Array, isBinary: boolean): void;
  pong(socket: TransportSocket<Data>, payload: Uint8Array): void;
  close(socket: TransportSocket<Data>): void;
}

/** An HTTP engine with one request handler and websockets at one path. */
export interface Transport {
  readonly name: TransportName;
  /** Sets the handler of all requests except websocket handshakes. Call it once, before `listen`. */
  onRequest(handler: RequestHandler): void;
  /** Sets path and behaviour of the websocket. Call it once, before `listen`. */
  onSocket<Data>(path: string, behavior: SocketBehavior<Data>): void;
  /** Creates a binary message from `bytes`. The bytes are not copied: do not change them before the message was
   *  sent to all clients.  @param seq number of the frame; messages with the same number have the same bytes */
  frame(bytes: Uint8Array, seq: number): SocketMessage;
  /** Creates a text message. */
  text(text: string): SocketMessage;
  /** @throws unavailable with the reason why the port cannot be used, and the remedy */
  listen(host: string, port: number): Promise<Listener>;
  /** Cuts every connection and stops listening. */
  close(): void;
}

export interface Listener {
  readonly port: number;
  /** Accepts no more connections; open ones stay. */
  stop(): void;
}

/** A request or connection that the transport refuses itself, before the gateway sees it. */
export interface TransportRefusal {
  /** method; '' if the request could not be read, as is `path` */
  readonly method: string;
  /** path as sent, without the query */
  readonly path: string;
  readonly status: number;
  /** reason, as sent to the client */
  readonly detail: string;
  /** 4 or 16 bytes */
  readonly peer: Uint8Array;
}

export interface TransportOptions {
  /** Maximum number of open connections; a further one is answered 503 and closed. */
  readonly maxConnections: number;
  /** Called for refused requests and connections, as far as the engine reports them. */
  readonly onRefused?: (refused: TransportRefusal) => void;
}
