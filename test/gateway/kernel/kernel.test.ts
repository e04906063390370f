import { once } from 'node:events';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StudioError } from '../../../src/core/errors.ts';
import { handlersFor } from '../../../src/gateway/kernel/handler.ts';
import { looseBody, route, strictBody } from '../../../src/protocol/route.ts';
import { Ok, SlowReply } from '../../../src/protocol/schemas/busy.ts';
import { open, readAnswer, requestText, sendRaw } from '../../support/raw-http.ts';
import { type KernelServer, serveKernel } from '../kernel-server.ts';

const tag = 'Service';
const summary = '';
const read = route({
  method: 'GET',
  path: '/api/things/{name}',
  tag,
  summary,
  query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1 })), q: Type.Optional(Type.String()) }),
  reply: Type.Object({ name: Type.String(), page: Type.Integer(), text: Type.String() }),
});
const remove = route({ method: 'DELETE', path: '/api/things/{name}', tag, summary, reply: Ok });
const act = route({
  method: 'POST',
  path: '/api/act',
  tag,
  summary,
  body: strictBody({
    num_envs: Type.Integer({ minimum: 1 }),
    gains: Type.Optional(Type.Record(Type.String(), Type.Number())),
  }),
  reply: Type.Object({ ok: Type.Literal(true), got: Type.Unknown() }),
});
const loose = route({
  method: 'POST',
  path: '/api/loose',
  tag,
  summary,
  body: looseBody({ on: Type.Optional(Type.Boolean()) }),
  reply: Ok,
});
const slow = route({
  method: 'POST',
  path: '/api/slow',
  tag,
  summary,
  slow: true,
  body: looseBody({}),
  reply: SlowReply,
});
const stuck = route({
  method: 'POST',
  path: '/api/stuck',
  tag,
  summary,
  deadlineS: 0.05,
  body: looseBody({}),
  reply: Ok,
});
const waits = route({ method: 'GET', path: '/api/waits', tag, summary, reply: Ok });
const fails = route({
  method: 'GET',
  path: '/api/fails/{how}',
  tag,
  summary,
  reply: Ok,
});
const viewer = route({
  method: 'GET',
  path: '/viewer',
  tag,
  summary,
  sideEffects: true,
  reply: { contentType: 'text/html', description: '' },
});
const model = route({
  method: 'GET',
  path: '/api/model',
  tag,
  summary,
  reply: { contentType: 'application/octet-stream', description: '' },
});

/** The context of the handlers below. */
interface Context {
  ran: string[];
  signal: AbortSignal | null;
  wake: () => void;
  etag: string;
}

const { handle, handleTagged, handleContent } = handlersFor<Context>();
const MODEL = new Uint8Array(600_000).map((_, k) => k % 7);
const handlers = [
  handle(read, (_, { params, query }) => ({
    name: params.name,
    page: query.page ?? 0,
    text: 'x'.repeat(query.page ?? 0),
  })),
  handle(remove, () => ({ ok: true as const })),
  handle(act, ({ ran }, { body }) => {
    ran.push('act');
    return { ok: true as const, got: body };
  }),
  handle(loose, () => ({ ok: true as const })),
  handle(slow, () => ({ ok: true as const, task: 'slow-1' })),
  handle(stuck, async (context, { signal }) => {
    context.signal = signal;
    await once(signal, 'abort');
    signal.throwIfAborted();
    return { ok: true as const };
  }),
  handle(waits, async (context, { signal }) => {
    context.signal = signal;
    await new Promise<void>((resolve) => {
      context.wake = resolve;
    });
    return { ok: true as const };
  }),
  handle(fails, async (_, { params }) => {
    if (params.how === 'known') throw new StudioError('conflict', 'there is no session');
    if (params.how === 'disk') throw Object.assign(new Error('write'), { code: 'ENOSPC' });
    throw new Error('secret: /home/x');
  }),
  handleContent(viewer, () => ({ status: 302, body: '', headers: { location: '/elsewhere' } })),
  handleTagged(model, ({ etag }) => ({ content: MODEL, etag })),
];

