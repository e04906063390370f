import type { Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { RouteSpec } from '../../src/protocol/route.ts';
import { allRoutes } from '../../src/protocol/route-table.ts';
import { randomFrom } from '../support/random.ts';
import { open, readAnswer, requestText } from '../support/raw-http.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const COUNT = 10_000;
const SEED = 20_240_917;
/** Number of parallel connections. */
const LANES = 8;

beforeAll(() => studio.start());

/** Expected outcome: one of these statuses; `parser`: refused before routing, by a response or by closing the
 *  connection; `nothing`: the client does not wait for a response. */
type Outcome = readonly number[] | 'parser' | 'nothing';

interface Case {
  readonly bytes: string | Buffer;
  readonly method?: string;
  readonly outcome: Outcome;
}

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const word = (random: Random, letters: string, most: number) =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, [...letters])).join('');

const JSON_TYPE = { 'content-type': 'application/json' };
const rows = allRoutes();
const bodies = rows.filter(({ body }) => body);
const urlOf = (row: RouteSpec, value = 'x') => row.path.replaceAll(/\{\w+\*?\}/g, value);

const BAD_SEGMENTS = [
  '%zz',
  '%',
  '%f',
  '%ff%fe',
  '..',
  '.',
  '%2e%2e',
  'a%2fb',
  'a%5cb',
  'a%00b',
  'a%0d%0aX:1',
  '%c0%ae',
];
const BAD_JSON = [
  '{',
  '}',
  '{"a":}',
  "{'a':1}",
  '{"a":1,}',
  'undefined',
  'NaN',
  '"',
  '\u0000',
  '[1,2',
  '{"a":01}',
  '\ufeff',
];
const NO_OBJECT = ['[]', 'null', '1', 'true', '"text"', '[{}]'];
const STRANGE = [
  '{"__proto__":1}',
  '{"a":{"__proto__":{}}}',
  '{"a":1e999}',
  '{"a":[-1e999]}',
  `${'['.repeat(90)}${']'.repeat(90)}`,
];
const MEDIA = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'json',
  '*/*',
];

/** Valid requests that this service cannot fulfil. */
const IMPOSSIBLE: readonly [string, string, number][] = [
  ['/api/robot/select', '{"name":"nobody"}', 400],
  ['/api/robot/select', '{"name":"__proto__"}', 400],
  ['/api/robot/joint', '{"name":"no_joint","value":1}', 400],
  ['/api/robot/joint', '{"name":"constructor","value":0}', 400],
  ['/api/data/load', '{"dataset":"none","clip":"none"}', 400],
  ['/api/data/load', '{"dataset":"../..","clip":"passwd"}', 400],
  ['/api/data/load', '{"dataset":"samples","clip":"__proto__"}', 400],
  ['/api/data/frame', '{"frame":1}', 409],
  ['/api/data/time', '{"time":-1}', 409],
  ['/api/data/playing', '{}', 409],
  ['/api/data/options', '{"speed":1}', 409],
];
/** Rows with a field of a wrong type or out of range. */
const ILL_TYPED: readonly [string, string][] = [
  ['/api/robot/select', '{"name":1}'],
  ['/api/robot/select', '{}'],
  ['/api/robot/joint', '{"name":"left_knee_joint","value":"1"}'],
  ['/api/robot/joint', '{"name":"left_knee_joint","value":null}'],
  ['/api/robot/joint/reset', '{"zero":"yes"}'],
  ['/api/robot/joint/options', '{"show_wiring":1}'],
  ['/api/data/load', '{"dataset":"samples","clip":"squat","source":"csv"}'],
  ['/api/data/frame', '{"frame":1.5}'],
  ['/api/data/options', '{"speed":100}'],
  ['/api/data/options', '{"speeed":1}'],
];
const BAD_QUERIES = [
  '',
  '?dataset=none',
  '?dataset=samples&page=0',
  '?dataset=samples&page=x',
  '?dataset=samples&size=1001',
  '?dataset=samples&status=some',
  '?dataset=%zz',
  '?dataset=samples&page=1e999',
  `?dataset=samples&q=${'x'.repeat(300)}`,
  '?dataset=__proto__',
  '?dataset=..%2f..',
  '?dataset=samples&page=-1&page=1',
  '?DATASET=samples',
];

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Encodes a masked websocket frame. */
function wsFrame(opcode: number, payload: Buffer, flags = 0x80): Buffer {
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([flags | opcode, ...length, 0, 0, 0, 0]), payload]);
}
const bytesOf = (random: Random, most: number) =>
  Buffer.from(Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * 256)));

