import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlersFor } from '../../../src/gateway/kernel/handler.ts';
import { route } from '../../../src/protocol/route.ts';
import { open, requestText } from '../../support/raw-http.ts';
import { type KernelServer, serveKernel } from '../kernel-server.ts';

const PART = Buffer.alloc(1 << 18, 'x');
const PARTS = 400;

const get = route({
  method: 'GET',
  path: '/made/{how}',
  tag: 'Datasets',
  summary: '',
  reply: { contentType: 'text/plain', description: '' },
});
const { handleStream } = handlersFor<null>();

let made = 0;
let ended = 0;
async function* parts(how: string): AsyncGenerator<Uint8Array> {
  try {
    for (let k = 0; k < (how === 'empty' ? 0 : how === 'endless' ? PARTS : 3); k += 1) {
      made += 1;
      if (how === 'fails at once' || (how === 'fails' && k === 2)) throw new Error('cannot be made');
      yield how === 'short' ? Buffer.from(`part ${k}\n`) : PART;
    }
  } finally {
    ended += 1;
  }
}

let server: KernelServer<null>;
beforeAll(async () => {
  const handlers = [
    handleStream(get, (_, { params: { how } }) => ({
      parts: parts(how),
      size: how === 'sized' ? 3 * PART.length : how === 'wrong' ? 4 * PART.length : null,
      name: 'made.txt',
    })),
  ];
  server = await serveKernel({ routes: [get], handlers, context: null });
});
afterAll(() => server.close());

test('parts of unknown length arrive in order, as a download', async () => {
  const response = await fetch(`${server.address}/made/short`);
  expect([response.status, response.headers.get('content-length')]).toEqual([200, null]);
  expect(response.headers.get('content-disposition')).toContain('made.txt');
  expect(await response.text()).toBe('part 0\npart 1\npart 2\n');
  expect(await (await fetch(`${server.address}/made/empty`)).text()).toBe('');
});

test('parts of known length have a content-length, and their source is closed', async () => {
  ended = 0;
  const response = await fetch(`${server.address}/made/sized`);
  expect(response.headers.get('content-length')).toBe(String(3 * PART.length));
  expect((await response.arrayBuffer()).byteLength).toBe(3 * PART.length);
  await expect.poll(() => ended).toBe(1);
  const head = await fetch(`${server.address}/made/sized`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(3 * PART.length));
});

test('a slow reader gets few parts at a time, and no part after it disconnects', async () => {
  made = 0;
  ended = 0;
  const socket = await open(server.port);
  socket.write(requestText('GET', '/made/endless'));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  let before = -1;
  await expect
    .poll(
      () => {
        const still = made === before;
        before = made;
        return still;
      },
      { interval: 200, timeout: 20_000 },
    )
    .toBe(true);
  expect(made).toBeLessThan(PARTS / 2); // sockets buffer only a few of the hundred megabytes
  socket.destroy();
  await expect.poll(() => ended, { timeout: 20_000 }).toBe(1);
  expect(made).toBeLessThan(PARTS / 2);
});

test('an early failure is answered; a later failure, or a wrong length, ends the connection', async () => {
  const failed = await fetch(`${server.address}/made/${encodeURIComponent('fails at once')}`);
  expect(failed.status).toBe(500);
  for (const how of ['fails', 'wrong']) {
    const response = await fetch(`${server.address}/made/${how}`);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  }
});