const context: Context = { ran: [], signal: null, wake: () => {}, etag: 'v1' };
let server: KernelServer<Context>;
beforeAll(async () => {
  const routes = [read, remove, act, loose, slow, stuck, waits, fails, viewer, model];
  server = await serveKernel<Context>({
    routes,
    handlers,
    context,
    waitForTask: async (task, seconds) => ({
      task,
      label: `waited ${seconds}`,
      state: 'done',
      by: null,
      progress: 1,
      message: '',
      error: null,
      started: '',
      ended: '',
      result: null,
    }),
  });
});
afterAll(() => server.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  sendRaw(server.port, requestText(method, path, headers, body), method);
const detail = (body: string) => (JSON.parse(body) as { detail: string }).detail;

describe('routing', () => {
  test('parameters and query are decoded, checked and typed', async () => {
    const { status, body, headers } = await ask('GET', '/api/things/a%20b?page=2');
    expect([status, JSON.parse(body)]).toEqual([200, { name: 'a b', page: 2, text: 'xx' }]);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  test('an unknown query parameter under /api is refused for every method', async () => {
    const { status, body } = await ask('GET', '/api/things/a?paeg=2');
    expect([status, detail(body)]).toEqual([
      400,
      'paeg: is not a known query parameter; did you mean "page"? Known are page, q',
    ]);
    expect((await ask('POST', '/api/loose?x=1', JSON_TYPE, '{}')).status).toBe(400);
  });

  test.each([
    ['/api/things/%zz', 'name: "%zz" is not valid percent-encoding. Write a percent sign as %25.'],
    ['/api/things/..', 'name: must not be ".."'],
    ['/api/things/a%2fb', 'name: "a/b" must not contain slashes'],
    ['/api/things/a%00', 'name: "a\\u0000" must not contain slashes'],
    ['/api/things/a?page=0', 'page: must be an integer ≥ 1'],
    ['/api/things/a?page=1e999', 'page: must be a finite number'],
    ['/api/things/a?page=x', 'page: must be an integer ≥ 1'],
    ['/api/things/a?q=%zz', 'query: "%zz" is not valid percent-encoding. Write a percent sign as %25.'],
  ])('the request %s is refused, saying what is wrong', async (path, message) => {
    const { status, body } = await ask('GET', path);
    expect([status, detail(body)]).toEqual([400, expect.stringContaining(message)]);
  });

  test.each(['/nothing', '/api/things/', '/api/things', '/API/things/a', '/api/things/a/', '//', '/api/things/a/b'])(
    'the path %s is unknown',
    async (path) => {
      const { status, body } = await ask('GET', path);
      expect(status).toBe(404);
      expect(detail(body)).toBe(`unknown path ${JSON.stringify(path)}. GET /api/docs lists the paths.`);
    },
  );

  test('an unsupported method on a known path is 405 with Allow', async () => {
    const answer = await ask('PUT', '/api/things/a');
    expect(detail(answer.body)).toBe('method "PUT" is not allowed here. Allowed: GET, HEAD, DELETE.');
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, DELETE, OPTIONS']);
    expect((await ask('GET', '/api/act')).headers['allow']).toBe('POST, OPTIONS');
    expect((await ask('PROPFIND', '/api/act')).status).toBe(405);
  });

  test('OPTIONS lists the methods', async () => {
    const answer = await ask('OPTIONS', '/api/things/a');
    expect([answer.status, answer.headers['allow'], answer.body]).toEqual([204, 'GET, HEAD, DELETE, OPTIONS', '']);
    expect(answer.headers['content-length']).toBeUndefined();
    expect((await ask('OPTIONS', '/nothing')).status).toBe(404);
  });

  test('HEAD answers every GET without a body, and the connection stays open', async () => {
    const socket = await open(server.port);
    socket.write(requestText('HEAD', '/api/things/abc?page=3'));
    const head = await readAnswer(socket, 'HEAD');
    socket.write(requestText('GET', '/api/things/abc?page=3'));
    const get = await readAnswer(socket);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(get.body.length));
    socket.destroy();
  });

  test('a route without a handler fails at the start', async () => {
    const later = route({ method: 'GET', path: '/api/later/{name}', tag, summary, reply: Ok });
    await expect(serveKernel<Context>({ routes: [later], handlers, context })).rejects.toThrow(
      'GET /api/later/{name} has no handler',
    );
  });
});

describe('bodies', () => {
  const post = (body: string, headers: Record<string, string> = JSON_TYPE) => ask('POST', '/api/act', headers, body);

  test('a valid body reaches the handler', async () => {
    const { status, body } = await post('{"num_envs":4,"gains":{"knee":1.5}}', {
      'content-type': 'application/json; charset=utf-8',
    });
    expect([status, JSON.parse(body)]).toEqual([200, { ok: true, got: { num_envs: 4, gains: { knee: 1.5 } } }]);
  });

  test.each([
    ['{"num_envs":0}', 'num_envs: must be an integer ≥ 1'],
    ['{"num_envs":"4"}', 'num_envs: must be an integer ≥ 1'],
    ['{"num_env":4}', 'num_env: is not a known field; did you mean "num_envs"?'],
    ['{"num_envs":1,"x":1}', 'x: is not a known field'],
    ['{"num_envs":1,"gains":{"knee":1e999}}', 'gains.knee: must be a finite number'],
    ['{"num_envs":1,"gains":{"__proto__":1}}', 'gains.__proto__: this name is reserved. Use another name.'],
    ['{"__proto__":{"num_envs":1}}', '__proto__: this name is reserved. Use another name.'],
    ['{"num_envs":1', 'body: is not valid JSON'],
    ['[]', 'body: must be an object'],
    ['null', 'body: must be an object'],
    ['', 'num_envs: is missing'],
    [`${'['.repeat(300)}${']'.repeat(300)}`, 'body: nested more than 64 levels deep, which is the limit'],
  ])('the body %s is refused, saying what is wrong', async (body, message) => {
    const answer = await post(body);
    expect([answer.status, detail(answer.body)]).toEqual([400, expect.stringContaining(message)]);
  });

  test('a body that is not UTF-8 is refused', async () => {
    const head = requestText('POST', '/api/act', { ...JSON_TYPE, 'Content-Length': '3' });
    const answer = await sendRaw(server.port, Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xff, 0x22])]));
    expect([answer.status, detail(answer.body)]).toEqual([400, 'body: must be UTF-8']);
  });

  test('an empty body is treated as {} whatever its type', async () => {
    expect((await ask('POST', '/api/loose')).status).toBe(200);
    expect((await ask('POST', '/api/loose', { 'content-type': 'text/plain', 'Content-Length': '0' })).status).toBe(200);
  });

  test('a payload of "none" ignores unknown fields and validates known ones', async () => {
    expect((await ask('POST', '/api/loose', JSON_TYPE, '{"anything":1}')).status).toBe(200);
    expect((await ask('POST', '/api/loose', JSON_TYPE, '{"on":1}')).status).toBe(400);
  });

  test('a body of another media type is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', '']) {
      expect((await post('{"num_envs":1}', type === '' ? {} : { 'content-type': type })).status).toBe(415);
    }
  });

  test('a body over the limit is 413, with or without content-length', async () => {
    const announced = await ask('POST', '/api/act', { ...JSON_TYPE, 'Content-Length': '200000' });
    expect(announced.status).toBe(413);
    expect(detail(announced.body)).toBe('the body has more than 1 KiB, which is the limit');
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const chunked = await sendRaw(
      server.port,
      requestText('POST', '/api/act', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }) + chunk + chunk,
    );
    expect(chunked.status).toBe(413);
  });

  test('a body in several pieces is joined', async () => {
    const socket = await open(server.port);
    const text = requestText('POST', '/api/act', JSON_TYPE, '{"num_envs":12}');
    socket.write(text.slice(0, -8));
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.write(text.slice(-8));
    const { body } = await readAnswer(socket);
    expect(JSON.parse(body)).toEqual({ ok: true, got: { num_envs: 12 } });
    socket.destroy();
  });

  test('a body in chunks of one byte is joined', async () => {
    const gains = Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`joint_${k}`, k / 8]));
    const chunks = [...JSON.stringify({ num_envs: 3, gains })].map((letter) => `1\r\n${letter}\r\n`);
    const head = requestText('POST', '/api/act', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' });
    const { status, body } = await sendRaw(server.port, `${head}${chunks.join('')}0\r\n\r\n`);
    expect([status, JSON.parse(body)]).toMatchObject([200, { ok: true, got: { num_envs: 3, gains } }]);
  });

  test('a client that disconnects during its body does not reach the handler', async () => {
    context.ran.length = 0;
    const socket = await open(server.port);
    socket.write(requestText('POST', '/api/act', { ...JSON_TYPE, 'Content-Length': '15' }, '{"num_'));
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.destroy();
    expect((await ask('GET', '/api/things/a')).status).toBe(200);
    expect(context.ran).toEqual([]);
  });
});

