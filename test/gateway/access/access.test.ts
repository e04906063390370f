import { once } from 'node:events';
import { hostname, networkInterfaces } from 'node:os';
import { Type } from 'typebox';
import { afterEach, describe, expect, test } from 'vitest';
import type { AccessOptions } from '../../../src/gateway/access/access.ts';
import { addressText, OwnAddresses } from '../../../src/gateway/access/peer.ts';
import { tokensIn } from '../../../src/gateway/access/token.ts';
import { handlersFor } from '../../../src/gateway/kernel/handler.ts';
import { looseBody, route } from '../../../src/protocol/route.ts';
import { Ok } from '../../../src/protocol/schemas/busy.ts';
import { open, requestText, sendRaw } from '../../support/raw-http.ts';
import { type KernelServer, serveKernel } from '../kernel-server.ts';

const base = { tag: 'Service', summary: '' } as const;
const html = { contentType: 'text/html', description: '' };
const page = route({ ...base, method: 'GET', path: '/', query: Type.Object({}), reply: html });
const read = route({ ...base, method: 'GET', path: '/read', reply: Ok });
const act = route({ ...base, method: 'POST', path: '/act', body: looseBody({}), reply: Ok });
const viewer = route({ ...base, method: 'GET', path: '/viewer', sideEffects: true, reply: html });
const { handle, handleContent } = handlersFor<null>();
const handlers = [
  handleContent(page, () => ({ body: 'page' })),
  handle(read, () => ({ ok: true as const })),
  handle(act, () => ({ ok: true as const })),
  handleContent(viewer, () => ({ body: 'viewer' })),
];

let server: KernelServer<null>;
afterEach(() => server.close());
async function start(access: Partial<AccessOptions> = {}): Promise<void> {
  server = await serveKernel<null>({ routes: [page, read, act, viewer], handlers, context: null }, access);
}
const status = async (method: string, path: string, headers: Record<string, string> = {}) =>
  (await sendRaw(server.port, requestText(method, path, headers), method)).status;

/** Makes the local client look like a client from another address. */
const FOREIGN = { 'x-forwarded-for': '203.0.113.9' };

describe('with a token', () => {
  test.each([
    ['nothing', {}, 401],
    ['a wrong cookie', { cookie: 'svc_studio_token=wrong' }, 401],
    ['the cookie among others', { cookie: 'a=b; svc_studio_token=s3cret; c=d' }, 200],
    ['another cookie of that value', { cookie: 'token=s3cret' }, 401],
    ['the header', { authorization: 'Bearer s3cret' }, 200],
    ['a wrong header', { authorization: 'Bearer s3cre' }, 401],
    ['another scheme', { authorization: 'Basic s3cret' }, 401],
  ])('with a token set, a client on another machine needs that token: %s', async (_, headers, expected) => {
    await start({ token: 's3cret' });
    expect(await status('GET', '/read', { ...FOREIGN, ...headers })).toBe(expected);
  });

  test('clients on this machine need no token', async () => {
    await start({ token: 's3cret' });
    expect(await status('GET', '/read')).toBe(200);
  });

  test.each([
    'Forwarded',
    'X-Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Whatever',
    'X-ForwardedFor',
    'X-Real-IP',
    'Via',
    'CF-Connecting-IP',
    'True-Client-IP',
    'X-Client-IP',
    'X-Original-Forwarded-For',
    'X-Cluster-Client-IP',
    'Fly-Client-IP',
    'CDN-Loop',
    'Tailscale-User-Login',
  ])('behind a proxy that sends %s, even empty, no client counts as local', async (name) => {
    await start({ token: 's3cret' });
    for (const value of ['127.0.0.1', '']) expect(await status('GET', '/read', { [name]: value })).toBe(401);
    expect(await status('GET', '/read', { [name]: '127.0.0.1', cookie: 'svc_studio_token=s3cret' })).toBe(200);
  });

  test('clients on this machine need the token if it is required for all', async () => {
    await start({ token: 's3cret', tokenForAll: true });
    expect(await status('GET', '/read')).toBe(401);
    expect(await status('POST', '/act')).toBe(401);
    expect(await status('GET', '/nothing')).toBe(401);
    expect(await status('GET', '/read', { authorization: 'Bearer s3cret' })).toBe(200);
  });

  test('the token is checked before path, method and body', async () => {
    await start({ token: 's3cret' });
    expect(await status('GET', '/nothing', FOREIGN)).toBe(401);
    expect(await status('PUT', '/read', FOREIGN)).toBe(401);
    expect(await status('OPTIONS', '/read', FOREIGN)).toBe(401);
    expect(await status('POST', '/act', { ...FOREIGN, 'Content-Length': '1000000000' })).toBe(401);
  });

  test('the token in the query is accepted only for the page', async () => {
    await start({ token: 's3cret' });
    expect(await status('GET', '/?token=s3cret', FOREIGN)).toBe(200);
    expect(await status('GET', '/?token=wrong', FOREIGN)).toBe(401);
    expect(await status('GET', '/read?token=s3cret', FOREIGN)).toBe(401);
  });

  test('the answer without a token explains how to send it, as text and as a header', async () => {
    await start({ token: 's3cret' });
    const { headers, body } = await sendRaw(server.port, requestText('GET', '/read', FOREIGN));
    expect(headers['www-authenticate']).toContain('Bearer');
    expect(JSON.parse(body)).toEqual({ detail: expect.stringContaining('token required') });
  });
});

