import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { Agent, request as requestTls } from 'node:https';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { ensureNginx } from '../../scripts/nginx.mjs';
import { decodeFrame } from '../../src/protocol/frame.ts';
import { Listener } from '../support/client.ts';
import { requestText, sendRaw } from '../support/raw-http.ts';
import { useStudio } from '../support/use-studio.ts';
import { freePorts, makeCertificate, type Nginx, startNginx } from './nginx.ts';

const studio = useStudio();

const SITE = readFileSync(path.resolve(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');
const PROXIES = readFileSync(path.resolve(import.meta.dirname, '../../docs/operation/proxies.md'), 'utf8');
const NAME = 'studio.example.org';
const TOKEN = 'behind-a.proxy';
const COOKIE = `svc_studio_token=${TOKEN}`;

const nginxProgram = ensureNginx();
const missing = nginxProgram === null ? 'nginx' : spawnSync('openssl', ['version']).error ? 'openssl' : null;
if (missing !== null)
  console.log(`skipped: the tests behind nginx need ${missing} (Debian: apt-get install ${missing})`);

beforeAll(() => studio.start(['--token', TOKEN]));

describe.skipIf(missing !== null)('behind nginx with the site of deploy/nginx.conf', () => {
  let folder: string;
  let nginx: Nginx;
  let plain: number;
  let tls: number;
  let agent: Agent;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-tls-'));
    [plain = 0, tls = 0] = await freePorts(2);
    const { certificate, key } = makeCertificate(folder, NAME);
    agent = new Agent({ ca: readFileSync(certificate), servername: NAME });
    const site = filled(SITE, {
      'listen 80;': `listen 127.0.0.1:${plain};`,
      'listen 443 ssl;': `listen 127.0.0.1:${tls} ssl;`,
      'server 127.0.0.1:8765;': `server 127.0.0.1:${studio.port};`,
      '/etc/ssl/studio.example.org.pem': certificate,
      '/etc/ssl/studio.example.org.key': key,
    });
    nginx = await startNginx(nginxProgram!, site, tls);
  });
  afterAll(async () => {
    await nginx?.stop();
    rmSync(folder, { recursive: true });
  });

  interface Answer {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }
  function send(
    method: string,
    place: string,
    headers: Record<string, string> = {},
    body?: Uint8Array | string,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: tls,
        agent,
        method,
        path: place,
        headers: { host: `${NAME}:${tls}`, ...headers },
      };
      const sent = requestTls(options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          });
        });
      });
      sent.on('error', reject).end(body);
    });
  }
  const json = { cookie: COOKIE, 'content-type': 'application/json' };

  test('a client behind nginx needs the token, although nginx is local', async () => {
    expect((await send('GET', '/api/robot')).status).toBe(401);
    expect((await sendRaw(studio.port, requestText('GET', '/api/robot'))).status).toBe(200);
  });

  test('a token opened behind nginx becomes a cookie for TLS only and shows the page', async () => {
    const opened = await send('GET', `/?token=${TOKEN}`);
    expect([opened.status, opened.headers.location]).toEqual([302, '/']);
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    expect(cookie.toLowerCase()).toMatch(/; httponly/);
    expect(cookie.toLowerCase()).toMatch(/; secure/);
    const page = await send('GET', '/', { cookie: cookie.split(';')[0]! });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    const [script = ''] = /(?<=src=")[^"]+\.js/.exec(page.text) ?? [];
    const { pathname } = new URL(script, `https://${NAME}/`);
    expect((await send('GET', pathname, { cookie: COOKIE })).status).toBe(200);
  });

  test('nginx passes JSON both ways; pages of other sites are refused', async () => {
    const joint = JSON.stringify({ name: 'left_knee_joint', value: 0.5 });
    const own = await send('POST', '/api/robot/joint', { ...json, origin: `https://${NAME}:${tls}` }, joint);
    expect([own.status, JSON.parse(own.text)]).toEqual([200, { ok: true, value: 0.5 }]);
    const foreign = await send('POST', '/api/robot/joint', { ...json, origin: 'https://evil.example' }, joint);
    expect(foreign.status).toBe(403);
  });

  test('the websocket behind nginx sends events, then frames while they are acknowledged', async () => {
    const headers = { cookie: COOKIE, host: `${NAME}:${tls}`, origin: `https://${NAME}:${tls}` };
    const socket = new WebSocket(`wss://127.0.0.1:${tls}/ws`, { headers, agent });
    socket.binaryType = 'arraybuffer';
    const seen: number[] = [];
    const topics = new Set<string>();
    const enough = new Promise<void>((resolve) => {
      socket.on('message', (data: ArrayBuffer | Buffer, isBinary: boolean) => {
        if (isBinary) {
          const { seq } = decodeFrame(data as ArrayBuffer).header;
          seen.push(seq);
          socket.send(JSON.stringify({ type: 'ack', seq }));
        } else topics.add((JSON.parse(data.toString()) as { topic: string }).topic);
        if (seen.length === 50) resolve();
      });
    });
    const loaded = await send('POST', '/api/data/load', json, JSON.stringify({ dataset: 'samples', clip: 'squat' }));
    expect(loaded.status).toBe(200);
    await enough;
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect([...topics]).toEqual(expect.arrayContaining(['robot', 'owner']));
    socket.close();
    await once(socket, 'close');
  });

  test('the websocket behind nginx is refused without the token', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${tls}/ws`, { headers: { host: NAME }, agent });
    const [error] = (await once(socket, 'error').catch((caught: unknown) => [caught])) as [Error];
    expect(error.message).toContain('401');
  });

  test('an upload of 32 MB through nginx arrives completely', async () => {
    const bytes = Buffer.alloc(32 << 20, 'motion ');
    const { status, text } = await send(
      'PUT',
      '/api/robots/import/upload/large/assets/large.stl',
      { cookie: COOKIE },
      bytes,
    );
    expect([status, JSON.parse(text)]).toMatchObject([200, { ok: true, bytes: bytes.length }]);
    const stored = readFileSync(path.join(studio.workspace, 'robots/.uploads/large/assets/large.stl'));
    expect(stored.equals(bytes)).toBe(true);
    expect((await send('DELETE', '/api/robots/import/large', { cookie: COOKIE })).status).toBe(200);
  });

  test('nginx redirects plain HTTP to TLS', async () => {
    const redirected = await new Promise<{ status: number | undefined; location: string | undefined }>(
      (resolve, reject) => {
        requestPlain(
          { host: '127.0.0.1', port: plain, path: '/api/docs', headers: { host: NAME } },
          ({ statusCode, headers }) => resolve({ status: statusCode, location: headers.location }),
        )
          .on('error', reject)
          .end();
      },
    );
    expect(redirected).toEqual({ status: 301, location: `https://${NAME}/api/docs` });
  });

  test('the nginx error log is empty', () => {
    expect(nginx.errors()).toBe('');
  });
});