describe('errors', () => {
  test('a known error keeps its message', async () => {
    const { status, body } = await ask('GET', '/api/fails/known');
    expect([status, detail(body)]).toEqual([409, 'there is no session']);
  });

  test('a full disk is 507', async () => {
    expect((await ask('GET', '/api/fails/disk')).status).toBe(507);
  });

  test('a bug is 500 without its text, and is logged with the request id', async () => {
    const { status, body, headers } = await ask('GET', '/api/fails/unknown');
    expect(status).toBe(500);
    expect(body).not.toContain('secret');
    expect(detail(body)).toContain(headers['x-request-id']!);
    expect(server.log.at(-1)).toMatchObject({ level: 'error' });
  });

  test("an answer that takes too long is 503, and the handler's signal aborts", async () => {
    const { status, body } = await ask('POST', '/api/stuck');
    expect([status, detail(body)]).toEqual([503, 'timed out after 0.05 s; the action was rolled back']);
    expect(context.signal?.aborted).toBe(true);
    expect(server.log.filter(({ message }) => message.includes('bug'))).toHaveLength(1); // the bug of the previous test
  });

  test("the handler's signal aborts when the client disconnects", async () => {
    const socket = await open(server.port);
    socket.write(requestText('GET', '/api/waits'));
    await expect.poll(() => context.signal?.aborted).toBe(false);
    const { signal } = context;
    socket.destroy();
    await once(signal!, 'abort');
    context.wake();
  });
});

