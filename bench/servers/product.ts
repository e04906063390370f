/** Streams frames as the service does, for the bench `fanout`: a thread writes frames into shared memory at a steady
 *  rate, and the service's websocket code sends them: `product.ts FRAME_BYTES FPS [uws|node]`. Answers each line on
 *  stdin with measurements. */
import { createInterface } from 'node:readline';
import { LastValues } from '../harness/last-values.ts';
import { fromDist } from '../harness/product.ts';
import { quantile } from '../harness/statistics.ts';
import { startThread } from '../harness/thread.ts';

const { Access } = await fromDist<typeof import('../../src/gateway/access/access.ts')>('gateway/access/access.js');
const { ClientList } = await fromDist<typeof import('../../src/gateway/client-list.ts')>('gateway/client-list.js');
const { FrameFanout } = await fromDist<typeof import('../../src/gateway/frame-fanout.ts')>('gateway/frame-fanout.js');
const { LiveSocket } = await fromDist<typeof import('../../src/gateway/live-socket.ts')>('gateway/live-socket.js');
const { createLogger } = await fromDist<typeof import('../../src/core/logger.ts')>('core/logger.js');
const { createTransport } = await fromDist<typeof import('../../src/gateway/transport/create-transport.ts')>(
  'gateway/transport/create-transport.js',
);
const ring = await fromDist<typeof import('../../src/core/frame-ring.ts')>('core/frame-ring.js');

const [bytes, fps] = process.argv.slice(2, 4).map(Number) as [number, number];
const transport = await createTransport(process.argv[4] === 'node' ? 'node' : 'uws', { maxConnections: 10_000 });
const frames = ring.createFrameRing(bytes);
const loopMs = new LastValues(4096);
const delayMs = new LastValues(4096);

const writer = startThread('servers/frame-writer.worker.ts', { buffer: frames.buffer, bytes, fps });
const fanout = new FrameFanout(
  {
    onFrame(listener) {
      writer.on('message', () => {
        ring.acknowledgeWake(frames);
        listener();
      });
      return () => {};
    },
    readLatest: (after, visit) => ring.readLatest(frames, after, visit),
  },
  {
    maxMbps: 400,
    encode: (frame, seq) => transport.frame(frame, seq),
    observe: (loop, delay) => {
      loopMs.add(loop);
      delayMs.add(delay);
    },
  },
);
const live = new LiveSocket(transport, '/ws', {
  access: new Access({ token: null, allowedHosts: [] }),
  events: {
    snapshot: async () => [{ type: 'event', topic: 'owner', payload: { owner: 'data' } }],
    subscribe: () => () => {},
  },
  fanout,
  clients: new ClientList(),
  viewToken: null,
  logger: createLogger({ level: 'warn', pretty: true, colour: false }),
});
const { port } = await transport.listen('127.0.0.1', 0);
console.log(JSON.stringify({ port }));

/** Number of clients in each stage of the flow control. */
function stages(): number[] {
  const counts: number[] = [];
  for (const { credit } of fanout.clients) counts[credit.stage] = (counts[credit.stage] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}

for await (const _line of createInterface(process.stdin)) {
  const loops = loopMs.values;
  const delays = delayMs.values;
  console.log(
    JSON.stringify({
      loop_p50_ms: quantile(loops, 0.5),
      loop_p95_ms: quantile(loops, 0.95),
      delay_p50_ms: quantile(delays, 0.5),
      delay_p99_ms: quantile(delays, 0.99),
      rss_mb: process.memoryUsage().rss / 1e6,
      clients: live.clients,
      superseded: fanout.totals.superseded,
      stages: stages(),
    }),
  );
  loopMs.clear();
  delayMs.clear();
}
