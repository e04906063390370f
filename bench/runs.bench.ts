/** Claim: 10,000 runs are listed within 10 s at a start without an index, and within 5 s at later starts, without reading
 *  their settings again. Later listings take under 3 s, and the p99 of a trivial request stays under 20 ms.
 *
 *    runs.bench.ts [--runs 10000] [--reps 5]
 *
 *  Half of the runs are of the built-in trainer, half of rsl_rl. Each has 8 checkpoints. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { median, quantile } from './harness/statistics.ts';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, reps: { type: 'string', default: '5' } },
});
const RUNS = Number(options.runs);
const CHECKPOINTS = 8;
/** Lines of a trainer's settings beside the listed fields. A training of the built-in robot writes as many. */
const SETTINGS = 450;

const folder = mkdtempSync(path.join(tmpdir(), 'bench-runs-'));
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

async function list(server: ServerProcess): Promise<{ ms: number; unread: number; mb: number }> {
  const { ms, text } = await timed(server, '/api/runs');
  const { runs } = JSON.parse(text) as { runs: { error: string | null }[] };
  if (runs.length !== RUNS) throw new Error(`${runs.length} of ${RUNS} runs listed`);
  return { ms, unread: runs.filter(({ error }) => error !== null).length, mb: text.length / 1e6 };
}

const memoryMib = (server: ServerProcess) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

makeRuns();
const held: number[] = [];
let server = await start();
const cold = await list(server);
let over = false;
const asking = (async () => {
  while (!over) {
    held.push((await timed(server, '/healthz')).ms);
    await sleep(2);
  }
})();
let readMs = 0;
for (const from = performance.now(); ; ) {
  await sleep(1000);
  const { unread } = await list(server);
  readMs = performance.now() - from;
  if (unread === 0) break;
}
const warm: number[] = [];
for (let k = 0; k < Number(options.reps); k++) warm.push((await list(server)).ms);
over = true;
await asking;
// The index is complete once all settings are read as a whole, which lasts minutes. Between two batches no task runs.
for (let idle = 0; idle < 3; await sleep(500)) {
  const { text } = await timed(server, '/metrics');
  idle = /pool_tasks_running [1-9]/.test(text) ? 0 : idle + 1;
}
const peakMib = memoryMib(server);
await server.stop();
server = await start();
const indexed = await list(server);
await server.stop();
rmSync(folder, { recursive: true });

printTable(
  ['', 'ms', 'not read yet'],
  [
    ['first listing, no index', cold.ms, cold.unread],
    ['until all are listed with their settings', readMs, 0],
    ['later listings, median', median(warm), 0],
    ['first listing, with the index', indexed.ms, indexed.unread],
  ],
);
console.log(`reply ${cold.mb.toFixed(1)} MB; memory ${Math.round(peakMib)} MiB at most`);
writeResult(
  'runs',
  [
    { name: 'first listing without an index, ms', value: cold.ms, atMost: 10_000 },
    { name: 'first listing with the index, ms', value: indexed.ms, atMost: 5000 },
    { name: 'runs that the index lacks', value: indexed.unread, atMost: 0 },
    { name: 'later listings, median ms', value: median(warm), atMost: 3000 },
    { name: 'an answer meanwhile, p99 ms', value: quantile(held, 0.99), atMost: 20 },
  ],
  { runs: RUNS, cold, indexed, readMs, warm, held_max_ms: quantile(held, 1), peakMib },
  RUNS === 10_000,
);
