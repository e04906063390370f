import { execFile } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handlersFor } from '../../../src/gateway/kernel/handler.ts';
import { route } from '../../../src/protocol/route.ts';
import { open, requestText, sendRaw } from '../../support/raw-http.ts';
import { type KernelServer, serveKernel } from '../kernel-server.ts';

const get = route({
  method: 'GET',
  path: '/file/{name}',
  tag: 'Datasets',
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

/** Writes bytes that depend on their position, so that the test detects repeated and missing parts. */
function put(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at);
  writeFileSync(path.join(folder, name), bytes);
  return bytes;
}

test.each([0, 1, PART - 1, PART, PART + 1, 5 * PART + 3])('a file of %i bytes arrives unchanged', async (size) => {
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

test('a growing file is sent at its first length; a shrinking file ends the connection', async () => {
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

describe('one range of a file', () => {
  const SIZE = 3 * PART + 17;
  const ask = (headers: Record<string, string>, method = 'GET') =>
    fetch(`${server.address}/file/part.bin`, { method, headers });
  /** Waits until the file is old enough for a strong ETag. */
  const settle = () =>
    vi.waitFor(async () => expect((await ask({}, 'HEAD')).headers.get('etag')).toMatch(/^"/), { timeout: 20_000 });
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = put('part.bin', SIZE);
    await settle();
  });

  test.each([
    ['bytes=0-0', 0, 0],
    [`bytes=5-${PART + 4}`, 5, PART + 4],
    ['bytes=100-', 100, SIZE - 1],
    ['bytes=-9', SIZE - 9, SIZE - 1],
    [`bytes=${SIZE - 1}-${SIZE + 99}`, SIZE - 1, SIZE - 1],
  ])('the range %s gives those bytes', async (range, first, last) => {
    const response = await ask({ range });
    expect(response.status).toBe(206);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-range': `bytes ${first}-${last}/${SIZE}`,
      'content-length': String(last - first + 1),
      'content-disposition': expect.stringContaining('part.bin'),
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test.each([`bytes=${SIZE}-`, 'bytes=-0', 'bytes=99999999999999999999-'])(
    'the range %s is outside of the file: 416',
    async (range) => {
      const response = await ask({ range });
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${SIZE}`]);
      expect(((await response.json()) as { detail: string }).detail).toContain(String(SIZE));
    },
  );

  test.each(['bytes=0-1,5-6', 'bytes=5-4', 'bytes=x', 'lines=1-2'])(
    'the range %s gives the whole file',
    async (range) => {
      const response = await ask({ range });
      expect([response.status, response.headers.get('content-length')]).toEqual([200, String(SIZE)]);
      expect(response.headers.get('content-range')).toBeNull();
      await response.arrayBuffer();
    },
  );

  test('HEAD ignores the range', async () => {
    const response = await ask({ range: 'bytes=0-1' }, 'HEAD');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(SIZE)]);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
  });

  test('If-Range continues the same version by tag or date, and otherwise sends the whole file', async () => {
    const { headers } = await ask({}, 'HEAD');
    const [etag, date] = [headers.get('etag')!, headers.get('last-modified')!];
    const statusOf = async (ifRange: string) => {
      const response = await ask({ range: 'bytes=4-7', 'if-range': ifRange });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await statusOf(etag)).toBe(206);
    expect(await statusOf(date)).toBe(206);
    expect(await statusOf(`W/${etag}`)).toBe(200);
    expect(await statusOf('"other"')).toBe(200);
    expect(await statusOf(new Date(Date.parse(date) - 1000).toUTCString())).toBe(200);
    utimesSync(path.join(folder, 'part.bin'), new Date(), new Date(Date.parse(date))); // a new version, the same date
    writeFileSync(path.join(folder, 'part.bin'), bytes);
    utimesSync(path.join(folder, 'part.bin'), new Date(), new Date(Date.parse(date)));
    expect(await statusOf(etag)).toBe(200);
    expect(await statusOf(date)).toBe(200);
  });

  test('an unchanged version is 304', async () => {
    const { headers } = await ask({}, 'HEAD');
    const [etag, date] = [headers.get('etag')!, headers.get('last-modified')!];
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ 'if-modified-since': date })).status).toBe(304);
    const older = await ask({ 'if-none-match': '"other"', 'if-modified-since': date });
    await older.arrayBuffer();
    expect(older.status).toBe(200);
  });
});

test('curl continues an interrupted download', async ({ skip }) => {
  const run = promisify(execFile);
  await run('curl', ['--version']).catch(() => skip('curl is not installed'));
  const bytes = put('resume.bin', 5 * PART + 3);
  const out = path.join(folder, 'got.bin');
  const get = () => run('curl', ['-sS', '-f', '-C', '-', '-o', out, `${server.address}/file/resume.bin`]);
  writeFileSync(out, bytes.subarray(0, 2 * PART + 1));
  await get();
  expect(readFileSync(out).equals(bytes)).toBe(true);
  await get().catch(() => {}); // the file is complete, but versions of curl report this differently
  expect(readFileSync(out).equals(bytes)).toBe(true);
});

test('overwriting a file during its download ends the connection; replacing it by a rename does not', async () => {
  const size = 40 * PART;
  for (const change of ['write', 'rename'] as const) {
    const name = `${change}.bin`;
    const before = put(name, size);
    const socket = await open(server.port);
    const received: Buffer[] = [];
    let ended = false;
    socket.on('close', () => (ended = true));
    socket.write(requestText('GET', `/file/${name}`));
    await new Promise<void>((resolve) => {
      socket.once('data', (first: Buffer) => {
        received.push(first.subarray(first.indexOf('\r\n\r\n') + 4));
        socket.pause();
        const target = change === 'write' ? name : 'new.bin';
        writeFileSync(path.join(folder, target), Buffer.alloc(size, 0xff));
        if (change === 'rename') renameSync(path.join(folder, 'new.bin'), path.join(folder, name));
        resolve();
      });
    });
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.resume();
    const count = () => received.reduce((sum, chunk) => sum + chunk.length, 0);
    await expect.poll(() => ended || count() >= size, { timeout: 20_000 }).toBe(true);
    const all = Buffer.concat(received);
    if (change === 'write') expect(all.length).toBeLessThan(size);
    else expect(all.equals(before)).toBe(true);
    socket.destroy();
  }
});

test('a deleted file is 400; the download has the name of the file', async () => {
  const gone = await fetch(`${server.address}/file/gone.bin`);
  expect([gone.status, await gone.json()]).toEqual([400, { detail: 'the file does not exist any more' }]);
  put('log.txt', 8);
  const log = await fetch(`${server.address}/file/log.txt`);
  expect([log.headers.get('content-type'), log.headers.get('content-disposition')]).toEqual(['text/plain', null]);
  put('a "b".bin', 4);
  const named = await fetch(`${server.address}/file/${encodeURIComponent('a "b".bin')}`);
  expect(named.headers.get('content-disposition')).toBe(
    `attachment; filename="a _b_.bin"; filename*=UTF-8''a%20%22b%22.bin`,
  );
});

test('clients that disconnect half-way leave no open file', async () => {
  put('left.bin', 60 * PART);
  for (let k = 0; k < 20; k++) {
    const socket = await open(server.port);
    socket.write(requestText('GET', '/file/left.bin'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
  }
  expect((await fetch(`${server.address}/file/log.txt`)).status).toBe(200);
});
