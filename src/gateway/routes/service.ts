import { StudioError } from '../../core/errors.ts';
import {
  getDocs,
  getGuides,
  getHealth,
  getLog,
  getMetrics,
  getOpenApi,
  getPage,
  listBusyTasks,
  listClients,
  openWebsocket,
} from '../../protocol/routes/service.ts';
import type { Access } from '../access/access.ts';
import type { ClientList } from '../client-list.ts';
import { PAGE_HEADERS } from '../documents/page-headers.ts';
import type { Metrics } from '../metrics.ts';
import { handle, handleContent, handleFile, ok } from './handle.ts';

/** Parts that the routes about the service itself need in addition to the application. */
export interface ServiceParts {
  readonly version: string;
  readonly access: Access;
  readonly metrics: Metrics;
  readonly clients: ClientList;
  /** the OpenAPI document as JSON text */
  readonly document: () => string;
}

const PAGE_FILE = '/index.html';
/** A page of the documentation site, whose links work from here, too. */
const REFERENCE_FILE = '/docs/http-api.html';
/** Number of log lines without `tail`. */
const LOG_TAIL = 200;

export function serviceHandlers(parts: ServiceParts) {
  const started = performance.now();
  return [
    handleFile(getPage, (_, { query }) => {
      if (query.token === undefined) return PAGE_FILE;
      const cookie = parts.access.cookieFor(query.token);
      const headers = { ...PAGE_HEADERS, location: '/', ...(cookie ? { 'set-cookie': cookie } : {}) };
      return { status: 302, body: '', headers };
    }),
    handle(getHealth, () => {
      const uptimeS = (performance.now() - started) / 1e3;
      return ok({ version: parts.version, uptime_s: Number(uptimeS.toFixed(3)) });
    }),
    handle(listBusyTasks, ({ busy }) => busy.list()),
    handle(listClients, (_, { client }) => ({ clients: parts.clients.list(client) })),
    handle(getLog, ({ log }, { query }) => ({ lines: [...log.recent(query.tail ?? LOG_TAIL)] })),
    handleContent(getMetrics, async () => ({
      body: await parts.metrics.text(),
      contentType: parts.metrics.contentType,
    })),
    handleContent(getOpenApi, () => ({ body: parts.document(), headers: { 'cache-control': 'no-cache' } })),
    handleFile(getDocs, () => REFERENCE_FILE),
    // Relative: the service may live below a prefix.
    handleContent(getGuides, () => ({ status: 302, body: '', headers: { ...PAGE_HEADERS, location: 'docs/' } })),
    handleContent(openWebsocket, () => {
      throw new StudioError('upgrade_required', 'this path is a websocket: open it with a websocket client');
    }),
  ];
}
