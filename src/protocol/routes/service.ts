import { Type } from 'typebox';
import { route } from '../route.ts';
import { Busy } from '../schemas/busy.ts';
import { LogLine } from '../schemas/log.ts';

export const getPage = route({
  method: 'GET',
  path: '/',
  tag: 'Service',
  summary: 'The web page',
  query: Type.Object({
    token: Type.Optional(Type.String({ description: 'sets the token cookie and redirects to `/`' })),
  }),
  reply: { contentType: 'text/html', description: 'the page' },
});

export const getHealth = route({
  method: 'GET',
  path: '/healthz',
  tag: 'Service',
  summary: 'Reports that the service is alive',
  reply: Type.Object({
    ok: Type.Literal(true),
    version: Type.String(),
    uptime_s: Type.Number({ description: 's' }),
  }),
});

export const getMetrics = route({
  method: 'GET',
  path: '/metrics',
  tag: 'Service',
  summary: 'Prometheus metrics',
  reply: { contentType: 'text/plain; version=0.0.4; charset=utf-8', description: 'Prometheus exposition format' },
});

export const listBusyTasks = route({
  method: 'GET',
  path: '/api/busy',
  tag: 'Service',
  summary: 'Lists slow actions: those that run, and the last 50 that ended, newest first',
  reply: Type.Object({ active: Type.Array(Busy), recent: Type.Array(Busy) }),
});

export const getLog = route({
  method: 'GET',
  path: '/api/log',
  tag: 'Service',
  summary: "Lists the last lines of the service's log of level info and above, oldest first",
  query: Type.Object({
    tail: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 200, description: 'lines' })),
  }),
  reply: Type.Object({ lines: Type.Array(LogLine) }),
});

export const getOpenApi = route({
  method: 'GET',
  path: '/api/openapi.json',
  tag: 'Service',
  summary: 'This interface as an OpenAPI 3.1 document',
  reply: { contentType: 'application/json', description: 'OpenAPI 3.1 document' },
});

export const getDocs = route({
  method: 'GET',
  path: '/api/docs',
  tag: 'Service',
  summary: 'This interface as a page',
  reply: { contentType: 'text/html', description: 'documentation page' },
});

export const openWebsocket = route({
  method: 'GET',
  path: '/ws',
  tag: 'Service',
  summary: 'Opens the websocket that streams frames and events',
  reply: { contentType: 'application/octet-stream', description: 'the connection is now a websocket' },
});
