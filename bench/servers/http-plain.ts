/** Serves one route, `GET /api/robot`, with a prepared body: `http-plain.ts uws|node|fastify BODY_FILE`. */

import uWS from 'uWebSockets.js';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

const [way, file] = process.argv.slice(2) as [string, string];
const PATH = '/api/robot';
const TYPE = 'application/json';
const body = readFileSync(file, 'utf8');
const tell = (port: number) => console.log(JSON.stringify({ port }));

if (way === 'uws') {
  const app = uWS.App();
  app.get(PATH, (response) => {
    response.writeHeader('content-type', TYPE).end(body);
  });
  app.listen('127.0.0.1', 0, (token) => {
    if (!token) throw new Error('no port to listen on');
    tell(uWS.us_socket_local_port(token));
  });
} else if (way === 'node') {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === PATH) {
      response.writeHead(200, { 'content-type': TYPE, 'content-length': Buffer.byteLength(body) }).end(body);
    } else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port));
} else {
  const app = fastify();
  app.get(PATH, (_request, reply) => reply.type(TYPE).send(body));
  await app.listen({ host: '127.0.0.1', port: 0 });
  tell((app.server.address() as AddressInfo).port);
}