describe('a wrong token', () => {
  const wrong = { ...FOREIGN, authorization: 'Bearer wrong' };
  /** @returns the status, and the seconds until the response */
  async function waited(headers: Record<string, string>, path = '/read'): Promise<[status: number, seconds: number]> {
    const begin = performance.now();
    const answered = await status('GET', path, headers);
    return [answered, (performance.now() - begin) / 1000];
  }

  test('wrong tokens are answered with a growing delay of up to 2 s; the right token and a missing one at once', async () => {
    await start({ token: 's3cret' });
    const seconds: number[] = [];
    for (let k = 0; k < 6; k++) {
      const [answered, s] = await waited(wrong);
      expect(answered).toBe(401);
      seconds.push(s);
    }
    const expected = [0.125, 0.25, 0.5, 1, 2, 2];
    // A timer fires early by its rounding error at most.
    for (const [k, s] of seconds.entries()) expect(s).toBeGreaterThan(expected[k]! - 0.01);
    let delayed = false;
    const pending = waited(wrong).finally(() => (delayed = true));
    const [right, none] = await Promise.all([waited({ ...FOREIGN, authorization: 'Bearer s3cret' }), waited(FOREIGN)]);
    expect([right[0], none[0], delayed]).toEqual([200, 401, false]);
    expect((await pending)[1]).toBeGreaterThan(1.9);
  });

  test.each([
    ['a cookie', { cookie: 'svc_studio_token=wrong' }, '/read'],
    ['the address of the page', {}, '/?token=wrong'],
    ['a request for an unknown path', { authorization: 'Bearer wrong' }, '/nothing'],
  ])('a wrong token in %s is delayed', async (_, headers, path) => {
    await start({ token: 's3cret' });
    expect((await waited({ ...FOREIGN, ...headers }, path))[1]).toBeGreaterThan(0.115);
    expect((await waited({ ...FOREIGN, ...headers }, path))[1]).toBeGreaterThan(0.24);
  });

  test('a wrong token is logged once with the address, without the token', async () => {
    const lines: string[] = [];
    await start({ token: 's3cret', warn: (line) => lines.push(line) });
    await status('GET', '/read', wrong);
    await status('GET', '/read', wrong);
    expect(lines).toEqual(['requests with a wrong token: 1 from 127.0.0.1']);
  });

  test('the delayed answer to a wrong token is dropped if the client disconnects', async () => {
    await start({ token: 's3cret' });
    const socket = await open(server.port);
    socket.write(requestText('GET', '/read', wrong));
    await once(socket.destroy(), 'close');
    expect(await status('GET', '/read')).toBe(200);
  });
});

