import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { badInput } from '../../../src/core/errors.ts';
import { handlersFor } from '../../../src/gateway/kernel/handler.ts';
import { route } from '../../../src/protocol/route.ts';
import { open, readAnswer, requestText, sendRaw } from '../../support/raw-http.ts';
import { type KernelServer, serveKernel } from '../kernel-server.ts';

const put = route({
  method: 'PUT',
  path: '/upload/{dataset}/{path*}',
  tag: 'Datasets',
  summary: '',
  upload: true,
  reply: Type.Object({ ok: Type.Literal(true), path: Type.String(), bytes: Type.Integer() }),
});

interface Context {
  readonly folder: string;
  /** peak number of unread bytes in memory */
  peak: number;
  /** the handler waits for this before it reads */
  ready: Promise<void>;
}

const LIMIT = 8 << 20;
const { handleUpload } = handlersFor<Context>();
const handlers = [
  handleUpload(put, async (context, { params }, stream) => {
    if (params.dataset === 'refused') throw badInput('dataset: there is no "refused"');
    await context.ready;
    const file = path.join(context.folder, 'a.part');
    try {
      await pipeline(async function* () {
        let read = 0;
        for await (const chunk of stream) {
          context.peak = Math.max(context.peak, stream.received - read);
          read += chunk.byteLength;
          yield chunk;
        }
      }, createWriteStream(file));
      await rename(file, path.join(context.folder, 'a'));
    } catch (error) {
      await unlink(file);
      throw error;
    }
    return { ok: true as const, path: params.path, bytes: stream.received };
  }),
];

const context: Context = {
  folder: mkdtempSync(path.join(tmpdir(), 'motion-studio-upload-')),
  peak: 0,
  ready: Promise.resolve(),
};
let server: KernelServer<Context>;
beforeAll(async () => {
  server = await serveKernel<Context>({
    routes: [put],
    handlers,
    context,
    limits: { jsonBytes: 1024, uploadBytes: LIMIT },
  });
});
beforeEach(() => {
  context.peak = 0;
  for (const name of readdirSync(context.folder)) rmSync(path.join(context.folder, name));
});
afterAll(() => {
  server.close();
  rmSync(context.folder, { recursive: true });
});

const BYTES = Buffer.from(Uint8Array.from({ length: 5 << 20 }, (_, k) => (k * 7) % 251));
const head = (name: string, headers: Record<string, string>) => requestText('PUT', `/upload/${name}`, headers);

test('a file sent with its length arrives byte for byte, and the connection stays open', async () => {
  const socket = await open(server.port);
  for (let round = 0; round < 2; round++) {
    socket.write(head('walk/meshes/a%20b.stl', { 'Content-Length': String(BYTES.length) }));
    socket.write(BYTES);
    const { status, body } = await readAnswer(socket);
    expect([status, JSON.parse(body)]).toEqual([200, { ok: true, path: 'meshes/a b.stl', bytes: BYTES.length }]);
    expect(readFileSync(path.join(context.folder, 'a')).equals(BYTES)).toBe(true);
  }
  socket.destroy();
});

test('a file sent in chunks arrives byte for byte, and the connection is closed', async () => {
  const socket = await open(server.port);
  const closed = once(socket, 'close');
  socket.write(head('walk/meshes/a%20b.stl', { 'Transfer-Encoding': 'chunked' }));
  for (const part of [`${BYTES.length.toString(16)}\r\n`, BYTES, '\r\n0\r\n\r\n']) socket.write(part);
  const { status, headers } = await readAnswer(socket);
  expect([status, headers['connection']]).toEqual([200, 'close']);
  expect(readFileSync(path.join(context.folder, 'a')).equals(BYTES)).toBe(true);
  await closed;
});

test('the socket waits for a slow reader instead of filling memory', async () => {
  let begin = () => {};
  context.ready = new Promise((resolve) => {
    begin = resolve;
  });
  const socket = await open(server.port);
  socket.write(head('walk/a', { 'Content-Length': String(BYTES.length) }));
  socket.write(BYTES);
  await new Promise((resolve) => setTimeout(resolve, 200));
  begin();
  expect((await readAnswer(socket)).status).toBe(200);
  // The limit includes the bytes received before the socket was paused, and one read of up to 512 KB that was in
  // progress.
  expect(context.peak).toBeLessThan(2 << 20);
  expect(context.peak).toBeGreaterThan(1 << 20);
  socket.destroy();
});

test('an upload over the limit is 413 before it is read, by its content-length', async () => {
  const { status, body } = await sendRaw(server.port, head('walk/a', { 'Content-Length': String(LIMIT + 1) }));
  expect([status, JSON.parse(body)]).toEqual([413, { detail: 'the body has more than 8 MiB, which is the limit' }]);
});

test('an upload over the limit without content-length is 413 and leaves nothing', async () => {
  const socket = await open(server.port);
  socket.write(head('walk/a', { 'Transfer-Encoding': 'chunked' }));
  const chunk = Buffer.concat([
    Buffer.from(`${(1 << 20).toString(16)}\r\n`),
    Buffer.alloc(1 << 20),
    Buffer.from('\r\n'),
  ]);
  for (let k = 0; k <= LIMIT >> 20; k++) socket.write(chunk);
  expect((await readAnswer(socket)).status).toBe(413);
  await expect.poll(() => readdirSync(context.folder)).toEqual([]);
  socket.destroy();
});

test('a client that disconnects before the end leaves nothing', async () => {
  const socket = await open(server.port);
  socket.write(head('walk/a', { 'Content-Length': String(BYTES.length) }));
  socket.write(BYTES.subarray(0, 3 << 20));
  await expect.poll(() => readdirSync(context.folder)).toEqual(['a.part']);
  socket.destroy();
  await expect.poll(() => readdirSync(context.folder)).toEqual([]);
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a refusal is answered while the client still sends, and the service keeps running', async () => {
  const socket = await open(server.port);
  socket.write(head('refused/a', { 'Content-Length': String(BYTES.length) }));
  const answered = readAnswer(socket);
  socket.write(BYTES);
  expect((await answered).status).toBe(400);
  // Use the same connection: the service discards the rest of the first body.
  socket.write(head('walk/a', { 'Content-Length': '3' }));
  socket.write('abc');
  expect((await readAnswer(socket)).status).toBe(200);
  socket.destroy();
});

test('an upload to a path outside of its folder is refused', async () => {
  for (const name of ['walk/%2e%2e/a', 'walk/a%2f..%2fb', 'walk%2fa/b', 'walk/']) {
    expect((await sendRaw(server.port, head(name, { 'Content-Length': '0' }))).status).toBe(400);
  }
});
