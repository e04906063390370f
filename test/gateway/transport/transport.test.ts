import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import type { BodyWriter } from '../../../src/gateway/transport/transport.ts';
import { open, requestText, sendRaw } from '../../support/raw-http.ts';
import { TEST_TRANSPORT, testTransport } from '../../support/transport.ts';

const HEAD = { status: 200, requestId: 'x', headers: {} };

test('port 0 selects any free port, and stopping keeps open connections', async () => {
  const transport = await testTransport();
  transport.onRequest((_, response) => response.answer(HEAD, 'here'));
  const listener = await transport.listen('127.0.0.1', 0);
  expect(listener.port).toBeGreaterThan(0);
  expect((await sendRaw(listener.port, requestText('GET', '/'))).body).toBe('here');
  listener.stop();
  await expect(sendRaw(listener.port, requestText('GET', '/'))).rejects.toThrow();
  transport.close();
});

test('a taken port is named with the remedy', async () => {
  const other: Server = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect((await testTransport()).listen('127.0.0.1', port)).rejects.toThrow(
    `127.0.0.1:${port} is used by another program. Choose another port with --port.`,
  );
  other.close();
});

test('two services do not share a port', async () => {
  const transport = await testTransport();
  const { port } = await transport.listen('127.0.0.1', 0);
  await expect((await testTransport()).listen('127.0.0.1', port)).rejects.toThrow('is used');
  transport.close();
});

test.each([
  ['203.0.113.1', '203.0.113.1 is not an address of this machine'],
  ['no-such-name.invalid', 'the host name no-such-name.invalid cannot be resolved'],
])('listening on %s fails with its reason', async (host, message) => {
  await expect((await testTransport()).listen(host, 0)).rejects.toThrow(message);
});

test('the tests run on the transport that their project names', async () => {
  const { name } = await testTransport();
  if (TEST_TRANSPORT !== 'auto') expect(name).toBe(TEST_TRANSPORT);
  expect(['uws', 'node']).toContain(name);
});

test.each([
  ['as asked for', {}],
  ['though it asked for an upgrade, too', { Connection: 'Upgrade', Upgrade: 'h2c' }],
])('an answer in large parts arrives completely, and its writer is called for every part %s', async (_, headers) => {
  const part = new Uint8Array(1 << 20).fill(120);
  const parts = 12;
  let written = 0;
  const transport = await testTransport();
  transport.onRequest((_, response) => {
    void (async () => {
      await Promise.resolve();
      const writer = response.begin(HEAD, parts * part.byteLength);
      for (; written < parts; written += 1) await writer.write(part);
    })();
  });
  const { port } = await transport.listen('127.0.0.1', 0);
  const { body } = await sendRaw(port, requestText('GET', '/', headers));
  expect(body).toHaveLength(parts * part.byteLength);
  await expect.poll(() => written).toBe(parts);
  transport.close();
});

test('garbage after a second request does not damage the first answer', async () => {
  const part = new Uint8Array(1 << 20).fill(120);
  const transport = await testTransport();
  const begun: BodyWriter[] = [];
  transport.onRequest((request, response) => {
    if (request.path === '/first') begun.push(response.begin(HEAD, 4 * part.byteLength));
  });
  const { port } = await transport.listen('127.0.0.1', 0);
  const socket = await open(port);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.write(requestText('GET', '/first'));
  await expect.poll(() => begun.length).toBe(1);
  void begun[0]!.write(part);
  await expect.poll(() => received.length).toBeGreaterThan(part.byteLength);
  const closed = once(socket, 'close');
  socket.write(`${requestText('GET', '/second')}no HTTP at all\r\n\r\n`);
  socket.end();
  await closed;
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  transport.close();
});

test('a connection over the limit is 503; an ended connection frees its slot', async () => {
  const told: number[] = [];
  const transport = await testTransport({ maxConnections: 2, onRefused: ({ status }) => told.push(status) });
  transport.onRequest((_, response) => response.answer(HEAD, 'here'));
  const { port } = await transport.listen('127.0.0.1', 0);
  const first = await open(port);
  const second = await open(port);
  const third = connect(port, '127.0.0.1');
  const [refused] = (await once(third, 'data')) as [Buffer];
  expect(refused.toString()).toMatch(/^HTTP\/1\.1 503 .*"detail":"too many connections/s);
  await once(third, 'close');
  expect(told).toEqual([503]);
  first.destroy();
  await expect.poll(() => sendRaw(port, requestText('GET', '/')).then(({ status }) => status)).toBe(200);
  second.destroy();
  transport.close();
});
