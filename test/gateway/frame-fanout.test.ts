import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { open, requestText } from '../support/raw-http.ts';
import { type LiveServer, serveLive } from './live-server.ts';

let server: LiveServer;
const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
  server.close();
});

/** Connects a client that answers pings, as every websocket does, but does not acknowledge frames. */
async function connect(onFrame: (bytes: Buffer) => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
  sockets.push(socket);
  socket.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (isBinary) onFrame(bytes);
  });
  await once(socket, 'open');
  return socket;
}

const BYTES = 65_536;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const seqOf = (bytes: Buffer) =>
  (JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE(0))) as { seq: number }).seq;

describe('a client that does not read', () => {
  test('a client that does not read has few frames in flight, and gets only the newest when it reads again', async () => {
    server = await serveLive({ frameBytes: BYTES });
    const got: number[] = [];
    const socket = await connect((bytes) => got.push(seqOf(bytes)));
    for (let k = 0; k < 60; k++) {
      const seq = server.feed.publish(BYTES);
      await expect.poll(() => got.at(-1), { interval: 1 }).toBe(seq);
    }
    socket.pause();
    const before = got.length;
    for (let k = 0; k < 100; k++) {
      server.feed.publish(BYTES);
      await sleep(2);
    }
    const [client] = [...server.fanout.clients];
    expect(client?.credit.unconfirmed).toBeLessThanOrEqual(11 * 4);
    socket.resume();
    await expect.poll(() => got.at(-1)).toBe(160);
    // The client gets the frames that were already sent, then the newest frame. Frames in between are not sent.
    expect(got.length - before).toBeLessThanOrEqual(11 * 4 + 1);
    expect(client?.superseded).toBeGreaterThan(40);
    expect(got).toEqual([...got].sort((a, b) => a - b));
  });

  test('a client that has never read costs two frames', async () => {
    server = await serveLive({ frameBytes: BYTES });
    const socket = await open(server.port);
    socket.pause();
    const key = 'dGhlIHNhbXBsZSBub25jZQ==';
    const upgrade = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': key,
    };
    socket.write(requestText('GET', '/ws', upgrade));
    await expect.poll(() => server.fanout.clients.size).toBe(1);
    for (let k = 0; k < 50; k++) server.feed.publish(BYTES);
    const [client] = [...server.fanout.clients];
    expect([client?.frames, client?.bytes]).toEqual([2, 2 * BYTES]);
    socket.destroy();
  });
});

test('the rate to a client is lowered to limit its bytes per second', async () => {
  // 10 Mbit/s are 1.25 MB/s: 19 frames of 64 KB per second
  server = await serveLive({ frameBytes: BYTES, maxMbps: 10 });
  let frames = 0;
  await connect(() => {
    frames += 1;
  });
  const begin = performance.now();
  while (frames < 15) {
    server.feed.publish(BYTES);
    await sleep(5);
  }
  const seconds = (performance.now() - begin) / 1000;
  expect(frames).toBeLessThanOrEqual(19.1 * seconds + 3);
});

test('totals include clients that have left', async () => {
  server = await serveLive({ frameBytes: BYTES });
  let frames = 0;
  const count = () => {
    frames += 1;
  };
  const first = await connect(count);
  await connect(count);
  await expect.poll(() => server.fanout.clients.size).toBe(2);
  server.feed.publish(1000);
  await expect.poll(() => frames).toBe(2);
  first.terminate();
  await expect.poll(() => server.fanout.clients.size).toBe(1);
  server.feed.publish(500);
  await expect.poll(() => frames).toBe(3);
  expect(server.fanout.totals).toEqual({ frames: 3, bytes: 2500, superseded: 0 });
});
