import { call, callBytes } from './api.ts';
import { latencyMs, service, viewers } from './connection.ts';

const EVERY_MS = 5000;
/** The metrics text is long, so it is read only with every third beat. */
const VIEWERS_EVERY = 3;

/** Returns the number of websocket clients in the Prometheus text; null if the metric is missing. */
export function clientsIn(metrics: string): number | null {
  const found = /^\w*ws_clients(?:\{[^}]*\})? (\d+(?:\.\d+)?)/m.exec(metrics);
  return found?.[1] === undefined ? null : Number(found[1]);
}

/** Measures the round trip to the service every 5 s while the page is visible. */
export function startHeartbeat(): void {
  let beat = 0;
  const once = async () => {
    if (document.hidden) return;
    const start = performance.now();
    try {
      const health = await call('GET /healthz');
      const took = performance.now() - start;
      const before = latencyMs.peek();
      latencyMs.value = before === null ? took : before + 0.4 * (took - before);
      service.value = { version: health.version, uptimeS: health.uptime_s };
      if (beat % VIEWERS_EVERY === 0)
        viewers.value = clientsIn(new TextDecoder().decode(await callBytes('GET /metrics')));
      beat += 1;
    } catch {
      latencyMs.value = null; // the connection state already shows that the service is unreachable
      beat = 0;
    }
  };
  void once();
  window.setInterval(() => void once(), EVERY_MS);
}