describe('waiting for a slow action', () => {
  test('Prefer: wait adds the state of the task to the reply', async () => {
    const { body, headers } = await ask('POST', '/api/slow', { prefer: 'respond-async, wait=5' });
    expect(JSON.parse(body)).toMatchObject({ ok: true, task: 'slow-1', busy: { state: 'done', label: 'waited 5' } });
    expect(headers['preference-applied']).toBe('wait=5');
  });

  test('the wait is at most a minute', async () => {
    const { body, headers } = await ask('POST', '/api/slow', { prefer: 'wait=900' });
    expect(JSON.parse(body)).toMatchObject({ busy: { label: 'waited 60' } });
    expect(headers['preference-applied']).toBe('wait=60');
  });

  test.each(['', 'wait', 'wait=x', 'wait=-1', 'waits=5'])('Prefer: "%s" does not wait', async (prefer) => {
    const { body, headers } = await ask('POST', '/api/slow', prefer === '' ? {} : { prefer });
    expect(JSON.parse(body)).toEqual({ ok: true, task: 'slow-1' });
    expect(headers['preference-applied']).toBeUndefined();
  });
});

describe('tagged content', () => {
  const FOREIGN = { 'x-forwarded-for': '203.0.113.9' };

  test('tagged content is not sent again while unchanged', async () => {
    const first = await ask('GET', '/api/model');
    expect([first.status, first.headers['etag'], first.headers['content-length']]).toEqual([200, '"v1"', '600000']);
    const again = await ask('GET', '/api/model', { 'if-none-match': 'W/"x", "v1"' });
    expect([again.status, again.headers['etag'], again.headers['content-length']]).toEqual([304, '"v1"', undefined]);
    context.etag = 'v2';
    expect((await ask('GET', '/api/model', { 'if-none-match': '"v1"' })).status).toBe(200);
    context.etag = 'v1';
  });

  test.each(['gzip', 'br'])(
    'tagged content is compressed with %s for other machines, with its own tag',
    async (encoding) => {
      const headers = { ...FOREIGN, 'accept-encoding': encoding };
      const packed = await ask('HEAD', '/api/model', headers);
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        etag: `"v1-${encoding}"`,
        vary: 'accept-encoding',
      });
      expect(Number(packed.headers['content-length'])).toBeLessThan(60_000);
      expect((await ask('GET', '/api/model', { ...headers, 'if-none-match': `"v1-${encoding}"` })).status).toBe(304);
      const response = await fetch(`${server.address}/api/model`, { headers });
      expect(Buffer.from(await response.arrayBuffer()).equals(MODEL)).toBe(true);
    },
  );

  test('tagged content is not compressed for this machine', async () => {
    const { headers } = await ask('HEAD', '/api/model', { 'accept-encoding': 'br, gzip' });
    expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, '600000']);
  });

  test('large JSON is compressed for other machines, small JSON is not', async () => {
    const headers = { ...FOREIGN, 'accept-encoding': 'gzip' };
    expect((await ask('HEAD', '/api/things/a?page=20000', headers)).headers['content-encoding']).toBe('gzip');
    expect((await ask('HEAD', '/api/things/a?page=20', headers)).headers['content-encoding']).toBeUndefined();
    const response = await fetch(`${server.address}/api/things/a?page=20000`, { headers });
    expect(((await response.json()) as { text: string }).text).toHaveLength(20_000);
  });

  test('a reader that is slower than the service gets every byte', async () => {
    const socket = await open(server.port);
    socket.write(requestText('GET', '/api/model'));
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 100));
    let received = 0;
    socket.resume();
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThan(600_000);
    socket.destroy();
  });
});

