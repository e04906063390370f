import { once } from 'node:events';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Transport } from '../../../src/gateway/transport/transport.ts';
import { open } from '../../support/raw-http.ts';
import { testTransport } from '../../support/transport.ts';

/** An answer that the buffers of a connection cannot hold. */
const LARGE = 'a'.repeat(30 << 20);

let transport: Transport;
let port: number;
/** Bodies that reached the handler completely. */
let handled: string[] = [];
/** Requests that the transport refused without the handler. */
const told: string[] = [];
/** Number of requests whose client disconnected before the response. */
let gone = 0;

beforeAll(async () => {
  transport = await testTransport({
    onRefused: ({ method, path, status, peer }) => told.push(`${method} ${path} ${status} ${peer.join('.')}`),
  });
  transport.onRequest((request, response) => {
    const parts: Buffer[] = [];
    response.onGone(() => {
      gone += 1;
    });
    const answer = () => {
      handled.push(`${request.method} ${Buffer.concat(parts).toString()}`);
      response.answer({ status: 200, requestId: 'x', headers: {} }, 'handled');
    };
    if (request.path === '/slow') setTimeout(answer, 100);
    else if (request.path === '/large') response.answer({ status: 200, requestId: 'x', headers: {} }, LARGE);
    else if (request.method === 'GET') answer();
    else {
      response.onData((chunk, isLast) => {
        parts.push(Buffer.from(chunk));
        if (isLast) answer();
      });
    }
  });
  transport.onSocket('/ws', {
    idleTimeoutS: 20,
    maxMessageBytes: 1024,
    maxBufferedBytes: 1 << 20,
    upgrade: () => ({}),
    open() {},
    message() {},
    pong() {},
    close() {},
  });
  ({ port } = await transport.listen('127.0.0.1', 0));
});
afterAll(() => transport.close());

/** Sends the parts one after another and reads until the connection ends.
 *  @returns the statuses of all responses */
