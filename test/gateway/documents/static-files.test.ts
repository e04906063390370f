import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StaticFiles } from '../../../src/gateway/documents/static-files.ts';
import { parseRange } from '../../../src/gateway/kernel/byte-range.ts';
import { handlersFor } from '../../../src/gateway/kernel/handler.ts';
import { route } from '../../../src/protocol/route.ts';
import { requestText, sendRaw } from '../../support/raw-http.ts';
import { type KernelServer, serveKernel } from '../kernel-server.ts';

const page = route({
  method: 'GET',
  path: '/',
  tag: 'Service',
  summary: '',
  reply: { contentType: 'text/html', description: '' },
});
const { handleFile } = handlersFor<null>();
const SCRIPT = `const words = [${'"robot", '.repeat(500)}];`;
const folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-page-'));
let server: KernelServer<null>;
beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(path.join(folder, 'assets/main-DmY3kq_A.js'), SCRIPT);
  writeFileSync(path.join(folder, 'assets/picture.png'), Buffer.alloc(1000));
  server = await serveKernel<null>({
    routes: [page],
    handlers: [handleFile(page, () => '/index.html')],
    context: null,
    files: await StaticFiles.load({ '': folder }),
  });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const MAIN = '/assets/main-DmY3kq_A.js';
const ask = (file: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRaw(server.port, requestText(method, file, headers), method);

test('the browser revalidates the page each time, its hashed files never', async () => {
  const index = await ask('/');
  expect([index.status, index.body]).toEqual([200, '<!doctype html><title>page</title>']);
  expect(index.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
  expect((await ask(MAIN)).headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect((await ask('/assets/picture.png')).headers['cache-control']).toBe('no-cache');
});

test('the page may load only from this service and cannot be framed', async () => {
  const policy = (await ask('/')).headers['content-security-policy']!;
  expect(policy).toContain("default-src 'self'; script-src 'self';");
  expect(policy).toMatch(/; connect-src 'self';/);
  for (const name of ['object-src', 'base-uri', 'form-action', 'frame-ancestors'])
    expect(policy).toContain(`${name} 'none'`);
});

test('each encoding has its own bytes and tag, and every tag is recognised', async () => {
  const plain = await ask(MAIN);
  expect(plain.body).toBe(SCRIPT);
  const tags = [plain.headers['etag']!];
  for (const [accept, name] of [
    ['gzip, deflate', 'gzip'],
    ['gzip, br', 'br'],
  ] as const) {
    const { headers } = await ask(MAIN, { 'accept-encoding': accept }, 'HEAD');
    expect(headers).toMatchObject({ 'content-encoding': name, vary: 'accept-encoding' });
    expect(Number(headers['content-length'])).toBeLessThan(SCRIPT.length / 4);
    tags.push(headers['etag']!);
    const response = await fetch(server.address + MAIN, { headers: { 'accept-encoding': accept } });
    expect(await response.text()).toBe(SCRIPT);
  }
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect((await ask(MAIN, { 'if-none-match': tag })).status).toBe(304);
  expect((await ask(MAIN, { 'if-none-match': '"other"' })).status).toBe(200);
});

test('compressed files are not compressed again', async () => {
  const { headers } = await ask('/assets/picture.png', { 'accept-encoding': 'gzip' });
  expect([headers['content-encoding'], headers['content-type']]).toEqual([undefined, 'image/png']);
});

test('a range request gets a part of a file', async () => {
  const part = await ask(MAIN, { range: 'bytes=6-10', 'accept-encoding': 'gzip' });
  expect([part.status, part.body, part.headers['content-range']]).toEqual([
    206,
    'words',
    `bytes 6-10/${SCRIPT.length}`,
  ]);
  const outside = await ask(MAIN, { range: `bytes=${SCRIPT.length}-` });
  expect([outside.status, outside.headers['content-range']]).toEqual([416, `bytes */${SCRIPT.length}`]);
  expect((await ask(MAIN, { range: 'bytes=0-1', 'if-range': '"older"' })).status).toBe(200);
  const tag = (await ask(MAIN)).headers['etag']!;
  expect((await ask(MAIN, { range: 'bytes=0-1', 'if-range': tag })).status).toBe(206);
});

describe('ranges', () => {
  test.each([
    ['bytes=0-0', [0, 0]],
    ['bytes=5-', [5, 9]],
    ['bytes=-3', [7, 9]],
    ['bytes=-30', [0, 9]],
    ['bytes=5-100', [5, 9]],
    ['bytes=10-', 'outside'],
    ['bytes=-0', 'outside'],
    ['Bytes= 2-3', [2, 3]],
    ['bytes=99999999999999999999-', 'outside'],
    ['bytes=4-99999999999999999999', [4, 9]],
    ['bytes=5-4', null],
    ['bytes=-', null],
    ['bytes=0-1,3-4', null],
    ['lines=0-1', null],
  ])('the range %s of ten bytes', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });
});

test('a missing file is 404, and an existing file lists its methods', async () => {
  for (const file of ['/assets/none.js', '/assets', '/assets/', '/assets/../index.html', '/%69ndex.html']) {
    const { status, headers } = await ask(file);
    expect([file, status, headers['content-type']]).toEqual([file, 404, 'application/json']);
  }
  const { status, headers } = await ask(MAIN, {}, 'DELETE');
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('the answer explains a missing build of the page', async () => {
  const bare = await serveKernel<null>({
    routes: [page],
    handlers: [handleFile(page, () => '/index.html')],
    context: null,
    files: await StaticFiles.load({ '': path.join(folder, 'none') }),
  });
  const { status, body } = await sendRaw(bare.port, requestText('GET', '/'));
  expect([status, JSON.parse(body)]).toEqual([503, { detail: expect.stringContaining('npm run build') }]);
  bare.close();
});
