import type { App } from '../app/app.ts';
import type { StudioError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { allRoutes, ROUTES } from '../protocol/route-table.ts';
import { Access } from './access/access.ts';
import { ClientList } from './client-list.ts';
import { connectionLimit } from './connection-limit.ts';
import { EXAMPLES } from './documents/examples/all-examples.ts';
import { openApiDocument } from './documents/openapi.ts';
import { StaticFiles } from './documents/static-files.ts';
import { FrameFanout } from './frame-fanout.ts';
import type { KernelLimits } from './kernel/kernel.ts';
import { Kernel } from './kernel/kernel.ts';
import { LiveSocket } from './live-socket.ts';
import { Metrics } from './metrics.ts';
import { RefusalLog } from './refusal-log.ts';
import { allHandlers } from './routes/all-handlers.ts';
import { createTransport } from './transport/create-transport.ts';
import type { TransportChoice } from './transport/transport.ts';

export interface GatewayOptions {
  readonly app: App;
  /** address or name to listen on */
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** token that clients on other machines must send; null: no token is required */
  readonly token: string | null;
  /** token of clients that may only read; null: there are none */
  readonly viewToken: string | null;
  /** Whether clients on this machine must also send the token. */
  readonly tokenForAll: boolean;
  /** accepted Host names besides those of the machine */
  readonly allowedHosts: readonly string[];
  readonly limits: KernelLimits & { readonly connections: number };
  readonly stream: { readonly maxMbps: number };
  readonly transport: TransportChoice;
  /** folder of the built page */
  readonly page: string;
  /** folder of the built documentation */
  readonly docs: string;
  readonly version: string;
  readonly logger: Logger;
  /** Called before each action. Returns why no action is possible now, such as a missing workspace; else null. */
  readonly unavailable?: () => StudioError | null;
}

export interface Gateway {
  readonly port: number;
  readonly url: string;
  /** Stops within 5 s. Refuses new connections and actions, closes the websockets with a close frame, and waits for
   *  running handlers. */
  close(): Promise<void>;
}

/** Longest wait for running handlers when the service stops, ms. */
const GRACE_MS = 3500;
/** Time for the last messages and answers to leave the sockets, ms. */
const FLUSH_MS = 100;

/** Serves the application on a port.
 *  @throws unavailable with the reason if the service cannot listen on the port */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { app, logger, host } = options;
  const access = new Access({ ...options, warn: (text) => logger.warn(text) });
  const metrics = new Metrics(options.version);
  const refusals = new RefusalLog(logger);
  const files = await StaticFiles.load({ '': options.page, '/docs': options.docs });
  const transport = await createTransport(
    options.transport,
    {
      maxConnections: connectionLimit(options.limits.connections, logger),
      onRefused: (refused) => refusals.refused({ ...refused, route: '' }),
    },
    (sentence) => logger.info(sentence),
  );
  const fanout = new FrameFanout(app.frames, {
    maxMbps: options.stream.maxMbps,
    encode: (bytes, seq) => transport.frame(bytes, seq),
    observe: metrics.frameSent,
  });

  const clients = new ClientList();
  const kernel = new Kernel({
    routes: allRoutes(),
    handlers: allHandlers({ version: options.version, access, metrics, clients, document: documentOf(options) }),
    context: app,
    access,
    limits: options.limits,
    logger,
    files,
    unavailable: options.unavailable ?? (() => null),
    knownClient: (id) => clients.known(id),
    waitForTask: (task, seconds) => app.busy.wait(task, seconds),
    onAnswered: metrics.requestAnswered,
    onRefused: (refused) => refusals.refused(refused),
  });
  const live = new LiveSocket(transport, '/ws', {
    access,
    fanout,
    clients,
    viewToken: options.viewToken,
    logger,
    onRefused: (refused) => refusals.refused(refused),
    events: { snapshot: () => app.snapshot(), subscribe: (listener) => app.hub.subscribe(listener) },
  });
  metrics.watchStream(fanout, () => live.clients);
  metrics.watchThreads(() => app.threads());
  kernel.mount(transport);
  const listener = await transport.listen(host, options.port);

  let closing: Promise<void> | null = null;
  const close = async () => {
    listener.stop();
    live.close();
    await Promise.race([kernel.stop(), afterMs(GRACE_MS)]);
    await afterMs(FLUSH_MS);
    fanout.close();
    clients.close();
    transport.close();
    refusals.close();
  };
  return {
    port: listener.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Returns the OpenAPI document as JSON. It is built on first request, because most runs of the service do not need
 *  it. */
function documentOf({ version, token, limits }: GatewayOptions): () => string {
  let built: string | null = null;
  return () => {
    built ??= JSON.stringify(
      openApiDocument({ version, routes: ROUTES, examples: EXAMPLES, hasToken: token !== null, limits }),
    );
    return built;
  };
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