async function statusesUntilClosed(...parts: string[]): Promise<number[]> {
  const socket = await open(port);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  const closed = once(socket, 'close');
  for (const part of parts) {
    socket.write(part);
    // Wait, so that each part is sent in a separate segment.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await closed;
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const HOST = 'Host: 127.0.0.1\r\n';
const CHUNKED = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`;
const refused = [expect.toSatisfy((status: number) => status >= 400 && status < 600)];

test.each([
  ['two lengths that differ', `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde`],
  ['two lengths that agree', `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`],
  [
    'a request hidden behind the shorter of two lengths',
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 60\r\n\r\nabcGET /hidden HTTP/1.1\r\n${HOST}\r\n`,
  ],
  ['a length and chunks', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a length that is not a number', `POST / HTTP/1.1\r\n${HOST}Content-Length: five\r\n\r\nabcde`],
  ['another transfer encoding', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  [
    'chunks for a route without a body',
    `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n`,
  ],
  ['announced trailers', `${CHUNKED.replace('\r\n\r\n', '\r\nTrailer: X-T\r\n\r\n')}3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n`],
  ['trailers', `${CHUNKED}3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n`],
  ['trailers in a separate segment', `${CHUNKED}3\r\nabc\r\n`, '0\r\nX-T: 1\r\n\r\n'],
  ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ['HTTP/1.0 with a host', `GET / HTTP/1.0\r\n${HOST}\r\n`],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ['a broken chunk size', `${CHUNKED}zz\r\n`],
])('%s: the request is refused once, and the connection is closed', async (_, ...parts) => {
  handled = [];
  expect(await statusesUntilClosed(...parts)).toEqual(refused);
  expect(handled).toEqual([]);
});

test('a handler sees trailers after a body as a disconnected client', async () => {
  gone = 0;
  await statusesUntilClosed(`${CHUNKED}3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n`);
  expect(gone).toBe(1);
});

test('trailers after an answered request get no second answer', async () => {
  expect(await statusesUntilClosed(`${CHUNKED}3\r\nabc\r\n0\r\n`, 'X-T: 1\r\n\r\n')).toHaveLength(1);
});

test("refusals of the transport are reported with the client's address", async () => {
  told.length = 0;
  await statusesUntilClosed(`GET /a?token=x HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
  expect(told).toEqual(['GET /a 400 127.0.0.1']);
  if (transport.name === 'uws') return; // the parser of uws does not report unreadable requests
  told.length = 0;
  await statusesUntilClosed('SSH-2.0-OpenSSH_9.2\r\n\r\n');
  expect(told).toEqual(['  400 127.0.0.1']);
});

test('HTTP/1.0 is 505, also for the websocket', async () => {
  const websocket =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  for (const head of [`GET / HTTP/1.0\r\n${HOST}`, `GET /ws HTTP/1.0\r\n${HOST}${websocket}`])
    expect(await statusesUntilClosed(`${head}\r\n`)).toEqual([505]);
});

test('a request without a Host header is refused before its handler', async (context) => {
  // For these versions of Node, the parser of uWebSockets.js waits as if the request were incomplete.
  if (transport.name === 'uws' && Number(process.versions.modules) <= 120)
    context.skip('uWebSockets.js for Node 20 gives no answer and closes the connection after its idle timeout');
  handled = [];
  expect(await statusesUntilClosed('GET / HTTP/1.1\r\n\r\n')).toEqual([400]);
  expect(handled).toEqual([]);
});

test('pipelined requests are answered in order', async () => {
  handled = [];
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
  expect(await statusesUntilClosed(get('/a') + get('/b') + get('/c', 'Connection: close\r\n'))).toEqual([
    200, 200, 200,
  ]);
});

test('a client that waits for 100 Continue gets it', async () => {
  const head = `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n`;
  expect(await statusesUntilClosed(head, 'abc')).toEqual([100, 200]);
});

test('an upgrade to another protocol is ignored', async () => {
  const upgrade = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`;
  const socket = await open(port);
  socket.write(`GET / HTTP/1.1\r\n${HOST}${upgrade}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test.each([
  ['of a known length', 'Content-Length: 3\r\n\r\n', 'abc'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n', '3\r\nabc\r\n0\r\n\r\n'],
])('a request body %s with such an upgrade is read completely', async (_, head, body) => {
  const start = `POST / HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n${head}`;
  for (const parts of [[start + body], [start, body]]) {
    handled = [];
    const socket = await open(port);
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect([answer.toString().slice(0, 13), handled]).toEqual(['HTTP/1.1 200 ', ['POST abc']]);
    socket.destroy();
  }
});

test.each([
  ['another protocol', '/', 'Upgrade: h2c\r\n', 200],
  [
    'the websocket',
    '/ws',
    'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    101,
  ],
])('an upgrade to %s waits for the answer to the request before it', async (_, path, upgrade, status) => {
  // uWebSockets.js closes a connection that sends a request before the last one is answered.
  if (transport.name === 'uws') return;
  const socket = await open(port);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  const first = `GET /slow HTTP/1.1\r\n${HOST}\r\n`;
  socket.write(`${first}${first}GET ${path} HTTP/1.1\r\n${HOST}Connection: Upgrade\r\n${upgrade}\r\n`);
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, text]) => Number(text));
  await expect.poll(statuses).toEqual([200, 200, status]);
  socket.destroy();
});

test('a connection whose answer is not read ends, though an upgrade waits for it', async () => {
  if (transport.name === 'uws') return;
  const { setTimeout } = Socket.prototype;
  const served = new Set<Socket>();
  const shorter = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, done) {
    served.add(this);
    return setTimeout.call(this, Math.min(ms, 50), done);
  });
  const socket = await open(port);
  socket.pause();
  const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
  socket.write(`GET /large HTTP/1.1\r\n${HOST}\r\nGET / HTTP/1.1\r\n${HOST}${upgrade}\r\n`);
  await expect.poll(() => served.size > 0 && [...served].every(({ destroyed }) => destroyed)).toBe(true);
  socket.destroy();
  shorter.mockRestore();
});
