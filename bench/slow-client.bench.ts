/** Claim: a client that reads slowly gets frames whose age is at most 3 times the client's transfer time of one frame.
 *  This holds for clients that acknowledge frames and for clients that only answer pings. A slow client does not delay
 *  a fast client. A client that never reads uses bounded memory, and its connection is closed. The baseline is plain
 *  `publish`, whose backpressure limit does not include the buffers of the kernel.
 *
 *    slow-client.bench.ts [--reps 3] [--seconds 8] [--warm 6] [--never 45] */
import { parseArgs } from 'node:util';
import { type ClassFigures, type ClientClass, runClients } from './harness/clients.ts';
import { compileC } from './harness/native.ts';
import { type Goal, printTable, writeResult } from './harness/report.ts';
import { ServerProcess } from './harness/server-process.ts';
import { medianOf } from './harness/statistics.ts';

const FPS = 60;
const BYTES = 64 * 1024;
const RATES = [2e6, 0.5e6];
const { values: options } = parseArgs({
  options: {
    reps: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    warm: { type: 'string', default: '6' },
    never: { type: 'string', default: '45' },
  },
});

interface Way {
  readonly name: string;
  readonly label: string;
  readonly command: readonly string[];
  readonly ack: boolean;
  readonly transport?: 'node';
}
const WAYS: readonly Way[] = [
  { name: 'pongs', label: 'motion-studio, clients answer pings', command: ['product.ts'], ack: false },
  { name: 'acks', label: 'motion-studio, clients acknowledge', command: ['product.ts'], ack: true },
  {
    name: 'pongs-node',
    label: 'node transport, clients answer pings',
    command: ['product.ts'],
    ack: false,
    transport: 'node',
  },
  {
    name: 'acks-node',
    label: 'node transport, clients acknowledge',
    command: ['product.ts'],
    ack: true,
    transport: 'node',
  },
  { name: 'publish', label: 'plain publish', command: ['uws-plain.ts', 'publish'], ack: false },
];

const classesOf = (ack: boolean): ClientClass[] => [
  { name: 'fast', count: 1, bytesPerS: 0, ack },
  ...RATES.map((bytesPerS) => ({ name: `${bytesPerS / 1e6} MB/s`, count: 1, bytesPerS, ack })),
];

async function ages({ command, ack, transport }: Way): Promise<readonly ClassFigures[]> {
  const server = await ServerProcess.start(command, [BYTES, FPS, ...(transport ? [transport] : [])]);
  try {
    const { classes } = await runClients({
      port: server.port,
      path: '/ws',
      serverPid: server.pid,
      warmS: Number(options.warm),
      measureS: Number(options.seconds),
      classes: classesOf(ack),
    });
    return classes;
  } finally {
    await server.stop();
  }
}

interface OwnFigures {
  readonly rss_mb: number;
  readonly clients: number;
}

/** Measures how the server handles clients that never read, while one other client reads. Measures at the server,
 *  because a client that does not read cannot receive the close frame. */
async function neverReading(count: number, transport: 'uws' | 'node') {
  const server = await ServerProcess.start(['product.ts'], [BYTES, FPS, transport]);
  try {
    const before = await server.ask<OwnFigures>('before');
    const from = performance.now();
    let most_mb = before.rss_mb;
    let open = 0;
    let closed_after_s = Number.NaN;
    const sample = async () => {
      const { rss_mb, clients } = await server.ask<OwnFigures>('now');
      most_mb = Math.max(most_mb, rss_mb);
      if (open > 1 && clients === 1) closed_after_s = (performance.now() - from) / 1e3;
      open = clients;
    };
    const timer = setInterval(() => void sample(), 500);
    await runClients({
      port: server.port,
      path: '/ws',
      serverPid: server.pid,
      warmS: 0,
      measureS: Number(options.never),
      classes: [
        { name: 'fast', count: 1, bytesPerS: 0, ack: false },
        { name: 'never', count, bytesPerS: -1, ack: false },
      ],
    });
    clearInterval(timer);
    return { clients: count, closed_after_s, server_mb_per_client: (most_mb - before.rss_mb) / count };
  } finally {
    await server.stop();
  }
}

if (compileC('ws-clients') === null) {
  console.log('slow-client: clients that read at a given rate need gcc; nothing measured');
  process.exit(0);
}
const runs = new Map<string, (readonly ClassFigures[])[]>(WAYS.map(({ name }) => [name, []]));
for (let rep = 0; rep < Number(options.reps); rep++) {
  for (const way of WAYS) runs.get(way.name)!.push(await ages(way));
}

const goals: Goal[] = [];
const rows = WAYS.flatMap(({ name, label }) =>
  classesOf(false).map(({ name: client, bytesPerS }, k) => {
    const taken = runs.get(name)!.map((classes) => classes[k]!);
    const transfer_ms = bytesPerS === 0 ? null : (BYTES / bytesPerS) * 1e3;
    const age = medianOf(taken, (c) => c.p50_ms);
    if (name !== 'publish') {
      goals.push({ name: `${client}, ${name}: median age, ms`, value: age, atMost: transfer_ms ? 3 * transfer_ms : 5 });
    }
    return {
      way: label,
      client,
      transfer_ms,
      p50_ms: age,
      p99_ms: medianOf(taken, (c) => c.p99_ms),
      fps: medianOf(taken, (c) => c.frames) / Number(options.seconds),
    };
  }),
);
console.log(`\n${BYTES / 1024} KB × ${FPS} Hz, age of a frame when the client has read it`);
printTable(
  ['way', 'client', 'transfer ms', 'p50 ms', 'p99 ms', 'frames/s'],
  rows.map((r) => [r.way, r.client, r.transfer_ms, r.p50_ms, r.p99_ms, r.fps]),
);
const never = [];
for (const transport of ['uws', 'node'] as const) {
  const figures = await neverReading(64, transport);
  console.log(`\n${figures.clients} clients that never read, transport ${transport}:`);
  printTable(
    ['all closed after s', 'server memory, MB a client'],
    [[figures.closed_after_s, figures.server_mb_per_client]],
  );
  goals.push({ name: `never reading, ${transport}: closed after, s`, value: figures.closed_after_s, atMost: 40 });
  goals.push({
    name: `never reading, ${transport}: server memory, MB a client`,
    value: figures.server_mb_per_client,
    atMost: 1,
  });
  never.push({ transport, ...figures });
}
writeResult('slow-client', goals, { fps: FPS, frame_bytes: BYTES, rows, never });