/** Kinds of bad requests; each function makes one request. */
const KINDS: Readonly<Record<string, (random: Random) => Case>> = {
  'a path that is not there': (random) => {
    const path = pick(random, [
      `/${word(random, 'abc/%.-_~', 20)}`,
      '/api',
      '/api/',
      '/api/robot/',
      '//api/robot',
      '/API/robot',
      '/api/robot%2fmodel',
      '/../../etc/passwd',
      '/.git/config',
      '/api/robot;x',
      '/index.php',
      '/assets/../index.html',
    ]);
    return {
      bytes: requestText(pick(random, ['GET', 'HEAD', 'POST', 'DELETE']), path, {}, undefined),
      method: 'HEAD',
      outcome: [404],
    };
  },
  'a method that a path does not have': (random) => {
    const row = pick(random, rows);
    const method = pick(random, ['PATCH', 'PROPFIND', 'TRACE', 'LOCK', 'REPORT']);
    return { bytes: requestText(method, urlOf(row)), outcome: [405] };
  },
  'a method with other letters': (random) => ({
    bytes: requestText(pick(random, ['gEt', 'post', 'Put']), '/api/data/frame'),
    // The parser of node:http does not know this method.
    outcome: [405, 400],
  }),
  'an invalid path segment': (random) => {
    const row = pick(
      random,
      rows.filter(({ path, body }) => path.includes('{') && !body),
    );
    return { bytes: requestText(row.method, urlOf(row, pick(random, BAD_SEGMENTS))), outcome: [400] };
  },
  'a query that is wrong': (random) => ({
    bytes: requestText('GET', `/api/data/clips${pick(random, BAD_QUERIES)}`),
    outcome: [400],
  }),
  'a body that is not JSON': (random) => {
    const row = pick(random, bodies);
    return {
      bytes: requestText(row.method, urlOf(row), JSON_TYPE, pick(random, BAD_JSON)),
      outcome: [400],
    };
  },
  'a body that is not an object': (random) => {
    const row = pick(random, bodies);
    return {
      bytes: requestText(row.method, urlOf(row), JSON_TYPE, pick(random, NO_OBJECT)),
      outcome: [400],
    };
  },
  'a body that no schema can mean': (random) => {
    const row = pick(random, bodies);
    return { bytes: requestText(row.method, urlOf(row), JSON_TYPE, pick(random, STRANGE)), outcome: [400] };
  },
  'bytes for a body': (random) => {
    const row = pick(random, bodies);
    const body = Buffer.concat([Buffer.from([0xff]), bytesOf(random, 200)]);
    const head = requestText(row.method, urlOf(row), { ...JSON_TYPE, 'Content-Length': String(body.length) });
    return { bytes: Buffer.concat([Buffer.from(head), body]), outcome: [400] };
  },
  'an unknown field': (random) => {
    const row = pick(
      random,
      bodies.filter(({ body }) => (body as { additionalProperties?: boolean }).additionalProperties === false),
    );
    return {
      bytes: requestText(row.method, urlOf(row), JSON_TYPE, `{"${word(random, 'xyzq', 9)}":1}`),
      outcome: [400],
    };
  },
  'a field of another type': (random) => {
    const [path, body] = pick(random, ILL_TYPED);
    return { bytes: requestText('POST', path, JSON_TYPE, body), outcome: [400] };
  },
  'something that cannot be done': (random) => {
    const [path, body, status] = pick(random, IMPOSSIBLE);
    return {
      bytes: requestText('POST', path, { ...JSON_TYPE, prefer: pick(random, ['', 'wait=1', 'wait=x']) }, body),
      outcome: [status],
    };
  },
  'another media type': (random) => {
    const row = pick(random, bodies);
    return {
      bytes: requestText(row.method, urlOf(row), { 'content-type': pick(random, MEDIA) }, '{"a":1}'),
      outcome: [415],
    };
  },
  'a body that is announced too large': (random) => {
    const row = pick(random, bodies);
    const length = String(Math.floor((1 << 20) + 1 + random() * 1e12));
    return {
      bytes: requestText(row.method, urlOf(row), { ...JSON_TYPE, 'Content-Length': length }),
      outcome: [413],
    };
  },
  'an upload that is announced too large': (random) => {
    const row = pick(
      random,
      rows.filter(({ upload }) => upload),
    );
    return {
      bytes: requestText('PUT', urlOf(row), { 'Content-Length': String(5 * 2 ** 30) }),
      outcome: [413],
    };
  },
  'a body that becomes too large': () => {
    const chunk = `40000\r\n${' '.repeat(0x40000)}\r\n`;
    return {
      bytes: requestText('POST', '/api/data/frame', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }) + chunk.repeat(5),
      outcome: [413],
    };
  },
  'half a head': (random) => {
    const text = requestText('POST', '/api/data/frame', JSON_TYPE, '{"frame":1}');
    return { bytes: text.slice(0, Math.floor(random() * text.indexOf('\r\n\r\n'))), outcome: 'nothing' };
  },
  'half a body': (random) => {
    const row = pick(random, bodies);
    return {
      bytes: requestText(row.method, urlOf(row), { ...JSON_TYPE, 'Content-Length': '500' }, '{"na'),
      outcome: 'nothing',
    };
  },
  'half an upload': (random) => {
    const row = pick(
      random,
      rows.filter(({ upload }) => upload),
    );
    return { bytes: requestText('PUT', urlOf(row), { 'Content-Length': '100000' }, 'part'), outcome: 'nothing' };
  },
  'an invalid request head': (random) => ({
    bytes: pick(random, [
      'GET /api/robot HTTP/1.0\r\n\r\n',
      'GET\r\n\r\n',
      'GET  HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST /api/data/frame HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n',
      'POST /api/data/frame HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n',
      'POST /api/data/frame HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      'POST /api/data/frame HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    ]),
    outcome: 'parser',
  }),
  // The parser waits for more data until its timeout, so the client does not wait for a response.
  'no HTTP at all': (random) => ({
    bytes: Buffer.concat([bytesOf(random, 300), Buffer.from('\r\n\r\n')]),
    outcome: 'nothing',
  }),
  'no host': (random) => ({
    bytes: `${pick(random, ['GET', 'POST'])} /api/robot HTTP/1.1\r\n\r\n`,
    outcome: 'nothing',
  }),
  'a page of another site': (random) => {
    const row = pick(random, bodies);
    const origin = pick(random, [
      'http://evil.example',
      'null',
      'http://127.0.0.1:1',
      'https://localhost.evil.example',
      'nonsense',
    ]);
    return { bytes: requestText(row.method, urlOf(row), { ...JSON_TYPE, origin }, '{}'), outcome: [403] };
  },
  'a name that was rebound': (random) => {
    const host = pick(random, [
      'evil.example',
      'evil.example:8765',
      '127.0.0.1.evil.example',
      '0x7f000001',
      '[::1',
      'a b',
    ]);
    return {
      bytes: requestText('GET', urlOf(pick(random, rows)), { Host: host }),
      method: 'HEAD',
      outcome: [403, 405],
    };
  },
  'an invalid range of a file': (random) => ({
    bytes: requestText('GET', '/', {
      range: pick(random, ['bytes=9-1', 'bytes=', 'lines=1', 'bytes=a-b', 'bytes=0-1,5-6', 'bytes=--1']),
    }),
    outcome: [200],
  }),
  'no websocket at /ws': (random) => {
    const { [pick(random, ['Upgrade', 'Sec-WebSocket-Key'] as const)]: _, ...rest } = UPGRADE;
    return { bytes: requestText('GET', '/ws', rest), outcome: [426] };
  },
  'a websocket from another site': () => ({
    bytes: requestText('GET', '/ws', { ...UPGRADE, origin: 'http://evil.example' }),
    outcome: [403],
  }),
  'bad websocket messages': (random) => {
    const texts = [
      '',
      '{',
      'null',
      '{"type":"ack","seq":1e999}',
      '{"type":"rate","fps":-1}',
      '{"type":"ack","seq":"x"}',
      '\u0000',
      '[]',
    ];
    const messages = Array.from({ length: 5 }, () =>
      pick(random, [
        () => wsFrame(1, Buffer.from(pick(random, texts))),
        () => wsFrame(2, bytesOf(random, 100)),
        () => wsFrame(1, bytesOf(random, 100)), // rarely valid UTF-8
        () => wsFrame(10, bytesOf(random, 100)), // unsolicited pongs
        () => wsFrame(9, bytesOf(random, 100)),
        () => wsFrame(pick(random, [3, 5, 11, 15]), Buffer.from('x')),
        () => wsFrame(8, bytesOf(random, 100)),
        () => wsFrame(1, Buffer.alloc(30_000, 0x20)),
        () => bytesOf(random, 50),
      ])(),
    );
    return { bytes: Buffer.concat([Buffer.from(requestText('GET', '/ws', UPGRADE)), ...messages]), outcome: [101] };
  },
};

