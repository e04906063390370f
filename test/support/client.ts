import { once } from 'node:events';
import WebSocket from 'ws';
import type { EventPayloads, StudioEvent, Topic } from '../../src/protocol/events.ts';
import { decodeFrame, type Frame } from '../../src/protocol/frame.ts';
import type { ReplyOf } from '../../src/protocol/route.ts';
import type { RouteByKey } from '../../src/protocol/route-table.ts';

type Key = keyof RouteByKey & string;

/** All fields of all members of a union, readable without narrowing. */
type Fields<T> = { [K in T extends unknown ? keyof T : never]: T extends { [P in K]?: infer V } ? V : undefined };

interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Calls a route of the API as a script would. @param input the query (GET) or JSON body */
export async function request<K extends Key>(
  address: string,
  key: K,
  input: object = {},
  headers: Record<string, string> = {},
): Promise<Reply<Fields<ReplyOf<RouteByKey[K]>> & { detail?: string }>> {
  const [method = 'GET', path = '/'] = key.split(' ');
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  const response = await fetch(address + path + query, {
    method,
    headers: method === 'GET' ? headers : { 'content-type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}

/** Calls a slow route and waits until its task ends. @returns the busy task @throws if the request is refused */
export async function finish(address: string, key: Key, input: object) {
  const { status, body } = await request(address, key, input, { prefer: 'wait=60' });
  const reply = body as { busy?: { state: string; error: string | null }; detail?: string };
  if (status !== 200) throw new Error(`${key}: ${status} ${reply.detail}`);
  if (!reply.busy) throw new Error(`${key}: the reply has no busy task`);
  return reply.busy;
}

interface Waiting {
  try(): boolean;
}

/** A websocket client that keeps every event and the newest frame. */
export class Listener {
  readonly events: StudioEvent[] = [];
  /** Kinds of the received messages, in order. */
  readonly order: ('event' | 'frame')[] = [];
  readonly socket: WebSocket;
  frame: Frame | null = null;
  frames = 0;
  readonly #waiting = new Set<Waiting>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.on('message', (data: ArrayBuffer | Buffer, isBinary: boolean) => {
      if (isBinary) {
        this.frame = decodeFrame(data as ArrayBuffer);
        this.frames += 1;
        this.order.push('frame');
      } else {
        this.events.push(JSON.parse(data.toString()) as StudioEvent);
        this.order.push('event');
      }
      for (const waiting of this.#waiting) if (waiting.try()) this.#waiting.delete(waiting);
    });
  }

  static async open(address: string, headers: Record<string, string> = {}): Promise<Listener> {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers });
    const listener = new Listener(socket);
    await once(socket, 'open');
    return listener;
  }

  /** Waits for a frame that `wanted` accepts; the newest frame received so far is tried first. */
  nextFrame(wanted: (frame: Frame) => boolean, withinMs = 30_000): Promise<Frame> {
    return this.#until(() => (this.frame && wanted(this.frame) ? this.frame : null), 'frame', withinMs);
  }

  /** Waits for an event of `topic` that `wanted` accepts; events received earlier are tried first. */
  nextEvent<T extends Topic>(
    topic: T,
    wanted: (payload: EventPayloads[T]) => boolean,
    withinMs = 30_000,
  ): Promise<EventPayloads[T]> {
    return this.#until(
      () => {
        const found = this.events.find((event) => event.topic === topic && wanted(event.payload as EventPayloads[T]));
        return found ? (found.payload as EventPayloads[T]) : null;
      },
      `${topic} event`,
      withinMs,
    );
  }

  close(): void {
    this.socket.close();
  }

  #until<T>(look: () => T | null, what: string, withinMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new Error(`no matching ${what} within ${withinMs} ms`));
      }, withinMs);
      const waiting: Waiting = {
        try: () => {
          const found = look();
          if (found === null) return false;
          clearTimeout(timer);
          resolve(found);
          return true;
        },
      };
      if (!waiting.try()) this.#waiting.add(waiting);
    });
  }
}

/** Pose of body `body`: x y z, quaternion wxyz. */
export function poseOf(frame: Frame, body: number): number[] {
  const at = frame.header.poses.offset + 7 * body;
  return [...frame.blob.subarray(at, at + 7)];
}
