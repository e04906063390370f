import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bytesText, countText } from '../../core/log/format-numbers.ts';
import { openFileLimit } from '../../core/open-files.ts';
import { listenError } from '../../gateway/transport/listen-error.ts';
import { loadUws } from '../../gateway/transport/uws-transport.ts';
import { KernelMemory } from '../../policy/kernels/kernels.ts';
import { loadMujoco, MUJOCO_VERSION } from '../../sim/mujoco.ts';
import type { StartOptions } from '../options.ts';
import { checkRuntime } from '../runtime-check.ts';
import { attempt, type Finding, findingsOf } from './finding.ts';

const PAGE = fileURLToPath(new URL('../../../dist/web/index.html', import.meta.url));
const REINSTALL = 'Install motion-studio again; in a clone, run npm run build.';
/** Memory that is enough for the service and one training, bytes. */
const GOOD_MEMORY = 2 * 2 ** 30;
/** Limit on open files that is enough for the default `limits.connections`. */
const GOOD_OPEN_FILES = 4096 + 128;
/** Free space on the disk of the workspace, bytes: what a start needs, and what is enough for converted clips and
 *  checkpoints. */
const START_BYTES = 16 * 2 ** 20;
const GOOD_BYTES = 2 * 2 ** 30;

const finding = findingsOf('machine');

/** Checks Node, the native and compiled parts, and the resources of this machine. */
export async function checkMachine(options: StartOptions): Promise<readonly Finding[]> {
  const parts = await Promise.all([
    attempt(
      async () => runtime(),
      (text) => finding('Node', 'error', text),
    ),
    attempt(
      () => transport(options),
      (text) => finding('transport', 'error', text, REINSTALL),
    ),
    attempt(simulation, (text) => finding('simulation', 'error', `MuJoCo does not load: ${text}`, REINSTALL)),
    attempt(
      async () => kernels(),
      (text) => finding('networks', 'error', `the network kernels do not load: ${text}`, REINSTALL),
    ),
    attempt(
      async () => [...resources(), page()],
      (text) => finding('resources', 'warning', text),
    ),
    attempt(
      () => disk(options.workspace),
      (text) => finding('disk', 'warning', text),
    ),
    attempt(
      () => port(options),
      (text) => finding('port', 'error', text),
    ),
  ]);
  return parts.flat();
}

function runtime(): readonly Finding[] {
  checkRuntime();
  return [finding('Node', 'ok', `${process.versions.node} (${process.platform} ${process.arch})`)];
}

async function transport({ transport: choice }: StartOptions): Promise<readonly Finding[]> {
  if (choice === 'node') return [finding('transport', 'ok', 'node:http, chosen by --transport')];
  const uws = await loadUws();
  if (typeof uws !== 'string') return [finding('transport', 'ok', 'uWebSockets.js')];
  const text = `uWebSockets.js does not load here: ${uws}`;
  return choice === 'uws'
    ? [finding('transport', 'error', text, 'Start with --transport node.')]
    : [finding('transport', 'note', `${text}. The service uses node:http, which takes more CPU per frame.`)];
}

async function simulation(): Promise<readonly Finding[]> {
  await loadMujoco();
  return [finding('simulation', 'ok', `MuJoCo ${MUJOCO_VERSION}, WebAssembly`)];
}

function kernels(): readonly Finding[] {
  new KernelMemory().open();
  return [finding('networks', 'ok', 'WebAssembly with SIMD')];
}

function resources(): readonly Finding[] {
  const threads = os.availableParallelism();
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
  const text = `${bytesText(memory)}, of which ${bytesText(Math.min(memory, os.freemem()))} are free`;
  const files = openFileLimit();
  return [
    threads > 1
      ? finding('processor', 'ok', `${countText(threads, 'thread')}, ${os.cpus()[0]?.model ?? 'unknown model'}`)
      : finding('processor', 'note', 'one thread: a training slows down the scene'),
    memory >= GOOD_MEMORY
      ? finding('memory', 'ok', text)
      : finding('memory', 'warning', text, `Give a machine that trains at least ${bytesText(GOOD_MEMORY)}.`),
    files === null || files >= GOOD_OPEN_FILES
      ? finding('open files', 'ok', files === null ? 'no limit is known' : `at most ${files.toLocaleString('en-US')}`)
      : finding(
          'open files',
          'note',
          `at most ${files}: fewer connections than the default of limits.connections are accepted`,
          `Raise the limit with ulimit -n ${GOOD_OPEN_FILES} or, for a service of systemd, with LimitNOFILE=${GOOD_OPEN_FILES}.`,
        ),
  ];
}

function page(): Finding {
  return existsSync(PAGE)
    ? finding('page', 'ok', 'built')
    : finding('page', 'error', 'the page is not built', 'Run npm run build, or install motion-studio again.');
}

async function disk(workspace: string): Promise<readonly Finding[]> {
  let place = workspace;
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const text = `${bytesText(free)} free at ${place}`;
  if (free >= GOOD_BYTES) return [finding('disk', 'ok', text)];
  const remedy = 'Free some space, or choose another disk with --workspace.';
  return [finding('disk', free < START_BYTES ? 'error' : 'warning', text, remedy)];
}

/** Checks whether the port is free by listening for a moment. A motion-studio service on the port is not a problem. */
async function port({ host, port: wanted }: StartOptions): Promise<readonly Finding[]> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(wanted, host, () => server.close(() => resolve(null)));
  });
  if (error === null) return [finding('port', 'ok', `${host}:${wanted} is free`)];
  if (error.code === 'EADDRINUSE' && (await isStudio(host, wanted)))
    return [finding('port', 'ok', `a motion-studio service answers at ${host}:${wanted}`)];
  throw listenError(error, host, wanted);
}

async function isStudio(host: string, wanted: number): Promise<boolean> {
  const own = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  try {
    const reply = await fetch(`http://${own.includes(':') ? `[${own}]` : own}:${wanted}/healthz`, {
      signal: AbortSignal.timeout(2000),
    });
    // A service with a token answers 401; its text names the token.
    return (await reply.text()).includes(reply.status === 401 ? 'token' : '"ok"');
  } catch {
    return false; // another program
  }
}
