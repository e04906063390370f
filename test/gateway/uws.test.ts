import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { createUwsApp } from '../../src/gateway/uws.ts';
import { requestText, sendRaw } from '../support/raw-http.ts';

test('port 0 is any free port, and stopping leaves the connections that are there', async () => {
  const app = createUwsApp();
  app.route('any', '/*', (response) => {
    response.onAborted(() => {});
    response.end('here');
  });
  const listener = await app.listen('127.0.0.1', 0);
  expect(listener.port).toBeGreaterThan(0);
  expect((await sendRaw(listener.port, requestText('GET', '/'))).body).toBe('here');
  listener.stop();
  await expect(sendRaw(listener.port, requestText('GET', '/'))).rejects.toThrow();
  app.close();
});

test('a port that another program has is named, with the way out', async () => {
  const other: Server = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect(createUwsApp().listen('127.0.0.1', port)).rejects.toThrow(
    `127.0.0.1:${port} is taken by another program: choose another with --port`,
  );
  other.close();
});

test('two services do not share a port', async () => {
  const app = createUwsApp();
  const { port } = await app.listen('127.0.0.1', 0);
  await expect(createUwsApp().listen('127.0.0.1', port)).rejects.toThrow('is taken');
  app.close();
});

test.each([
  ['203.0.113.1', 'this machine has no address 203.0.113.1'],
  ['no-such-name.invalid', 'the name no-such-name.invalid is not known'],
])('listening on %s fails with its reason', async (host, message) => {
  await expect(createUwsApp().listen(host, 0)).rejects.toThrow(message);
});
