import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlersFor } from '../../../src/gateway/kernel/handler.ts';
import { route } from '../../../src/protocol/route.ts';
import { open, requestText, sendRaw } from '../../support/raw-http.ts';
import { type KernelServer, serveKernel } from '../kernel-server.ts';

const get = route({
  method: 'GET',
  path: '/file/{name}',
  area: 'data',
  summary: '',
  reply: { contentType: 'application/octet-stream', description: '' },
});
const { handleDownload } = handlersFor<string>();
const PART = 256 * 1024;

let folder: string;
let server: KernelServer<string>;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-download-'));
  const handlers = [
    handleDownload(get, (root, { params }) =>
      params.name === 'log.txt'
        ? { path: path.join(root, params.name), contentType: 'text/plain' }
        : { path: path.join(root, params.name), name: params.name },
    ),
  ];
  server = await serveKernel({ routes: [get], handlers, context: folder });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Bytes that differ by place, so that a part that is sent twice or left out shows. */
function put(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at);
  writeFileSync(path.join(folder, name), bytes);
  return bytes;
}

test.each([0, 1, PART - 1, PART, PART + 1, 5 * PART + 3])('a file of %i bytes comes as it is', async (size) => {
  const bytes = put('a.bin', size);
  const response = await fetch(`${server.address}/file/a.bin`);
  expect([response.status, response.headers.get('content-length')]).toEqual([200, String(size)]);
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  const head = await sendRaw(server.port, requestText('HEAD', '/file/a.bin'), 'HEAD');
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(size), '']);
});

test('a slow reader gets every byte in order', async () => {
  const bytes = put('slow.bin', 24 * PART + 1);
  const socket = await open(server.port);
  socket.write(requestText('GET', '/file/slow.bin'));
  const received: Buffer[] = [];
  let count = 0;
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk);
    count += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 1);
  });
  await expect.poll(() => count, { timeout: 20_000 }).toBeGreaterThan(bytes.length);
  const all = Buffer.concat(received);
  expect(all.subarray(all.indexOf('\r\n\r\n') + 4).equals(bytes)).toBe(true);
  socket.destroy();
});

test('a file that grows is sent as long as it was; one that shrinks ends the connection, never pads', async () => {
  const size = 40 * PART;
  for (const [name, change] of [
    ['grows.bin', () => appendFileSync(path.join(folder, 'grows.bin'), 'more')],
    ['shrinks.bin', () => truncateSync(path.join(folder, 'shrinks.bin'), PART)],
  ] as const) {
    put(name, size);
    const socket = await open(server.port);
    let count = 0;
    let ended = false;
    socket.on('close', () => (ended = true));
    socket.write(requestText('GET', `/file/${name}`));
    socket.once('data', (first: Buffer) => {
      const start = first.indexOf('\r\n\r\n') + 4;
      count += first.length - start;
      socket.pause();
      change();
      socket.on('data', (chunk: Buffer) => (count += chunk.length));
      socket.resume();
    });
    if (name === 'grows.bin') {
      await expect.poll(() => count, { timeout: 20_000 }).toBe(size);
      expect(ended).toBe(false);
    } else {
      await expect.poll(() => ended, { timeout: 20_000 }).toBe(true);
      expect(count).toBeLessThan(size);
    }
    socket.destroy();
  }
});

test('a file that is gone is 400; names are saved as they are, and shown where none is given', async () => {
  const gone = await fetch(`${server.address}/file/gone.bin`);
  expect([gone.status, await gone.json()]).toEqual([400, { detail: 'the file is not there any more' }]);
  put('log.txt', 8);
  const log = await fetch(`${server.address}/file/log.txt`);
  expect([log.headers.get('content-type'), log.headers.get('content-disposition')]).toEqual(['text/plain', null]);
  put('a "b".bin', 4);
  const named = await fetch(`${server.address}/file/${encodeURIComponent('a "b".bin')}`);
  expect(named.headers.get('content-disposition')).toBe(
    `attachment; filename="a _b_.bin"; filename*=UTF-8''a%20%22b%22.bin`,
  );
});

test('clients that go half-way leave the service as it was', async () => {
  put('left.bin', 60 * PART);
  for (let k = 0; k < 20; k++) {
    const socket = await open(server.port);
    socket.write(requestText('GET', '/file/left.bin'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
  }
  expect((await fetch(`${server.address}/file/log.txt`)).status).toBe(200);
});
