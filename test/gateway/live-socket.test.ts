import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { StudioEvent } from '../../src/protocol/events.ts';
import { Listener } from '../support/client.ts';
import { open, requestText, sendRaw } from '../support/raw-http.ts';
import { type LiveGiven, type LiveServer, serveLive } from './live-server.ts';

let server: LiveServer;
const listeners: Listener[] = [];
async function start(given: LiveGiven = {}): Promise<void> {
  server = await serveLive(given);
}
async function connect(headers: Record<string, string> = {}): Promise<Listener> {
  const listener = await Listener.open(server.address, headers);
  listeners.push(listener);
  return listener;
}
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.socket.terminate();
  server.close();
});

const focus = (index: number): StudioEvent => ({ type: 'event', topic: 'focus', payload: { index } });
const SNAPSHOT: StudioEvent[] = [{ type: 'event', topic: 'owner', payload: { owner: 'robots' } }, focus(0)];
const introduction = {
  type: 'event',
  topic: 'client',
  payload: { id: expect.any(String), role: 'control', view_token: null },
};
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

describe('a new client', () => {
  test('a new client gets the state, then the newest frame at once', async () => {
    await start({ snapshot: async () => SNAPSHOT });
    server.feed.publish(200);
    server.feed.publish(200);
    const client = await connect();
    const frame = await client.nextFrame(() => true);
    expect(frame.header.seq).toBe(2);
    expect(client.events).toEqual([introduction, ...SNAPSHOT]);
    expect(client.order).toEqual(['event', 'event', 'event', 'frame']);
  });

  test('a new client gets every event that happens during its snapshot', async () => {
    let give = (_: readonly StudioEvent[]) => {};
    const asked: Promise<readonly StudioEvent[]> = new Promise((resolve) => {
      give = resolve;
    });
    await start({ snapshot: () => asked });
    server.feed.publish(200);
    const client = await connect();
    await expect.poll(() => server.live.clients).toBe(1);
    server.hub.publish('focus', { index: 7 });
    give(SNAPSHOT);
    await client.nextFrame(() => true);
    server.hub.publish('focus', { index: 8 });
    await client.nextEvent('focus', ({ index }) => index === 8);
    expect(client.events).toEqual([introduction, ...SNAPSHOT, focus(7), focus(8)]);
    expect(client.order.indexOf('frame')).toBe(4);
  });

  test('a client whose snapshot fails is closed, and the service keeps running', async () => {
    let fails = true;
    await start({
      snapshot: async () => {
        if (fails) throw new Error('a bug');
        return SNAPSHOT;
      },
    });
    const client = await connect();
    const [code] = (await once(client.socket, 'close')) as [number];
    expect(code).toBe(1011);
    fails = false;
    const next = await connect();
    await next.nextEvent('owner', () => true);
  });
});

test('every client gets every event, in order and before later frames', async () => {
  await start();
  const clients = await Promise.all([connect(), connect(), connect()]);
  await Promise.all(clients.map((client) => client.nextEvent('owner', () => true)));
  for (let k = 1; k <= 100; k++) server.hub.publish('focus', { index: k });
  server.feed.publish(200);
  for (const client of clients) {
    await client.nextFrame(() => true);
    const indices = client.events.filter(({ topic }) => topic === 'focus').map(({ payload }) => payload);
    expect(indices).toEqual(Array.from({ length: 100 }, (_, k) => ({ index: k + 1 })));
  }
});

test('a client that does not read its events is closed with 1013, and others are not disturbed', async () => {
  await start();
  const [stuck, other] = [await connect(), await connect()];
  await Promise.all([stuck, other].map((client) => client.nextEvent('owner', () => true)));
  stuck.socket.pause();
  const message = 'x'.repeat(64 * 1024);
  const line = { time: '', level: 'info', source: 'service', message, seq: 1 } as const;
  // The service buffers up to 16 MB for a client; the kernel buffers a few MB more.
  for (let k = 0; k < 640 && server.live.clients === 2; k++) {
    server.hub.publish('log', line);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => server.live.clients).toBe(1);
  stuck.socket.resume();
  const [code] = (await once(stuck.socket, 'close')) as [number];
  expect(code).toBe(1013);
  server.hub.publish('focus', { index: 1 });
  await other.nextEvent('focus', ({ index }) => index === 1);
});

