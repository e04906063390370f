/** Claim: a dataset of 100,000 clips does not slow the service down.
 *  - A page of it and the counts of all datasets are returned in under 50 ms.
 *  - The start of the service does not wait for the dataset.
 *  - A file added by hand is listed within 2 s; a second scan takes under 2 s.
 *  - None of these blocks the main thread.
 *
 *    listing.bench.ts [--clips 100000] [--reps 50] [--adds 10]
 *
 *  Measures how long the main thread is blocked by the answer times of a trivial request that is sent continuously. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { median, quantile } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    clips: { type: 'string', default: '100000' },
    reps: { type: 'string', default: '50' },
    adds: { type: 'string', default: '10' },
  },
});
const CLIPS = Number(options.clips);
/** One of this many clips is converted. */
const CONVERTED_OF = 4;
const FRAMES = 61;
const DATASET = 'many';

const folder = temporaryFolder('bench-listing-');
const { writeNpz } = await fromDist<typeof import('../src/formats/npz.ts')>('formats/npz.js');

interface Started {
  readonly server: ServerProcess;
  readonly ms: number;
}

async function start(workspace: string): Promise<Started> {
  const from = performance.now();
  const server = await ServerProcess.start(
    [process.execPath, benchFile('../dist/cli/main.js')],
    ['--port', 0, '--workspace', workspace, '--log-level', 'warn'],
  );
  return { server, ms: performance.now() - from };
}

