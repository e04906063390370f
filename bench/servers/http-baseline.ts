/** Baselines of the HTTP bench: the same JSON body from `uws`, `node` or `fastify`: `http-baseline.ts KIND BODY_FILE`.
 *  Each keeps the object and turns it into JSON for every request, as a handler does; `uws-text` sends a ready text. */

import uWS from 'uWebSockets.js';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const [kind, bodyFile] = process.argv.slice(2) as [string, string];
const body = JSON.parse(readFileSync(bodyFile, 'utf8')) as object;
const ready = (port: number) => console.log(JSON.stringify({ port }));

switch (kind) {
  case 'uws':
  case 'uws-text': {
    const text = JSON.stringify(body);
    uWS
      .App()
      .get('/api/robot', (res) => {
        res.writeHeader('content-type', 'application/json');
        res.end(kind === 'uws' ? JSON.stringify(body) : text);
      })
      .listen('127.0.0.1', 0, (socket) => ready(uWS.us_socket_local_port(socket)));
    break;
  }
  case 'node': {
    const server = createServer((_request, response) => {
      const text = JSON.stringify(body);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port));
    break;
  }
  case 'fastify': {
    const app = Fastify({ keepAliveTimeout: 60_000 });
    app.get('/api/robot', () => body);
    await app.listen({ port: 0, host: '127.0.0.1' });
    ready((app.server.address() as AddressInfo).port);
    break;
  }
  default:
    throw new Error(`no baseline ${kind}`);
}