describe('messages of clients', () => {
  test('acknowledgements keep at most two frames in flight', async () => {
    await start();
    server.feed.publish(200);
    const client = await connect();
    await client.nextFrame(({ header }) => header.seq === 1);
    client.socket.send('{"type":"ack","seq":1}');
    const [own] = [...server.fanout.clients];
    await expect.poll(() => own?.credit.acks).toBe(true);
    for (let k = 0; k < 10; k++) server.feed.publish(200);
    await client.nextFrame(({ header }) => header.seq === 3);
    expect(own?.credit.unconfirmed).toBe(2);
    client.socket.send('{"type":"ack","seq":3}');
    expect((await client.nextFrame(({ header }) => header.seq > 3)).header.seq).toBe(11);
    expect(client.frames).toBe(4);
    expect(own?.superseded).toBe(7);
  });

  test('a lower rate is applied, and the last frame still arrives', async () => {
    await start();
    const client = await connect();
    client.socket.send('{"type":"rate","fps":20}');
    const [own] = await expect
      .poll(() => [...server.fanout.clients])
      .toHaveLength(1)
      .then(() => [...server.fanout.clients]);
    await expect.poll(() => own?.intervalMs).toBe(50);
    const begin = performance.now();
    let last = 0;
    while (client.frames < 15) {
      last = server.feed.publish(200);
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    const seconds = (performance.now() - begin) / 1000;
    // The first frame is sent without delay, and one frame may be half an interval early.
    expect(client.frames).toBeLessThanOrEqual(20 * seconds + 2);
    await client.nextFrame(({ header }) => header.seq === last);
  });

  test.each([1e-9, 0.2, 5e-324])(
    'a client that requests %d frames per second still gets one frame per second of a scene without motion',
    async (fps) => {
      await start();
      const client = await connect();
      server.feed.publish(200);
      await client.nextFrame(() => true);
      const [own] = [...server.fanout.clients];
      client.socket.send(JSON.stringify({ type: 'rate', fps }));
      await expect.poll(() => own?.intervalMs).toBe(1000);
      const last = server.feed.publish(200);
      await client.nextFrame(({ header }) => header.seq === last, 1500);
    },
  );

  test.each([
    'no json',
    '[]',
    'null',
    '1',
    '{"type":"ack"}',
    '{"type":"ack","seq":"1"}',
    '{"type":"ack","seq":1.5}',
    '{"type":"ack","seq":1e999}',
    '{"type":"ack","seq":99}',
    '{"type":"ack","seq":-1}',
    '{"type":"rate","fps":0}',
    '{"type":"rate","fps":-5}',
    '{"type":"rate","fps":"60"}',
    '{"type":"rate"}',
    '{"type":"other"}',
    'x'.repeat(1000),
  ])('the client message %s is ignored', async (text) => {
    await start();
    server.feed.publish(200);
    const client = await connect();
    await client.nextFrame(() => true);
    client.socket.send(text);
    client.socket.send(Buffer.from('{"type":"ack","seq":1}'));
    client.socket.ping('abcd');
    client.socket.pong('abcd');
    await once(client.socket, 'pong');
    server.feed.publish(200);
    await client.nextFrame(({ header }) => header.seq === 2);
    const [own] = [...server.fanout.clients];
    expect([own?.credit.acks, own?.intervalMs]).toEqual([false, 0]);
  });

  test('a message larger than the protocol allows ends the connection', async () => {
    await start();
    const client = await connect();
    client.socket.send('x'.repeat(70_000));
    await once(client.socket, 'close');
    await expect.poll(() => server.live.clients).toBe(0);
  });

  test('bytes that are not a websocket frame end only that connection', async () => {
    await start();
    const socket = await open(server.port);
    socket.write(requestText('GET', '/ws', UPGRADE));
    await once(socket, 'data');
    await expect.poll(() => server.live.clients).toBe(1);
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]));
    await closed;
    expect((await connect()).socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('connecting', () => {
  test('a connection from a page of another site is refused', async () => {
    await start();
    const refused = await sendRaw(
      server.port,
      requestText('GET', '/ws', { ...UPGRADE, Origin: 'http://evil.example' }),
    );
    expect([refused.status, JSON.parse(refused.body)]).toEqual([403, { detail: expect.any(String) }]);
    const rebound = await sendRaw(server.port, requestText('GET', '/ws', { ...UPGRADE, Host: 'evil.example' }));
    expect(rebound.status).toBe(403);
    const own = await connect({ origin: server.address });
    expect(own.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('a connection from another machine needs the token', async () => {
    await start({ token: 's3cret' });
    const elsewhere = { ...UPGRADE, 'x-forwarded-for': '203.0.113.9' };
    expect((await sendRaw(server.port, requestText('GET', '/ws', elsewhere))).status).toBe(401);
    const known = { ...elsewhere, cookie: 'svc_studio_token=s3cret' };
    expect((await sendRaw(server.port, requestText('GET', '/ws', known))).status).toBe(101);
  });

  test('a connection with a wrong token is answered after a delay, even if the client has left', async () => {
    await start({ token: 's3cret' });
    const wrong = { ...UPGRADE, 'x-forwarded-for': '203.0.113.9', cookie: 'svc_studio_token=wrong' };
    const gone = await open(server.port);
    gone.write(requestText('GET', '/ws', wrong));
    gone.destroy();
    await once(gone, 'close');
    for (const seconds of [0.125, 0.25]) {
      const begin = performance.now();
      expect((await sendRaw(server.port, requestText('GET', '/ws', wrong))).status).toBe(401);
      expect((performance.now() - begin) / 1000).toBeGreaterThan(seconds - 0.01);
    }
    await connect();
  });
});

test('clients are notified when the service stops', async () => {
  await start();
  const client = await connect();
  const closed = once(client.socket, 'close');
  server.live.close();
  const [code] = (await closed) as [number];
  expect(code).toBe(1001);
});

test('a client that leaves is removed', async () => {
  await start();
  const client = await connect();
  await client.nextEvent('owner', () => true);
  client.socket.terminate();
  await expect.poll(() => [server.live.clients, server.fanout.clients.size]).toEqual([0, 0]);
  server.feed.publish(200);
});