const json = async <T>(server: ServerProcess, where: string, body?: object): Promise<T> => {
  const response = await fetch(`http://127.0.0.1:${server.port}${where}`, {
    ...(body
      ? {
          method: 'POST',
          headers: { 'content-type': 'application/json', prefer: 'wait=60' },
          body: JSON.stringify(body),
        }
      : {}),
  });
  if (response.status !== 200) throw new Error(`${where}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
};

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const from = performance.now();
  const result = await work();
  return { ms: performance.now() - from, result };
}

async function times(reps: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let k = 0; k < reps; k++) taken.push((await timed(work)).ms);
  return taken;
}

/** Measures the answer times of a trivial request while `work` runs, ms. */
async function heldDuring(server: ServerProcess, work: () => Promise<unknown>): Promise<number[]> {
  const held: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      held.push((await timed(() => json(server, '/healthz'))).ms);
      await sleep(1);
    }
  })();
  await work();
  over = true;
  await asking;
  return held;
}

function memoryMib(server: ServerProcess, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

function makeDataset(workspace: string, row: string): string {
  const target = path.join(workspace, 'data/humanoid', DATASET);
  mkdirSync(path.join(target, 'npz'), { recursive: true });
  const columns = row.split(',').length;
  const clip = `${row}\n`.repeat(FRAMES);
  const floats = (...shape: number[]) => ({
    dtype: 'f4' as const,
    shape,
    data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
  });
  const npz = writeNpz([
    ['fps', { dtype: 'f4', shape: [1], data: Float32Array.of(50) }],
    ['joint_pos', floats(2, columns - 7)],
    ['joint_vel', floats(2, columns - 7)],
    ['body_pos_w', floats(2, 1, 3)],
    ['body_quat_w', floats(2, 1, 4)],
    ['body_lin_vel_w', floats(2, 1, 3)],
    ['body_ang_vel_w', floats(2, 1, 3)],
  ]);
  for (let k = 0; k < CLIPS; k++) {
    const name = `subject${k % 40}_take_${k}`;
    writeFileSync(path.join(target, `${name}.csv`), clip);
    if (k % CONVERTED_OF === 0) writeFileSync(path.join(target, 'npz', `${name}.npz`), npz);
  }
  return target;
}

// The samples created at the first start show the format of a clip of the built-in robot.
const workspace = path.join(folder, 'workspace');
const empty = await start(workspace);
const idleMib = memoryMib(empty.server, 'VmRSS');
await empty.server.stop();
const startsEmpty: number[] = [];
for (let k = 0; k < 3; k++) {
  const { server, ms } = await start(workspace);
  startsEmpty.push(ms);
  await server.stop();
}
const sample = readFileSync(path.join(workspace, 'data/humanoid/samples/idle_sway.csv'), 'utf8').split('\n')[0]!;
const target = makeDataset(workspace, sample);
console.log(`${CLIPS} clips, every ${CONVERTED_OF}th converted`);

const startsFull: number[] = [];
for (let k = 0; k < 2; k++) {
  const { server, ms } = await start(workspace);
  startsFull.push(ms);
  await server.stop();
}
const { server, ms } = await start(workspace);
startsFull.push(ms);
const reps = Number(options.reps);
const page = `/api/data/clips?dataset=${DATASET}`;
let coldMs = 0;
const heldListing = await heldDuring(server, async () => {
  coldMs = (await timed(() => json(server, '/api/data/datasets'))).ms;
  await json(server, page);
});
const counts = await times(reps, () => json(server, '/api/data/datasets'));
const pages = await times(reps, () => json(server, page));
const searches: number[] = [];
const heldSearching = await heldDuring(server, async () => {
  for (let k = 0; k < 20; k++) searches.push((await timed(() => json(server, `${page}&q=*take_${k}9*`))).ms);
});

const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
await once(socket, 'open');
let onCounts = () => {};
socket.on('message', (data: Buffer, isBinary: boolean) => {
  if (isBinary) return;
  const event = JSON.parse(data.toString()) as { topic: string; payload: { reason?: string } };
  if (event.topic === 'data' && event.payload.reason === 'counts') onCounts();
});
const adds: number[] = [];
const heldAdding = await heldDuring(server, async () => {
  for (let k = 0; k < Number(options.adds); k++) {
    const { ms: taken } = await timed(async () => {
      writeFileSync(path.join(target, `added_${k}.csv`), `${sample}\n`.repeat(FRAMES));
      // Checks of clips also cause such events, so wait until the file is listed.
      for (let total = 0; total !== 1; ) {
        await new Promise<void>((resolve) => (onCounts = resolve));
        ({ total } = await json<{ total: number }>(server, `${page}&q=added_${k}&size=1`));
      }
    });
    adds.push(taken);
    await sleep(300);
  }
});
socket.close();

const scan = () => json<{ busy: { state: string } }>(server, '/api/data/scan', { dataset: DATASET });
let scanned = { ms: 0, result: { busy: { state: '' } } };
const heldScanning = await heldDuring(server, async () => {
  scanned = await timed(scan);
  for (let wait = 0; wait < 20 && scanned.result.busy.state === 'running'; wait++) {
    const more = await timed(async () => {
      await sleep(500);
      const { active } = await json<{ active: object[] }>(server, '/api/busy');
      return active.length > 0;
    });
    scanned = { ms: scanned.ms + more.ms, result: { busy: { state: more.result ? 'running' : 'done' } } };
  }
});
let again = { ms: 0 };
const heldAgain = await heldDuring(server, async () => {
  again = await timed(scan);
});
const fullMib = memoryMib(server, 'VmRSS');
const peakMib = memoryMib(server, 'VmHWM');
await server.stop();

const held = {
  listing: heldListing,
  searching: heldSearching,
  adding: heldAdding,
  scanning: heldScanning,
  again: heldAgain,
};
const rows = [
  { what: 'ready, small workspace', taken: startsEmpty },
  { what: `ready, ${CLIPS} clips`, taken: startsFull },
  { what: 'first counts after the start', taken: [coldMs] },
  { what: 'counts', taken: counts },
  { what: 'first page', taken: pages },
  { what: 'first page of a search', taken: searches },
  { what: 'added by hand until listed', taken: adds },
  { what: 'first scan', taken: [scanned.ms] },
  { what: 'second scan', taken: [again.ms] },
  ...Object.entries(held).map(([what, taken]) => ({ what: `an answer while ${what}`, taken })),
].map(({ what, taken }) => ({
  what,
  median_ms: median(taken),
  p99_ms: quantile(taken, 0.99),
  max_ms: quantile(taken, 1),
  times: taken.length,
}));
printTable(
  ['', 'median ms', 'p99 ms', 'max ms', 'times'],
  rows.map((row) => [row.what, row.median_ms, row.p99_ms, row.max_ms, row.times]),
);
console.log(
  `memory: ${Math.round(idleMib)} MiB at a first start, ${Math.round(fullMib)} MiB at the end, ${Math.round(peakMib)} MiB at most`,
);
writeResult(
  'listing',
  [
    { name: 'first page, warm, median ms', value: median(pages), atMost: 50 },
    { name: 'counts, warm, median ms', value: median(counts), atMost: 50 },
    { name: 'start / start of a small workspace', value: median(startsFull) / median(startsEmpty), atMost: 1.2 },
    { name: 'added by hand until listed, max ms', value: quantile(adds, 1), atMost: 2000 },
    { name: 'second scan, ms', value: again.ms, atMost: 2000 },
    { name: 'an answer while listing, p99 ms', value: quantile(heldListing, 0.99), atMost: 20 },
  ],
  { clips: CLIPS, converted: Math.ceil(CLIPS / CONVERTED_OF), rows, memory_mib: { idleMib, fullMib, peakMib } },
  CLIPS === 100_000,
);
