/** Claim: sending frames to many clients costs at most 1.3 × the server CPU of a bare C loop of send() at 64 KB × 512
 *  clients and 1.8 × at other loads, flow control included. It costs no more than the `ws` package without flow
 *  control, and at most half of a Python server that encodes each frame per client. On the node transport it costs at
 *  most 1.1 × the `ws` package at 64 KB × 512 clients and 1.25 × at other loads.
 *
 *  The measurement starts after 3 s. By then the flow control knows which clients keep up, and sends them one ping per
 *  megabyte.
 *
 *    fanout.bench.ts [--loads 16x1,64x128,...] [--servers product,c,...] [--reps 3] [--seconds 2] [--warm 3]
 *
 *  A run with selected loads or servers does not change the results file. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ClientFigures, fast, runClients } from './harness/clients.ts';
import { compileC } from './harness/native.ts';
import { type Goal, printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { medianOf } from './harness/statistics.ts';

const FPS = 60;
const LOADS = '16x1,16x16,16x128,16x512,64x1,64x16,64x128,64x512';
/** Below this number of clients, timers and thread wake-ups cost more than sending. Such loads are shown, but not
 *  judged. */
const JUDGED_CLIENTS = 128;
const { values: options } = parseArgs({
  options: {
    loads: { type: 'string', default: LOADS },
    servers: { type: 'string', default: '' },
    reps: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    warm: { type: 'string', default: '3' },
  },
});

interface Contender {
  readonly name: string;
  readonly label: string;
  readonly command: readonly string[];
  readonly acks?: boolean;
  readonly transport?: 'node';
}

interface Figures extends ClientFigures {
  readonly loop_p95_ms: number | null;
}

function contenders(): Contender[] {
  const python = '/usr/bin/python3';
  const script = benchFile('servers/python-websockets.py');
  const sendLoop = compileC('send-loop');
  const hasPython = existsSync(python) && spawnSync(python, ['-c', 'import msgpack, websockets']).status === 0;
  if (!hasPython) {
    console.log(
      'python3 with websockets and msgpack is left out; on Debian: apt-get install python3-websockets python3-msgpack',
    );
  }
  const all: Contender[] = [
    { name: 'product', label: 'motion-studio', command: ['product.ts'] },
    { name: 'product-ack', label: 'motion-studio, clients ack', command: ['product.ts'], acks: true },
    { name: 'product-node', label: 'motion-studio, node transport', command: ['product.ts'], transport: 'node' },
    ...(sendLoop ? [{ name: 'c', label: 'C send() loop', command: [sendLoop] }] : []),
    { name: 'uws', label: 'uWebSockets.js send, no flow control', command: ['uws-plain.ts', 'send'] },
    { name: 'ws', label: 'ws package', command: ['ws-package.ts'] },
    ...(hasPython
      ? [
          { name: 'py-broadcast', label: 'Python broadcast', command: [python, script, 'broadcast'] },
          { name: 'py-per-client', label: 'Python per-client msgpack', command: [python, script, 'per-client'] },
          {
            name: 'py-blob',
            label: 'Python per-client, arrays as bytes',
            command: [python, script, 'per-client-blob'],
          },
        ]
      : []),
  ];
  const wanted = options.servers === '' ? null : options.servers.split(',');
  return wanted ? all.filter(({ name }) => wanted.includes(name)) : all;
}

async function measure(
  { command, acks, name, transport }: Contender,
  bytes: number,
  clients: number,
): Promise<Figures> {
  const server = await ServerProcess.start(command, [bytes, FPS, ...(transport ? [transport] : [])]);
  try {
    const isProduct = name.startsWith('product');
    const figures = await runClients(
      {
        port: server.port,
        path: '/ws',
        serverPid: server.pid,
        warmS: Number(options.warm),
        measureS: Number(options.seconds),
        classes: [fast(clients, acks ?? false)],
      },
      () => void (isProduct ? server.ask('begin') : null),
    );
    const own = isProduct ? await server.ask<{ loop_p95_ms: number }>('end') : null;
    return { ...figures, loop_p95_ms: own?.loop_p95_ms ?? null };
  } finally {
    await server.stop();
  }
}

const summaryOf = (runs: readonly Figures[]) => ({
  fps: medianOf(runs, ({ seconds, classes: [c] }) => c!.frames / seconds / c!.clients),
  cpu_s_per_gb: medianOf(runs, ({ cpu_s, classes: [c] }) => cpu_s / (c!.bytes / 1e9)),
  p50_ms: medianOf(runs, ({ classes: [c] }) => c!.p50_ms),
  p99_ms: medianOf(runs, ({ classes: [c] }) => c!.p99_ms),
  missed: medianOf(runs, ({ classes: [c] }) => c!.missed / (c!.missed + c!.frames)),
  closed: medianOf(runs, ({ classes: [c] }) => c!.closed),
  loop_p95_ms: runs[0]!.loop_p95_ms === null ? null : medianOf(runs, (run) => run.loop_p95_ms!),
});

const servers = contenders();
const rows = [];
const goals: Goal[] = [];
for (const load of options.loads.split(',')) {
  const [kb, clients] = load.split('x').map(Number) as [number, number];
  const runs = new Map<string, Figures[]>(servers.map(({ name }) => [name, []]));
  const reps = clients < JUDGED_CLIENTS ? 1 : Number(options.reps);
  for (let rep = 0; rep < reps; rep++) {
    for (const server of servers) runs.get(server.name)!.push(await measure(server, kb * 1024, clients));
  }
  const summaries = new Map(servers.map(({ name }) => [name, summaryOf(runs.get(name)!)]));
  for (const { name, label } of servers) rows.push({ kb, clients, server: label, name, ...summaries.get(name)! });
  const cpu = (name: string) => summaries.get(name)?.cpu_s_per_gb ?? Number.NaN;
  const title = `${kb} KB × ${clients}`;
  if (clients >= JUDGED_CLIENTS) {
    goals.push({
      name: `${title}: CPU / C send loop`,
      value: cpu('product') / cpu('c'),
      atMost: load === '64x512' ? 1.3 : 1.8,
    });
    goals.push({ name: `${title}: CPU / ws package`, value: cpu('product') / cpu('ws'), atMost: 1 });
    goals.push({
      name: `${title}: CPU of the node transport / ws package`,
      value: cpu('product-node') / cpu('ws'),
      atMost: load === '64x512' ? 1.1 : 1.25,
    });
    goals.push({
      name: `${title}: CPU / per-client msgpack`,
      value: cpu('product') / cpu('py-per-client'),
      atMost: 0.5,
    });
    if (load === '64x128') {
      goals.push({
        name: `${title}: send loop p95, ms`,
        value: summaries.get('product')?.loop_p95_ms ?? Number.NaN,
        atMost: 8,
      });
    }
  }
  console.log(`\n${title} × ${FPS} Hz`);
  printTable(
    ['server', 'frames/s', 'CPU s/GB', 'p50 ms', 'p99 ms', 'missed', 'send loop p95 ms'],
    rows
      .slice(-servers.length)
      .map((r) => [r.server, r.fps, r.cpu_s_per_gb, r.p50_ms, r.p99_ms, r.missed, r.loop_p95_ms]),
  );
}
writeResult('fanout', goals, { fps: FPS, rows }, options.loads === LOADS && options.servers === '');