describe('request ids', () => {
  test('a valid id of the client is returned, otherwise a new one', async () => {
    expect((await ask('GET', '/api/things/a', { 'x-request-id': 'job-7_a' })).headers['x-request-id']).toBe('job-7_a');
    const strange = await ask('GET', '/api/things/a', { 'x-request-id': 'a b;c' });
    const none = await ask('GET', '/api/things/a');
    expect(strange.headers['x-request-id']).toMatch(/^[\w-]{3,64}$/);
    expect(none.headers['x-request-id']).not.toBe(strange.headers['x-request-id']);
  });
});

test('many requests on one connection are answered in order', async () => {
  const socket = await open(server.port);
  for (let k = 1; k <= 50; k++) {
    socket.write(requestText('GET', `/api/things/n${k}`));
    expect(JSON.parse((await readAnswer(socket)).body)).toMatchObject({ name: `n${k}` });
  }
  socket.destroy();
});

test('a stopping service refuses new actions, answers running ones, and then stops', async () => {
  const own: Context = { ran: [], signal: null, wake: () => {}, etag: 'v1' };
  const stopping = await serveKernel<Context>({ routes: [act, waits, read], handlers, context: own });
  const runs = sendRaw(stopping.port, requestText('GET', '/api/waits'));
  await expect.poll(() => own.signal).not.toBeNull();
  let ended = false;
  const stopped = stopping.kernel.stop().then(() => {
    ended = true;
  });
  const refused = await sendRaw(stopping.port, requestText('POST', '/api/act', JSON_TYPE, '{"num_envs":1}'));
  expect([refused.status, detail(refused.body)]).toEqual([503, 'the service is shutting down']);
  expect((await sendRaw(stopping.port, requestText('GET', '/api/things/a'))).status).toBe(200);
  expect(ended).toBe(false);
  own.wake();
  expect((await runs).status).toBe(200);
  await stopped;
  stopping.close();
});
