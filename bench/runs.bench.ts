/** Claim: 10,000 runs are listed within 5 s at a start, with or without an index, and without reading their settings
 *  again at later starts. Later listings take under 0.5 s, those of the page, which requests only changes, under
 *  0.25 s. No listing blocks the main thread for more than 50 ms, measured by the replies to a trivial request.
 *
 *    runs.bench.ts [--runs 10000] [--reps 5]
 *
 *  Half of the runs are of the built-in trainer, half of rsl_rl. Each has 8 checkpoints. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { median, quantile } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, reps: { type: 'string', default: '5' } },
});
const RUNS = Number(options.runs);
const CHECKPOINTS = 8;
/** Number of lines of a trainer's settings beside the listed fields, as in a training of the built-in robot. */
const SETTINGS = 450;

const folder = temporaryFolder('bench-runs-');
const workspace = path.join(folder, 'workspace');
const { formatYaml } = await fromDist<typeof import('../src/core/yaml-file.ts')>('core/yaml-file.js');

function makeRuns(): void {
  const joint_names = Array.from({ length: 29 }, (_, k) => `joint_${k}`);
  const config = Object.fromEntries(
    Array.from({ length: SETTINGS / 3 }, (_, k) => [`term_${k}`, { weight: k / 7, std: 0.5 }]),
  );
  const names = { robot: 'humanoid', dataset: 'samples', joint_names };
  const studio = { 'params/task.yaml': formatYaml({ task: 'Wbc-Humanoid', ...names, config }) };
  const rslRl = {
    'params/env.yaml': formatYaml({ ...config, commands: { motion: { motion_file: 'data/humanoid/samples/npz' } } }),
    'params/agent.yaml': formatYaml({ experiment_name: 'wbc_humanoid', policy: config }),
    'params/config.yaml': formatYaml({ robot_id: 'humanoid', joint_names }),
  };
  for (let k = 0; k < RUNS; k++) {
    const run = path.join(workspace, 'logs/rsl_rl', `experiment_${k % 20}`, `run_${k}`);
    mkdirSync(path.join(run, 'params'), { recursive: true });
    for (const [file, text] of Object.entries(k % 2 === 0 ? studio : rslRl)) writeFileSync(path.join(run, file), text);
    for (let n = 0; n < CHECKPOINTS; n++) writeFileSync(path.join(run, `model_${500 * n}.pt`), '');
  }
}

const start = () =>
  ServerProcess.start(
    [process.execPath, benchFile('../dist/cli/main.js')],
    ['--port', 0, '--workspace', workspace, '--log-level', 'warn'],
  );

async function timed(server: ServerProcess, where: string): Promise<{ ms: number; text: string }> {
  const from = performance.now();
  const response = await fetch(`http://127.0.0.1:${server.port}${where}`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${where}: ${response.status} ${text}`);
  return { ms: performance.now() - from, text };
}

interface Listing {
  readonly ms: number;
  readonly unread: number;
  readonly mb: number;
  readonly version: string;
}

async function list(server: ServerProcess): Promise<Listing> {
  const { ms, text } = await timed(server, '/api/runs');
  const { runs, version } = JSON.parse(text) as { runs: { error: string | null }[]; version: string };
  if (runs.length !== RUNS) throw new Error(`${runs.length} of ${RUNS} runs listed`);
  return { ms, unread: runs.filter(({ error }) => error !== null).length, mb: text.length / 1e6, version };
}

/** Lists the changes since `version`, which are few: those of a training or of reading in the background. */
async function listChanges(server: ServerProcess, version: string): Promise<number> {
  const { ms, text } = await timed(server, `/api/runs?since=${version}`);
  const { runs, removed } = JSON.parse(text) as { runs: unknown[]; removed?: unknown[] };
  if (removed === undefined || runs.length > RUNS / 2) throw new Error(`${runs.length} runs listed as changed`);
  return ms;
}

/** Sends a trivial request every 2 ms from a separate thread, because this thread parses long replies. */
const ASK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const held = [];
  let over = false;
  parentPort.on('message', () => { over = true; });
  (async () => {
    while (!over) {
      const from = performance.now();
      await (await fetch(workerData)).text();
      held.push(performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    parentPort.postMessage(held);
    parentPort.close();
  })();
`;

/** @returns the duration of each trivial request until `work` ends, ms */
async function askDuring(server: ServerProcess, work: () => Promise<void>): Promise<number[]> {
  const asking = new Worker(ASK, { eval: true, workerData: `http://127.0.0.1:${server.port}/healthz` });
  await work();
  asking.postMessage('over');
  const [held] = (await once(asking, 'message')) as [number[]];
  return held;
}

const memoryMib = (server: ServerProcess) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

makeRuns();
let server = await start();
let cold!: Listing;
let readMs = 0;
const heldFirst = await askDuring(server, async () => {
  cold = await list(server);
  const from = performance.now();
  for (let unread = cold.unread; unread > 0; readMs = performance.now() - from) {
    await sleep(1000);
    unread = (await list(server)).unread;
  }
});
const later: number[] = [];
const changes: number[] = [];
const held = await askDuring(server, async () => {
  for (let k = 0; k < Number(options.reps); k++) {
    const { ms, version } = await list(server);
    later.push(ms);
    changes.push(await listChanges(server, version));
  }
});
const peakMib = memoryMib(server);
await server.stop('SIGTERM');
server = await start();
let indexed!: Listing;
const heldIndexed = await askDuring(server, async () => {
  indexed = await list(server);
});
await server.stop();

const longest = (answers: readonly number[]) => quantile(answers, 1);
printTable(
  ['', 'ms', 'not read yet', 'longest answer meanwhile, ms'],
  [
    ['first listing, no index', cold.ms, cold.unread, ''],
    ['until all are listed with their settings', readMs, 0, longest(heldFirst)],
    ['later listings, median', median(later), 0, longest(held)],
    ['later listings of changes, median', median(changes), 0, ''],
    ['first listing, with the index', indexed.ms, indexed.unread, longest(heldIndexed)],
  ],
);
console.log(`reply ${cold.mb.toFixed(1)} MB; memory ${Math.round(peakMib)} MiB at most`);
writeResult(
  'runs',
  [
    { name: 'first listing without an index, ms', value: cold.ms, atMost: 5000 },
    { name: 'first listing with the index, ms', value: indexed.ms, atMost: 5000 },
    { name: 'runs that the index lacks', value: indexed.unread, atMost: 0 },
    { name: 'later listings, median ms', value: median(later), atMost: 500 },
    { name: 'later listings of changes, median ms', value: median(changes), atMost: 250 },
    { name: 'longest answer during the first listing, ms', value: longest(heldFirst), atMost: 50 },
    { name: 'longest answer during later listings, ms', value: longest(held), atMost: 50 },
    { name: 'longest answer during a listing with the index, ms', value: longest(heldIndexed), atMost: 50 },
  ],
  { runs: RUNS, cold, indexed, readMs, later, changes, held_p99_ms: quantile(held, 0.99), peakMib },
  RUNS === 10_000,
);
