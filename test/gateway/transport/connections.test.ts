import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Transport } from '../../../src/gateway/transport/transport.ts';
import { open, readAnswer, requestText, sendRaw } from '../../support/raw-http.ts';
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

/** A connection that has been answered once, so that the service knows it. */
async function hold(): Promise<Socket> {
  const socket = await open(port);
  held.push(socket);
  socket.write(requestText('GET', '/'));
  expect((await readAnswer(socket)).status).toBe(200);
  return socket;
}

/** A websocket that is open. @throws what refuses it */
async function connect(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await once(socket, 'open');
  return socket;
}

/** Closes a connection and waits until there is room again. */
async function free(close: () => unknown): Promise<void> {
  close();
  await expect.poll(async () => (await sendRaw(port, requestText('GET', '/')).catch(() => null))?.status).toBe(200);
}

test('one connection too many is answered 503 and closed, the others go on', async () => {
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

test('a connection that closes makes room, a websocket too', async () => {
  for (let k = 2; k < LIMIT; k++) await hold();
  const one = await connect();
  const other = await connect();
  expect(sockets).toBe(2);
  await expect(connect()).rejects.toThrow('503');
  await free(() => one.close());
  await free(() => held[0]!.destroy());
  const again = await connect();
  expect(sockets).toBe(2);
  for (const socket of [other, again]) socket.terminate();
});

test('what came and went is not counted: websockets, requests, refused connections', async () => {
  for (let k = 0; k < 4 * LIMIT; k++) {
    const socket = await connect();
    await free(() => (k % 2 === 0 ? socket.close() : socket.terminate()));
  }
  for (let k = 0; k < LIMIT; k++) await hold();
  for (let k = 0; k < LIMIT; k++) await expect(connect()).rejects.toThrow('503');
  await free(() => held[0]!.destroy());
  await hold();
  await expect(connect()).rejects.toThrow('503');
});
