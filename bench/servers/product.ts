/** The product's fan-out: a thread writes frames into the ring at a steady rate, the main thread sends them on with
 *  flow control by acks and pongs: `product.ts FRAME_BYTES FPS`. A line on stdin is answered by figures of its own. */
import { createInterface } from 'node:readline';
import { LastValues } from '../harness/last-values.ts';
import { fromDist } from '../harness/product.ts';
import { quantile } from '../harness/statistics.ts';
import { startThread } from '../harness/thread.ts';

const { FrameFanout } = await fromDist<typeof import('../../src/gateway/frame-fanout.ts')>('gateway/frame-fanout.js');
const { createUwsApp } = await fromDist<typeof import('../../src/gateway/uws.ts')>('gateway/uws.js');
const ring = await fromDist<typeof import('../../src/core/frame-ring.ts')>('core/frame-ring.js');

const [bytes, fps] = process.argv.slice(2).map(Number) as [number, number];
const frames = ring.createFrameRing(bytes);
const loopMs = new LastValues(4096);
const delayMs = new LastValues(4096);

const writer = startThread('servers/frame-writer.worker.ts', { buffer: frames.buffer, bytes, fps });
const feed = {
  onFrame(listener: () => void) {
    writer.on('message', () => {
      ring.acknowledgeWake(frames);
      listener();
    });
    return () => {};
  },
  readLatest: (after: number, visit: Parameters<typeof ring.readLatest>[2]) => ring.readLatest(frames, after, visit),
};
const fanout = new FrameFanout(feed, {
  maxMbps: 4000,
  observe: (loop, delay) => {
    loopMs.add(loop);
    delayMs.add(delay);
  },
});

interface Data {
  client?: ReturnType<typeof fanout.join>;
}
const decoder = new TextDecoder();
const app = createUwsApp();
app.socket<Data>('/ws', {
  idleTimeout: 16,
  maxPayloadLength: 64 * 1024,
  maxBackpressure: 8 * 1024 * 1024,
  upgrade: (response, request, context) => {
    response.upgrade(
      {},
      request.getHeader('sec-websocket-key'),
      request.getHeader('sec-websocket-protocol'),
      request.getHeader('sec-websocket-extensions'),
      context,
    );
  },
  open: (socket) => {
    socket.getUserData().client = fanout.join(socket);
  },
  message: (socket, message) => {
    const { seq } = JSON.parse(decoder.decode(message)) as { seq: number };
    fanout.ack(socket.getUserData().client!, seq);
  },
  pong: (socket, payload) => fanout.pong(socket.getUserData().client!, payload),
  dropped: () => {},
  close: (socket) => fanout.leave(socket.getUserData().client!),
});
/** How many clients are in each stage of the flow control. */
function stages(): number[] {
  const counts: number[] = [];
  for (const { credit } of fanout.clients) counts[credit.stage] = (counts[credit.stage] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}

const { port } = await app.listen('127.0.0.1', 0);
console.log(JSON.stringify({ port }));

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
      clients: fanout.clients.size,
      superseded: fanout.totals.superseded,
      stages: stages(),
    }),
  );
  loopMs.clear();
  delayMs.clear();
}
