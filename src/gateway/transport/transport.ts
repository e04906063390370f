/** The one interface between the gateway and an HTTP engine. Two adapters implement it: `uws` (uWebSockets.js) and `node`
 *  (node:http and the `ws` package). A client cannot tell which of them serves it. */

export type TransportName = 'uws' | 'node';

/** `auto`: uws wherever its binary loads, else node. */
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

/** Sent with every answer. */
export const SECURITY_HEADERS: Headers = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** Valid only while the handler's synchronous part runs. */
export interface TransportRequest {
  /** as sent, so `GET`, not `get` */
  readonly method: string;
  /** as sent: not decoded, without the query */
  readonly path: string;
  /** without the question mark; `''` for none */
  readonly query: string;
  /** @param name in lower case  @returns `''` where the header is missing */
  header(name: string): string;
  /** @param visit gets each name in lower case */
  eachHeader(visit: (name: string, value: string) => void): void;
}

/** What a reader of a body gets. `chunk` is valid during the call only. */
export type DataListener = (chunk: Uint8Array, isLast: boolean) => void;

/** The answer to a request, and the body of the request. Once the client has gone or the answer is complete, every call
 *  does nothing. */
export interface TransportResponse {
  /** 4 or 16 bytes */
  readonly peer: Uint8Array;
  /** Calls `listener` when the connection ends before the answer is complete. The last listener set counts. */
  onGone(listener: () => void): void;
  /** Reads the body. Call this within the handler's synchronous part. The last call has `isLast` and may be empty. */
  onData(listener: DataListener): void;
  /** Stops and continues reading the body. */
  pause(): void;
  resume(): void;
  /** Answers whole. @param body null: headers only, `content-length` included where `head` has one */
  answer(head: Head, body: string | Uint8Array | null): void;
  /** Starts an answer whose body is written in parts. @param size bytes of the whole body; null: not known yet */
  begin(head: Head, size: number | null): BodyWriter;
  /** Cuts the connection. */
  cut(): void;
}

/** Writes the body of an answer part by part. */
export interface BodyWriter {
  /** Resolves when the socket has room for the next part, or the client has gone. */
  write(part: Uint8Array): Promise<void>;
  /** Ends a body of unknown size; one of known size ends with its last byte. */
  end(): void;
}

export type RequestHandler = (request: TransportRequest, response: TransportResponse) => void;

/** A message as the adapter sends it: made once, sent to any number of clients. */
export interface SocketMessage {
  /** length of the message itself */
  readonly byteLength: number;
}

/** What `send` did. */
export type SendResult = 'sent' | 'dropped';

export interface TransportSocket<Data> {
  readonly data: Data;
  /** Bytes that wait in this process. The operating system takes megabytes of them before there are any. */
  readonly bufferedBytes: number;
  /** Sends, or drops when too much waits for this client. Done with the message's memory when it returns. */
  send(message: SocketMessage): SendResult;
  /** @param payload at most 125 bytes */
  ping(payload: Uint8Array): void;
  /** Sends what `writes` sends in one go. */
  cork(writes: () => void): void;
  /** Sends a close frame and closes. */
  end(code: number, reason: string): void;
}

/** Limits and listeners of the websocket. */
export interface SocketBehavior<Data> {
  /** Closes a connection that was silent for longer, s. The adapter pings in time. */
  readonly idleTimeoutS: number;
  /** Ends the connection with 1009 above it. */
  readonly maxMessageBytes: number;
  /** `send` drops above it. */
  readonly maxBufferedBytes: number;
  /** @returns the data of the new socket; null to refuse, by an answer to `response` that may come later */
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
  /** Set once, before `listen`. Gets every request that is not a websocket's. */
  onRequest(handler: RequestHandler): void;
  /** Set once, before `listen`. */
  onSocket<Data>(path: string, behavior: SocketBehavior<Data>): void;
  /** A binary message of `bytes`; the memory may change after the sends of this round.
   *  @param seq messages of one number are the same */
  frame(bytes: Uint8Array, seq: number): SocketMessage;
  /** A text message. */
  text(text: string): SocketMessage;
  /** @throws unavailable, naming why the port cannot be used and the remedy */
  listen(host: string, port: number): Promise<Listener>;
  /** Cuts every connection and stops listening. */
  close(): void;
}

export interface Listener {
  readonly port: number;
  /** Takes no more connections; open ones stay. */
  stop(): void;
}

/** A request or connection that the transport answers by itself, before the gateway sees it. */
export interface TransportRefusal {
  /** '' where the request could not be read, as is `path` */
  readonly method: string;
  /** as sent, without the query */
  readonly path: string;
  readonly status: number;
  /** as the client gets it */
  readonly detail: string;
  /** 4 or 16 bytes */
  readonly peer: Uint8Array;
}

export interface TransportOptions {
  /** Connections at once; a further one is answered 503 and closed. */
  readonly maxConnections: number;
  /** Hears of what is refused, as far as the engine tells. */
  readonly onRefused?: (refused: TransportRefusal) => void;
}
