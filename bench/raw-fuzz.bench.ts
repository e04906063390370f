/** Claim: on both transports, no bytes from a client crash the service, hang it or cause a 500 answer. Requests and
 *  websocket frames are generated valid and then damaged: cut, repeated, swapped, split into segments, or given other
 *  lengths, chunk sizes, versions and control characters.
 *
 *    raw-fuzz.bench.ts [--count 100000] [--seed 1] [--transport uws,node] */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../test/support/random.ts';
import { type Goal, printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    transport: { type: 'string', default: 'uws,node' },
  },
});
const CONNECTIONS = 32;
/** A connection that the service neither answers nor closes within this time hangs, ms. The limits of the service are
 *  shorter. */
const HANG_MS = 40_000;

const random = randomFrom(Number(options.seed));
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;

const TARGETS = [
  '/',
  '/healthz',
  '/api/robots',
  '/api/data/clips?dataset=samples',
  '/api/robots/import/files?id=x',
  '/api/runs/file?run=..%2f..&file=x',
  '/api/presets/x',
  '/api/robots/import/upload/fuzz/a%2Fb.xml',
  '/%ff',
  '/ws',
  '//',
  '*',
  'http://127.0.0.1/api/robots',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'get', 'G\0T', 'PRI'];
const HEADERS = [
  'Content-Type: application/json',
  'Content-Type: text/plain',
  'Content-Length: 2',
  'Content-Length: 7',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Trailer: X-T',
  'Connection: close',
  'Connection: keep-alive, Upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'Origin: http://evil.example',
  'Host: evil.example',
  'Cookie: svc_studio_token=x; a="b',
  'Authorization: Bearer x',
  'Prefer: wait=0',
  'Range: bytes=0-0,5-',
  'If-None-Match: "x", W/"y',
  'Accept-Encoding: br;q=x, gzip',
  'X-Request-Id: a\tb',
  `X-Long: ${'y'.repeat(5000)}`,
  ' folded: 1',
  'no colon',
  ': empty',
];
const BODIES = [
  '',
  '{}',
  '{"name": "humanoid"}',
  '[[[[[[[',
  '{"a": 1e999}',
  '\0\0',
  '"\ud800"',
  '5\r\nhello\r\n0\r\n\r\n',
  'fff\r\nx',
];
const HANDSHAKE =
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Generates a request that the parser accepts, so that the gateway has to find its errors. */
function wellFormed(): Buffer {
  const body = pick(BODIES);
  const method = pick(['GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);
  const lines = [`${method} ${pick(TARGETS.filter((target) => target.startsWith('/')))} HTTP/1.1`, 'Host: 127.0.0.1'];
  for (let k = below(4); k > 0; k--) lines.push(pick(HEADERS.filter((header) => !UNFRAMED.test(header))));
  if (body !== '' || random() < 0.5) lines.push(`Content-Length: ${Buffer.byteLength(body, 'latin1')}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

/** Headers that make a request invalid or affect its length. */
const UNFRAMED = /^( |:|no colon|content-length|transfer-encoding|trailer|upgrade)/i;

function request(): Buffer {
  if (random() < 0.5) return wellFormed();
  const lines = [
    `${pick(METHODS)} ${pick(TARGETS)} HTTP/${pick(['1.1', '1.1', '1.1', '1.1', '1.0', '2.0', '9.9', ''])}`,
  ];
  if (random() < 0.9) lines.push('Host: 127.0.0.1');
  for (let k = below(7); k > 0; k--) lines.push(pick(HEADERS));
  const end = pick(['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r']);
  return Buffer.from(lines.join(end) + end + end + pick(BODIES), 'latin1');
}

/** Generates a masked frame of any kind, with a correct or a wrong length. */
function frame(): Buffer {
  const payload = Buffer.from(
    pick(['{"type":"ack","seq":1}', '{"type":"rate","fps":1e9}', '{"type":', 'x'.repeat(below(300)), '\xff\xfe', '']),
    'latin1',
  );
  const head = Buffer.alloc(2);
  head[0] = below(256);
  head[1] = 0x80 | Math.min(125, payload.length);
  const mask = Buffer.from([below(256), below(256), below(256), below(256)]);
  const masked = payload.subarray(0, 125).map((byte, k) => byte ^ mask[k % 4]!);
  const extra =
    random() < 0.1 ? Buffer.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) : Buffer.alloc(0);
  return Buffer.concat([head, mask, masked, extra]);
}

function damaged(bytes: Buffer): Buffer {
  if (bytes.length === 0 || random() < 0.7) return bytes;
  const at = below(bytes.length);
  switch (below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes, bytes.subarray(at)]);
    case 2: {
      const copy = Buffer.from(bytes);
      copy[at] = below(256);
      return copy;
    }
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), bytes.subarray(at)]);
  }
}

interface Case {
  readonly parts: readonly Buffer[];
  /** whether to close our side after the last part, as most clients do */
  readonly ends: boolean;
}

function nextCase(): Case {
  const isSocket = random() < 0.3;
  const parts = isSocket
    ? [Buffer.from(HANDSHAKE), ...Array.from({ length: 1 + below(6) }, () => damaged(frame()))]
    : Array.from({ length: 1 + below(3) }, () => damaged(request()));
  const whole = Buffer.concat(parts);
  if (random() < 0.7) return { parts: [whole], ends: random() < 0.99 };
  const cut = below(whole.length + 1);
  return { parts: [whole.subarray(0, cut), whole.subarray(cut)], ends: random() < 0.99 };
}

interface Seen {
  answers: Record<string, number>;
  hangs: number;
  unreachable: number;
}

/** Sends a case and waits for the end of the connection. */
function send(port: number, { parts, ends }: Case, seen: Seen): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const hang = setTimeout(() => {
      if (chunks.length === 0) seen.hangs += 1;
      socket.destroy();
    }, HANG_MS);
    let connected = false;
    // A websocket stays open until its client closes it: wait long enough for the effects of these bytes.
    const websocket = parts[0]!.indexOf('Upgrade: websocket') >= 0;
    const leave = () => {
      if (websocket) setTimeout(() => socket.destroy(), 50);
      else if (ends) socket.end();
    };
    socket.on('connect', async () => {
      connected = true;
      for (const [k, part] of parts.entries()) {
        if (k > 0) await sleep(2);
        if (socket.writable) socket.write(part);
      }
      leave();
    });
    socket.on('data', (chunk) => {
      if (chunks.length < 4) chunks.push(chunk);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(hang);
      if (!connected) seen.unreachable += 1;
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!);
      for (const status of statuses.length > 0 ? statuses : ['none'])
        seen.answers[status] = (seen.answers[status] ?? 0) + 1;
      resolve();
    });
  });
}

const count = Number(options.count);
const rows = [];
const goals: Goal[] = [];
for (const transport of options.transport.split(',')) {
  const folder = temporaryFolder('bench-raw-fuzz-');
  const server = await ServerProcess.start(
    [process.execPath, benchFile('../dist/cli/main.js')],
    ['--port', 0, '--workspace', folder, '--log-level', 'error', '--transport', transport],
  );
  const seen: Seen = { answers: {}, hangs: 0, unreachable: 0 };
  let slowest_ms = 0;
  let running = true;
  const watch = (async () => {
    while (running) {
      const from = performance.now();
      const { status } = await fetch(`http://127.0.0.1:${server.port}/healthz`);
      if (status !== 200) throw new Error(`/healthz answered ${status}`);
      slowest_ms = Math.max(slowest_ms, performance.now() - from);
      await sleep(250);
    }
  })();
  const from = performance.now();
  let left = count;
  const worker = async () => {
    while (left-- > 0) await send(server.port, nextCase(), seen);
  };
  await Promise.all([...Array.from({ length: CONNECTIONS }, worker)]);
  running = false;
  await watch;
  const seconds = (performance.now() - from) / 1e3;
  await server.stop();
  rows.push({ transport, count, seconds, slowest_healthz_ms: slowest_ms, ...seen });
  goals.push({ name: `${transport}: answers 500`, value: seen.answers['500'] ?? 0, atMost: 0 });
  goals.push({ name: `${transport}: connections neither answered nor closed`, value: seen.hangs, atMost: 0 });
  goals.push({
    name: `${transport}: connections refused by a service that is gone`,
    value: seen.unreachable,
    atMost: 0,
  });
}
printTable(
  ['transport', 'cases', 's', 'slowest /healthz ms', 'hangs', 'answers'],
  rows.map((r) => [r.transport, r.count, r.seconds, r.slowest_healthz_ms, r.hangs, JSON.stringify(r.answers)]),
);
writeResult('raw-fuzz', goals, { seed: Number(options.seed), rows });
