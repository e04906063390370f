import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Transport } from '../../../src/gateway/transport/transport.ts';
import { open, readAnswer, requestText } from '../../support/raw-http.ts';
import { testTransport } from '../../support/transport.ts';

const LIMIT = 5;

let transport: Transport;
let port: number;
let sockets: number;
let held: Socket[];
beforeEach(async () => {
  transport = await testTransport({ maxConnections: LIMIT });
  sockets = 0;
  held = [];
  transport.onRequest((_, response) => response.answer({ status: 200, requestId: 'x', headers: {} }, 'here'));
  transport.onSocket<object>('/ws', {
    idleTimeoutS: 20,
    maxMessageBytes: 1024,
    maxBufferedBytes: 1 << 20,
    upgrade: () => ({}),
    open: () => {
      sockets += 1;
    },
    message: () => {},
    pong: () => {},
    close: () => {
      sockets -= 1;
    },
  });
  ({ port } = await transport.listen('127.0.0.1', 0));
});
afterEach(() => {
  for (const socket of held) socket.destroy();
  transport.close();
});

/** Opens a connection and keeps it open after a response. Tries again while the service still counts a closed
 *  connection. */
async function hold(): Promise<Socket> {
  for (;;) {
    const socket = await open(port);
    socket.write(requestText('GET', '/'));
    const { status } = await readAnswer(socket);
    if (status !== 200) continue;
    held.push(socket);
    return socket;
  }
}

/** Opens a websocket. @throws the error of the connection if it is refused */
async function connect(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await once(socket, 'open');
  return socket;
}

test('a connection over the limit is answered 503 and closed, the others stay open', async () => {
  const first = await hold();
  for (let k = 1; k < LIMIT; k++) await hold();
  const refused = await open(port);
  const closed = once(refused, 'close');
  const answer = await readAnswer(refused);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    503,
    { detail: expect.stringContaining('limits.connections') },
  ]);
  await closed;
  await expect(connect()).rejects.toThrow('503');
  first.write(requestText('GET', '/'));
  expect((await readAnswer(first)).status).toBe(200);
});

test('closing a connection or websocket frees a slot for another', async () => {
  for (let k = 2; k < LIMIT; k++) await hold();
  const one = await connect();
  const other = await connect();
  expect(sockets).toBe(2);
  await expect(connect()).rejects.toThrow('503');
  one.close();
  await hold();
  await expect(connect()).rejects.toThrow('503');
  expect(sockets).toBe(1);
  held[0]!.destroy();
  await hold();
  other.terminate();
});

test('ended websockets, requests and refused connections are not counted', async () => {
  for (let k = 0; k < 4 * LIMIT; k++) {
    const request = await hold();
    const socket = await connect();
    if (k % 2 === 0) socket.close();
    else socket.terminate();
    request.destroy();
    await expect.poll(() => sockets).toBe(0);
  }
  for (let k = 0; k < LIMIT; k++) await hold();
  for (let k = 0; k < LIMIT; k++) await expect(connect()).rejects.toThrow('503');
  held.at(-1)!.destroy();
  await hold();
  await expect(connect()).rejects.toThrow('503');
});
