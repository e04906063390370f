import { call } from './api.ts';
import { clients, heartbeat, latencyMs, service } from './connection.ts';

const EVERY_MS = 5000;
/** Measures the round trip to the service, and lists its clients, every 5 s while the page is visible. */
export function startHeartbeat(): void {
  const once = async () => {
    if (document.hidden) return;
    const start = performance.now();
    try {
      const health = await call('GET /healthz');
      const took = performance.now() - start;
      const before = latencyMs.peek();
      latencyMs.value = before === null ? took : before + 0.4 * (took - before);
      service.value = { version: health.version, uptimeS: health.uptime_s };
      clients.value = (await call('GET /api/clients')).clients;
      heartbeat(null);
    } catch (error) {
      heartbeat(error); // The page already shows that the service cannot be reached.
    }
  };
  void once();
  window.setInterval(() => void once(), EVERY_MS);
}
