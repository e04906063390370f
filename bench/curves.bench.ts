/** Claim: the end of a 1 GB log is returned in under 50 ms; the first request for the curves of 100 MB of event files
 *  takes at most 2 s of CPU; following a running training with one request per second costs under 5 % of a core.
 *
 *    curves.bench.ts [--mb 100] [--log-mb 1000] [--seconds 30] */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { median } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    mb: { type: 'string', default: '100' },
    'log-mb': { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
  },
});
const SECONDS = Number(options.seconds);
const TAGS = 60;
const REPS = 20;
const RUN = 'bench/2026-01-01_00-00-00';
const JOB = 'train-bench-1';

const { scalarsRecord, versionRecord } = await fromDist<typeof import('../src/formats/event-file/write-events.ts')>(
  'formats/event-file/write-events.js',
);
const { formatRecord, newRecord } = await fromDist<typeof import('../src/jobs/job-record.ts')>('jobs/job-record.js');

const workspace = temporaryFolder('bench-curves-');
const runFolder = path.join(workspace, 'logs/rsl_rl', RUN);
const jobFolder = path.join(workspace, 'jobs', JOB);
mkdirSync(path.join(runFolder, 'params'), { recursive: true });
mkdirSync(jobFolder, { recursive: true });
writeFileSync(path.join(runFolder, 'params/config.yaml'), 'robot_id: humanoid\n');

const events = openSync(path.join(runFolder, 'events.out.tfevents.1700000000.bench.1.0'), 'a');
let iteration = 0;
function appendIteration(): number {
  const scalars = Array.from({ length: TAGS }, (_, k) => ({
    tag: `Episode_Reward/motion_body_position_${k}`,
    value: Math.sin(iteration * 0.01 * (k + 1)),
  }));
  iteration += 1;
  return writeSync(events, scalarsRecord(1.7e9 + iteration, iteration, scalars));
}

const record = newRecord(JOB, { kind: 'train', run: RUN, params: {} }, 1, new Date());
writeFileSync(path.join(jobFolder, 'job.json'), formatRecord({ ...record, job: { ...record.job, status: 'done' } }));
const line = `${'Mean reward:'.padStart(40)} 12.34 and other console output, about a hundred characters in all\n`;
const block = Buffer.from(line.repeat(10_000));
const log = openSync(path.join(jobFolder, 'output.log'), 'a');
for (let bytes = 0; bytes < Number(options['log-mb']) * 1e6; ) bytes += writeSync(log, block);
closeSync(log);
writeSync(events, versionRecord(1.7e9));
let eventBytes = 0;
while (eventBytes < Number(options.mb) * 1e6) eventBytes += appendIteration();

const server = await ServerProcess.start(
  [process.execPath, benchFile('../dist/cli/main.js')],
  ['--port', 0, '--workspace', workspace, '--log-level', 'warn'],
);
interface Curves {
  series: { x: number[] }[];
}
async function timed<T>(where: string): Promise<{ ms: number; body: T }> {
  const from = performance.now();
  const response = await fetch(`http://127.0.0.1:${server.port}${where}`);
  const body = (await response.json()) as T;
  if (response.status !== 200) throw new Error(`${where}: ${response.status} ${JSON.stringify(body)}`);
  return { ms: performance.now() - from, body };
}
/** Returns the CPU time of the service, s, including threads that have ended. */
function cpuS(): number {
  const text = readFileSync(`/proc/${server.pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Repeats `work` every second. @returns CPU time of the service as a share of one core */
async function share(work: () => Promise<unknown>): Promise<number> {
  const [from, cpu] = [performance.now(), cpuS()];
  while (performance.now() - from < SECONDS * 1e3) {
    const next = sleep(1000);
    await work();
    await next;
  }
  return (cpuS() - cpu) / ((performance.now() - from) / 1e3);
}

try {
  const tails: number[] = [];
  for (let k = 0; k < REPS; k += 1) tails.push((await timed(`/api/jobs/${JOB}?tail=200`)).ms);
  const before = cpuS();
  const cold = await timed<Curves>(`/api/curves?run=${RUN}`);
  if (cold.body.series.length !== TAGS) throw new Error(`${cold.body.series.length} curves instead of ${TAGS}`);
  const coldCpuS = cpuS() - before;
  const warm = await timed<Curves>(`/api/curves?run=${RUN}`);
  const idle = await share(async () => {});
  let last = iteration;
  const live = await share(async () => {
    appendIteration();
    const { body } = await timed<Curves>(`/api/curves?run=${RUN}&since=${last}`);
    const seen = body.series[0]?.x.at(-1);
    if (seen !== iteration) throw new Error(`iteration ${iteration} is not among the curves, the last is ${seen}`);
    last = iteration;
  });
  printTable(
    ['what', 'figure'],
    [
      ['end of the log, ms', median(tails)],
      ['curves, first time, ms', cold.ms],
      ['CPU of that, ms', 1e3 * coldCpuS],
      ['curves, again, ms', warm.ms],
      ['CPU idle, %', 100 * idle],
      ['CPU following, %', 100 * live],
    ],
  );
  const goals = [
    { name: 'end of the log, ms', value: median(tails), atMost: 50 },
    { name: 'curves, first time, CPU s', value: coldCpuS, atMost: 2 },
    { name: 'following, % of a core', value: 100 * Math.max(0, live - idle), atMost: 5 },
  ];
  const sizes = { events_mb: eventBytes / 1e6, log_mb: Number(options['log-mb']), tags: TAGS, iterations: iteration };
  writeResult('curves', goals, { ...sizes, cold_ms: cold.ms, warm_ms: warm.ms, idle_share: idle });
} finally {
  await server.stop();
  closeSync(events);
}
