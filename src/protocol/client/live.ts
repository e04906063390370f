import type { EventPayloads, StudioEvent } from '../events.ts';
import { decodeFrame, type Frame } from '../frame.ts';
import { ReplyError } from '../http-client.ts';

export interface LiveListeners {
  /** Called with every frame. The service sends the next frame after the returned promise settles. A slow listener then
   *  gets the newest frame; frames in between are skipped. */
  readonly frame?: (frame: Frame) => void | Promise<void>;
  /** Called with every event. Events are never skipped. */
  readonly event?: (event: StudioEvent) => void;
  /** Called once when the connection ends, with the close reason of the service or an error text. */
  readonly closed?: (reason: string) => void;
  /** Maximum number of frames per second (default: as many as the service sends). */
  readonly fps?: number;
}

/** The part of a browser's websocket that the client needs. */
interface Socket {
  binaryType: string;
  onmessage: ((message: { readonly data: unknown }) => void) | null;
  onclose: ((closed: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((error: unknown) => void) | null;
  send(text: string): void;
  close(): void;
}

/** A class with the interface of a browser's WebSocket, such as that of the package `ws`. */
export type SocketConstructor = new (url: string, options: never) => object;

export interface ConnectLive {
  readonly url: string;
  /** headers of the request; browsers cannot set headers and send their cookie instead */
  readonly headers: Readonly<Record<string, string>>;
  readonly WebSocket?: SocketConstructor;
}

/** An open stream of frames and events. */
export interface Live {
  /** id and role of this client */
  readonly client: EventPayloads['client'];
  /** Limits the number of frames per second. */
  rate(fps: number): void;
  close(): void;
}

/** Opens the websocket and settles with its first event. @throws ReplyError if the connection fails before that
 *  event */
export function connectLive({ url, headers, ...given }: ConnectLive, listeners: LiveListeners): Promise<Live> {
  const found = given.WebSocket ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
  const Constructor = found as (new (url: string, options?: object) => Socket) | undefined;
  if (!Constructor)
    throw new ReplyError(
      0,
      'WebSocket is not available in this version of Node. Pass the class of the package `ws`, or use Node 22 or later.',
    );
  const socket = Object.keys(headers).length > 0 ? new Constructor(url, { headers }) : new Constructor(url);
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve, reject) => {
    let isOpen = false;
    const end = (reason: string) => {
      if (isOpen) listeners.closed?.(reason);
      else reject(new ReplyError(0, `${url} refused the connection: ${reason}`));
    };
    socket.onerror = () => {}; // `onclose` follows and reports the end
    socket.onclose = ({ code, reason }) => end(reason === '' ? `code ${code}` : reason);
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) {
        void takeFrame(socket, decodeFrame(data), listeners.frame);
        return;
      }
      const event = JSON.parse(String(data)) as StudioEvent;
      if (event.topic === 'client' && !isOpen) {
        isOpen = true;
        const rate = (fps: number) => socket.send(JSON.stringify({ type: 'rate', fps }));
        if (listeners.fps !== undefined) rate(listeners.fps);
        resolve({ client: event.payload, rate, close: () => socket.close() });
      }
      listeners.event?.(event);
    };
  });
}

async function takeFrame(socket: Socket, frame: Frame, listener: LiveListeners['frame']): Promise<void> {
  await listener?.(frame);
  socket.send(JSON.stringify({ type: 'ack', seq: frame.header.seq }));
}
