import { Type } from 'typebox';
import { route } from '../route.ts';
import { Busy } from '../schemas/busy.ts';
import { Client } from '../schemas/client.ts';
import { LogLine } from '../schemas/log.ts';

export const getPage = route({
  method: 'GET',
  path: '/',
  tag: 'Service',
  summary: 'Serves the web page',
  query: Type.Object({
    token: Type.Optional(Type.String({ description: 'Sets the token cookie and redirects to `/`' })),
  }),
  reply: { contentType: 'text/html', description: 'The page' },
});

export const getHealth = route({
  method: 'GET',
  path: '/healthz',
  tag: 'Service',
  summary: 'Reports version and uptime of the service',
  reply: Type.Object({
    ok: Type.Literal(true),
    version: Type.String(),
    uptime_s: Type.Number({ description: 'Time since the start, s' }),
  }),
});

export const getMetrics = route({
  method: 'GET',
  path: '/metrics',
  tag: 'Service',
  summary: 'Gets metrics for Prometheus',
  reply: { contentType: 'text/plain; version=0.0.4; charset=utf-8', description: 'Prometheus text format' },
});

export const listBusyTasks = route({
  method: 'GET',
  path: '/api/busy',
  tag: 'Service',
  summary: 'Lists slow actions: the running ones and the last 50 that ended, newest first',
  reply: Type.Object({ active: Type.Array(Busy), recent: Type.Array(Busy) }),
});

export const listClients = route({
  method: 'GET',
  path: '/api/clients',
  tag: 'Service',
  summary: 'Lists the connected websocket clients, the oldest connection first',
  asksSender: true,
  reply: Type.Object({ clients: Type.Array(Client) }),
});

export const getLog = route({
  method: 'GET',
  path: '/api/log',
  tag: 'Service',
  summary: 'Gets the last log lines of level info and above, oldest first',
  query: Type.Object({
    tail: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 200, description: 'Number of lines' })),
  }),
  reply: Type.Object({ lines: Type.Array(LogLine) }),
});

export const getOpenApi = route({
  method: 'GET',
  path: '/api/openapi.json',
  tag: 'Service',
  summary: 'Gets this API as an OpenAPI 3.1 document',
  reply: { contentType: 'application/json', description: 'OpenAPI 3.1 document' },
});

export const getDocs = route({
  method: 'GET',
  path: '/api/docs',
  tag: 'Service',
  summary: 'Gets the documentation of this API as a web page',
  reply: { contentType: 'text/html', description: 'Documentation page' },
});

export const getGuides = route({
  method: 'GET',
  path: '/docs',
  tag: 'Service',
  summary: 'Redirects to the documentation site below `/docs/`',
  reply: { contentType: 'text/html', description: 'Address of the first page', status: 302 },
});

export const openWebsocket = route({
  method: 'GET',
  path: '/ws',
  tag: 'Service',
  summary: 'Opens the websocket that streams frames and events',
  reply: { contentType: 'application/octet-stream', description: 'The connection is now a websocket' },
});
