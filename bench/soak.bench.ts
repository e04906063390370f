/** Claim: streaming does not leak memory. After a forced garbage collection, the heaps of the main thread and of the
 *  sim worker stay within ± 5 MB over ten minutes of a clip playing to 16 clients.
 *
 *    soak.bench.ts [--seconds 600] [--clients 16] */

import { createRequire, syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { fast, runClients } from './harness/clients.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, clients: { type: 'string', default: '16' } },
});
const SECONDS = Number(options.seconds);
const SAMPLES = 10;

// The service does not expose its threads. Record each one when it is created, to inspect its heap.
const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
const made: Worker[] = [];
threads.Worker = class extends threads.Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args);
    if (String(args[0]).includes('sim.worker')) made.push(this);
  }
};
syncBuiltinESMExports();

const { createApp } = await fromDist<typeof import('../src/app/create-app.ts')>('app/create-app.js');
const { createContext } = await fromDist<typeof import('../src/app/app-context.ts')>('app/app-context.js');
const { openWorkspace } = await fromDist<typeof import('../src/app/workspace.ts')>('app/workspace.js');
const { startGateway } = await fromDist<typeof import('../src/gateway/start-gateway.ts')>('gateway/start-gateway.js');
const { createLogger } = await fromDist<typeof import('../src/core/logger.ts')>('core/logger.js');
const { formatClipCsv } = await fromDist<typeof import('../src/formats/csv.ts')>('formats/csv.js');
const { generateClip } = await fromDist<typeof import('../src/motion/procedural/generate-clip.ts')>(
  'motion/procedural/generate-clip.js',
);

const root = temporaryFolder('bench-soak-');
const logger = createLogger({ level: 'warn', pretty: true, colour: false });
const workspace = await openWorkspace(root, logger);
await workspace.writeSamples('humanoid/samples', async () => {
  const { frames, width } = generateClip('walk_forward');
  return new Map([['walk_forward.csv', formatClipCsv(frames, width)]]);
});
const context = createContext({ places: workspace, streamFps: 60, poolThreads: 0, trashDays: 30, logger });
const studio = await createApp(context, {
  play: { maxEnvs: 4096, threads: 0 },
  training: {
    localLimit: 1,
    maxMinutes: 240,
    trainers: {},
    launchers: {},
    environment: {},
    stateFolder: path.join(root, '..', 'motion-studio-state'),
  },
  qa: {},
  version: 'bench',
});
const gateway = await startGateway({
  app: studio,
  host: '127.0.0.1',
  port: 0,
  token: null,
  viewToken: null,
  tokenForAll: false,
  allowedHosts: [],
  limits: { jsonBytes: 1 << 20, uploadBytes: 1 << 30, connections: 4096 },
  transport: 'auto',
  stream: { maxMbps: 400 },
  page: path.join(import.meta.dirname, '../dist/web'),
  docs: path.join(import.meta.dirname, '../dist/docs'),
  version: 'bench',
  logger,
});
const task = await studio.preview.load({ dataset: 'samples', clip: 'walk_forward' });
const loaded = await studio.busy.wait(task, 30);
if (loaded?.state !== 'done') throw new Error(`the clip was not loaded: ${loaded?.error}`);

interface Sample {
  readonly s: number;
  readonly main_mb: number;
  readonly sim_mb: number;
  readonly rss_mb: number;
}

/** Returns the size of all objects in the heap of a thread after the garbage collection that precedes a snapshot. */
async function heapOf(worker: Worker): Promise<number> {
  const stream = await worker.getHeapSnapshot();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as string | Buffer));
  const { snapshot, nodes } = JSON.parse(Buffer.concat(chunks).toString()) as {
    snapshot: { meta: { node_fields: string[] } };
    nodes: number[];
  };
  const fields = snapshot.meta.node_fields.length;
  const size = snapshot.meta.node_fields.indexOf('self_size');
  let bytes = 0;
  for (let at = size; at < nodes.length; at += fields) bytes += nodes[at]!;
  return bytes;
}

const start = performance.now();
async function sample(): Promise<Sample> {
  const sim = await heapOf(made.at(-1)!);
  for (let k = 0; k < 3; k++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return {
    s: (performance.now() - start) / 1e3,
    main_mb: (heapUsed + arrayBuffers) / 1e6,
    sim_mb: sim / 1e6,
    rss_mb: rss / 1e6,
  };
}

const streaming = runClients({
  port: gateway.port,
  path: '/ws',
  serverPid: process.pid,
  warmS: 5,
  measureS: SECONDS,
  classes: [fast(Number(options.clients))],
});
await new Promise((resolve) => setTimeout(resolve, 10_000)); // warm-up: compiles code and grows buffers
const samples: Sample[] = [];
for (let k = 0; k <= SAMPLES; k++) {
  if (k > 0) await new Promise((resolve) => setTimeout(resolve, (1e3 * (SECONDS - 10)) / SAMPLES));
  samples.push(await sample());
}
const clients = await streaming;
await gateway.close();
await studio.close();
await context.close();
workspace.close();

const drift = (pick: (one: Sample) => number) =>
  Math.max(...samples.map((one) => Math.abs(pick(one) - pick(samples[0]!))));
printTable(
  ['s', 'main MB', 'sim MB', 'resident MB'],
  samples.map(({ s, main_mb, sim_mb, rss_mb }) => [s, main_mb, sim_mb, rss_mb]),
);
writeResult(
  'soak',
  [
    { name: 'main heap, most off its start, MB', value: drift(({ main_mb }) => main_mb), atMost: 5 },
    { name: 'sim worker heap, most off its start, MB', value: drift(({ sim_mb }) => sim_mb), atMost: 5 },
  ],
  { seconds: SECONDS, frames: clients.classes[0]?.frames, closed: clients.classes[0]?.closed, samples },
);
process.exit(0);