describe('a name that was rebound to the service', () => {
  test.each([
    ['127.0.0.1:8765', 200],
    ['192.168.1.7', 200],
    ['[::1]:8765', 200],
    ['localhost:8765', 200],
    ['LOCALHOST', 200],
    [`${hostname()}:8765`, 200],
    ['studio.lab:8765', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['0x7f.1', 403],
  ])('a rebound name in the Host header: %s', async (host, expected) => {
    await start({ allowedHosts: ['Studio.lab'] });
    expect(await status('GET', '/read', { Host: host })).toBe(expected);
    expect(await status('GET', '/read', { Host: host })).toBe(expected); // also when the result is cached
  });

  test('a rebound name passes with a valid token', async () => {
    await start({ token: 's3cret' });
    expect(await status('GET', '/read', { Host: 'evil.example' })).toBe(403);
    expect(await status('GET', '/read', { Host: 'evil.example', cookie: 'svc_studio_token=s3cret' })).toBe(200);
  });
});

describe('a page of another site', () => {
  test.each([
    ['http://127.0.0.1:8765', 200],
    ['https://127.0.0.1:8765', 200],
    ['http://127.0.0.1:9999', 403],
    ['http://localhost:8765', 403],
    ['http://evil.example', 403],
    ['null', 403],
  ])('a page of another site with Origin: %s', async (origin, expected) => {
    await start();
    const headers = { Host: '127.0.0.1:8765', origin };
    expect(await status('POST', '/act', headers)).toBe(expected);
    expect(await status('GET', '/read', headers)).toBe(200);
    expect(await status('HEAD', '/read', headers)).toBe(expected);
    expect(await status('OPTIONS', '/act', headers)).toBe(expected === 200 ? 204 : 403);
  });

  test('scripts send no Origin and are accepted', async () => {
    await start();
    expect(await status('POST', '/act')).toBe(200);
  });

  test.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
  ])('a page of another site with Sec-Fetch-Site: %s reads a route that starts something', async (site, expected) => {
    await start();
    expect(await status('GET', '/viewer', { 'sec-fetch-site': site })).toBe(expected);
    expect(await status('GET', '/read', { 'sec-fetch-site': site })).toBe(200);
  });
});

describe('own addresses', () => {
  const own = new OwnAddresses(() => ['192.0.2.2', 'fe80::42:acff:fe11:2%eth0', '2001:db8::7']);
  const bytes = (...values: number[]) => new Uint8Array(values);
  const mapped = (...v4: number[]) => bytes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...v4);

  test.each([
    ['loopback', bytes(127, 9, 9, 9), true],
    ['mapped loopback', mapped(127, 0, 0, 1), true],
    ['IPv6 loopback', bytes(...Array(15).fill(0), 1), true],
    ['an address of this machine', bytes(192, 0, 2, 2), true],
    ['the same, mapped', mapped(192, 0, 2, 2), true],
    ['a neighbour', bytes(192, 0, 2, 3), false],
    ['IPv6 of this machine', bytes(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7), true],
    ['link-local', bytes(0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x42, 0xac, 0xff, 0xfe, 0x11, 0, 2), true],
    ['IPv6 of another machine', bytes(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8), false],
    ['none (the socket is gone)', bytes(), false],
  ])('an address belongs to this machine or not: %s', (_, address, expected) => {
    expect(own.has(address)).toBe(expected);
  });

  test('addresses are normalised, and mapped addresses become IPv4', () => {
    expect(addressText(mapped(192, 0, 2, 2))).toBe('192.0.2.2');
    expect(addressText(bytes(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))).toBe('2001:db8:0:0:0:0:0:7');
    expect(addressText(bytes())).toBe('?');
  });

  test('every address of this machine is recognised as local', () => {
    const real = new OwnAddresses();
    const v4 = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter(({ family }) => family === 'IPv4'),
    );
    for (const { address } of v4) expect(real.has(bytes(...address.split('.').map(Number)))).toBe(true);
  });
});

test('every token of a request is found: in cookies, in quoted cookies and as Bearer', () => {
  expect(tokensIn('a=b; svc_studio_token="a.b-c"; svc_studio_token=d', 'bearer e')).toEqual(['e', 'a.b-c', 'd']);
  expect(tokensIn('token=a', 'Basic YTpi')).toEqual([]);
  expect(tokensIn('', '')).toEqual([]);
});