test.skipIf(missing !== null)('the page and the API work below a path, as in docs/operation/proxies.md', async () => {
  const [plain = 0, listen = 0] = await freePorts(2);
  const lines = /location \/studio\/ \{(?:\n {8}.*;)+/.exec(PROXIES)?.[0];
  if (lines === undefined) throw new Error('docs/operation/proxies.md: no location /studio/');
  const site = filled(SITE, {
    'listen 80;': `listen 127.0.0.1:${plain};`,
    'listen 443 ssl;': `listen 127.0.0.1:${listen};`,
    'ssl_certificate     /etc/ssl/studio.example.org.pem;': '',
    'ssl_certificate_key /etc/ssl/studio.example.org.key;': '',
    'server 127.0.0.1:8765;': `server 127.0.0.1:${studio.port};`,
    'proxy_cookie_flags svc_studio_token secure;': '',
    'location / {\n        proxy_pass http://motion_studio;': lines,
  });
  const nginx = await startNginx(nginxProgram!, site, listen);
  const get = (place: string) => sendRaw(listen, requestText('GET', place, { cookie: COOKIE }));
  const opened = await sendRaw(listen, requestText('GET', `/studio/?token=${TOKEN}`));
  expect([opened.status, new URL(opened.headers['location']!, 'http://x/studio/').pathname]).toEqual([302, '/studio/']);
  expect(opened.headers['set-cookie']).toContain('Path=/studio/');
  const page = await fetch(`http://127.0.0.1:${listen}/studio/`, { headers: { cookie: COOKIE } });
  const [script = ''] = /(?<=src=")[^"]+\.js/.exec(await page.text()) ?? [];
  expect((await get(new URL(script, 'http://x/studio/').pathname)).status).toBe(200);
  expect((await get('/studio/api/robot')).status).toBe(200);
  const listener = await Listener.open(`http://127.0.0.1:${listen}/studio`, { cookie: COOKIE });
  await listener.nextFrame(() => true);
  listener.close();
  await nginx.stop();
});

test.skipIf(missing !== null)(
  'without proxy_http_version nginx speaks HTTP/1.0, which is answered with 505',
  async () => {
    const [listen = 0] = await freePorts(1);
    const site = `server { listen 127.0.0.1:${listen}; location / { proxy_pass http://127.0.0.1:${studio.port}; } }`;
    const nginx = await startNginx(nginxProgram!, site, listen);
    expect((await sendRaw(listen, requestText('GET', '/healthz'))).status).toBe(505);
    await nginx.stop();
  },
);

describe('behind a forwarder of connections, which sends no header', () => {
  let forwarder: Server;
  let at: number;
  const careful = useStudio();
  beforeAll(async () => {
    await careful.start(['--token', TOKEN, '--token-for-all']);
    forwarder = createServer((client) => {
      const service = connect(careful.port, '127.0.0.1');
      client.on('error', () => service.destroy()).pipe(service);
      service.on('error', () => client.destroy()).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(forwarder, 'listening');
    at = (forwarder.address() as { port: number }).port;
  });
  afterAll(() => forwarder.close());

  test('--token-for-all requires the token from all clients, including local ones behind a forwarder', async () => {
    for (const where of [at, careful.port]) {
      expect((await sendRaw(where, requestText('GET', '/api/robot'))).status).toBe(401);
      expect((await sendRaw(where, requestText('GET', '/healthz'))).status).toBe(401);
      expect((await sendRaw(where, requestText('GET', '/api/robot', { cookie: COOKIE }))).status).toBe(200);
    }
    await expect(Listener.open(`http://127.0.0.1:${at}`)).rejects.toThrow('401');
    const listener = await Listener.open(`http://127.0.0.1:${at}`, { cookie: COOKIE });
    await listener.nextFrame(() => true);
    listener.close();
  });
});

/** The site with this test's ports and files: replaces each key of `values`, which must occur exactly once. */
function filled(site: string, values: Readonly<Record<string, string>>): string {
  let text = site;
  for (const [from, to] of Object.entries(values)) {
    const parts = text.split(from);
    if (parts.length !== 2)
      throw new Error(`deploy/nginx.conf holds "${from}" ${parts.length - 1} times, expected once`);
    text = parts.join(to);
  }
  return text;
}