async function ended(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** Sends a bad request. @returns a description of an unexpected outcome; null for the expected one */
async function attempt({ bytes, method, outcome }: Case): Promise<string | null> {
  const socket = await open(studio.port);
  try {
    socket.write(bytes);
    if (outcome === 'nothing') {
      await new Promise((resolve) => setImmediate(resolve));
      return null;
    }
    const answer = await readAnswer(socket, method).catch((error: Error) => error);
    if (answer instanceof Error) return outcome === 'parser' ? null : answer.message;
    if (outcome === 'parser') return answer.status >= 400 ? null : `answered ${answer.status}`;
    if (!outcome.includes(answer.status)) return `answered ${answer.status}: ${answer.body}`;
    const isError = answer.status >= 400 && method !== 'HEAD';
    if (isError && typeof (JSON.parse(answer.body) as { detail?: unknown }).detail !== 'string')
      return `body ${answer.body}`;
    return null;
  } finally {
    socket.destroy();
    await ended(socket);
  }
}

test(`${COUNT} bad requests each get one of the expected statuses, and the service keeps running`, async () => {
  const random = randomFrom(SEED);
  const kinds = Object.entries(KINDS);
  const cases = Array.from({ length: COUNT }, (_, k) => {
    const [kind, make] = kinds[k % kinds.length]!;
    return { kind, ...make(random) };
  }).sort(() => random() - 0.5);
  const wrong: string[] = [];
  const counts = new Map<number | string, number>();
  let next = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let one = cases[next++]; one; one = cases[next++]) {
        const problem = await attempt(one);
        const key = typeof one.outcome === 'string' ? one.outcome : one.outcome[0]!;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        if (problem !== null) wrong.push(`${one.kind}: ${String(one.bytes).slice(0, 300)} → ${problem}`);
      }
    }),
  );
  expect(wrong.slice(0, 20)).toEqual([]);
  // Each outcome was tested often enough.
  const met = [400, 403, 404, 405, 409, 413, 415, 426];
  for (const status of met) expect(counts.get(status)).toBeGreaterThan(50);
  const health = await fetch(`${studio.address}/healthz`);
  expect(await health.json()).toMatchObject({ ok: true });
  expect((await (await fetch(`${studio.address}/api/robot`)).json()) as object).toMatchObject({ id: 'humanoid' });
  expect(studio.service.child.exitCode).toBeNull();
  expect(studio.service.stderr()).not.toMatch(/error|Warning/);
}, 120_000);
