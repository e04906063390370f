/** Claim: what the gateway adds to a request is small. Server CPU per `GET /api/robot` under 64 connections is at most
 *  1.2 × a bare uWebSockets.js handler with the same body, and at most 0.8 × node:http and fastify.
 *
 *    http.bench.ts [--reps 5] [--seconds 3] [--warm 1] [--connections 64] */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { medianOf } from './harness/statistics.ts';

const { values: options } = parseArgs({
  options: {
    reps: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    warm: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
  },
});

interface Figures {
  readonly requests_per_s: number;
  readonly cpu_us: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'bench-http-'));

/** The real service. @returns its process and port */
async function startService(): Promise<{ pid: number; port: number; stop(): void }> {
  const main = benchFile('../dist/cli/main.js');
  const args = [main, '--port', '0', '--workspace', path.join(folder, 'workspace'), '--log-level', 'warn'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    const port = /listening on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return { pid: child.pid!, port: Number(port), stop: () => child.kill('SIGKILL') };
  }
  throw new Error('the service ended before it listened');
}

async function load(port: number, pid: number): Promise<Figures> {
  const { connections, warm, seconds } = options;
  const args = [port, '/api/robot', connections, warm, seconds, pid].map(String);
  const child = spawn(process.execPath, ['--import', 'tsx', benchFile('harness/http-load.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as Figures;
  throw new Error('the load ended without figures');
}

const service = await startService();
const body = await (await fetch(`http://127.0.0.1:${service.port}/api/robot`)).text();
const bodyFile = path.join(folder, 'body.json');
writeFileSync(bodyFile, body);

const baselines = [
  ['uws', 'uWebSockets.js, bare'],
  ['uws-text', 'uWebSockets.js, bare, ready text'],
  ['node', 'node:http'],
  ['fastify', 'fastify'],
] as const;
const servers = [{ name: 'product', label: 'motion-studio', pid: service.pid, port: service.port, stop: service.stop }];
for (const [name, label] of baselines) {
  const server = await ServerProcess.start(['http-baseline.ts', name, bodyFile], []);
  servers.push({ name, label, pid: server.pid, port: server.port, stop: () => void server.stop() });
}

const figures = new Map<string, Figures[]>(servers.map(({ name }) => [name, []]));
for (let rep = 0; rep < Number(options.reps); rep++) {
  const turn = rep % 2 === 0 ? servers : [...servers].reverse();
  for (const { name, port, pid } of turn) figures.get(name)!.push(await load(port, pid));
}
for (const { stop } of servers) stop();
rmSync(folder, { recursive: true, force: true });

const medians = servers.map(({ name, label }) => {
  const runs = figures.get(name)!;
  return {
    name,
    label,
    requests_per_s: medianOf(runs, (run) => run.requests_per_s),
    cpu_us: medianOf(runs, (run) => run.cpu_us),
    p50_ms: medianOf(runs, (run) => run.p50_ms),
    p99_ms: medianOf(runs, (run) => run.p99_ms),
  };
});
printTable(
  ['server', 'requests/s', 'CPU µs/request', 'p50 ms', 'p99 ms'],
  medians.map(({ label, requests_per_s, cpu_us, p50_ms, p99_ms }) => [label, requests_per_s, cpu_us, p50_ms, p99_ms]),
);
const cpu = (name: string) => medians.find((one) => one.name === name)!.cpu_us;
writeResult(
  'http',
  [
    { name: 'CPU / bare uWebSockets.js', value: cpu('product') / cpu('uws'), atMost: 1.2 },
    { name: 'CPU / bare uWebSockets.js with a ready text', value: cpu('product') / cpu('uws-text'), atMost: 1.2 },
    { name: 'CPU / node:http', value: cpu('product') / cpu('node'), atMost: 0.8 },
    { name: 'CPU / fastify', value: cpu('product') / cpu('fastify'), atMost: 0.8 },
  ],
  { connections: Number(options.connections), body_bytes: body.length, servers: medians },
);
process.exit(0);
