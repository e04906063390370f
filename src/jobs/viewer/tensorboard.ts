import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const LEASHED = fileURLToPath(new URL('./end-with-parent.sh', import.meta.url));
/** Maximum time until the first answer, ms. TensorBoard loads much Python code before it answers. */
const START_MS = 20_000;
const POLL_MS = 150;
/** Time after which a missing program is searched for again, ms. */
const RETRY_MS = 60_000;
const NOT_FOUND = 127;
/** Number of characters kept of the program's last output. */
const SAID = 500;

export interface TensorboardOptions {
  /** name of the program, searched in `PATH` */
  readonly program?: string;
  /** `<workspace>/logs/rsl_rl` */
  readonly logdir: string;
  readonly onStart: (address: string) => void;
  /** environment of the process, without the service's secrets */
  readonly environment: Readonly<Record<string, string>>;
  readonly onError: (message: string) => void;
}

/** Runs TensorBoard for all runs. It is started at the first request, on a free port of the loopback interface. It ends
 *  with this process, even if this process is killed. */
export class Tensorboard {
  readonly #options: TensorboardOptions;
  #process: { end(): void; readonly ended: Promise<unknown> } | null = null;
  #address: Promise<string | null> | null = null;
  #missingSince = -Infinity;
  #closed = false;

  constructor(options: TensorboardOptions) {
    this.#options = options;
  }

  /** Whether the TensorBoard process is running. */
  get running(): boolean {
    return this.#process !== null;
  }

  /** Returns the address, `http://127.0.0.1:<port>`, or null if TensorBoard is not installed or does not start. */
  address(): Promise<string | null> {
    if (this.#closed || performance.now() - this.#missingSince < RETRY_MS) return Promise.resolve(null);
    this.#address ??= this.#start();
    return this.#address;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#process;
    running?.end();
    await running?.ended;
  }

  async #start(): Promise<string | null> {
    const { program = 'tensorboard', logdir, environment, onStart, onError } = this.#options;
    const port = await freePort();
    const arguments_ = ['--logdir', logdir, '--host', '127.0.0.1', '--port', String(port)];
    const running = execa('/bin/sh', [LEASHED, program, ...arguments_], {
      env: environment,
      extendEnv: false,
      reject: false,
      stdin: 'pipe',
      stdout: 'ignore',
      stderr: 'pipe',
      buffer: false,
      forceKillAfterDelay: 2000,
    });
    let said = '';
    running.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-SAID);
    });
    let over = false;
    const silent = once(running.stderr, 'close');
    const ended = running.then(async ({ exitCode }) => {
      over = true;
      this.#process = null;
      this.#address = null;
      if (this.#closed) return;
      this.#missingSince = performance.now();
      // The last output may arrive after the exit.
      await Promise.race([silent, sleep(POLL_MS)]);
      if (exitCode !== NOT_FOUND) onError(`tensorboard ended with exit status ${exitCode}: ${said.trim()}`);
    });
    this.#process = { end: () => running.kill('SIGTERM'), ended };
    const address = `http://127.0.0.1:${port}`;
    const untilMs = performance.now() + START_MS;
    while (!over && performance.now() < untilMs) {
      if (await answers(address)) {
        if (over) return null;
        onStart(address);
        return address;
      }
      await Promise.race([sleep(POLL_MS), ended]);
    }
    if (!over) {
      onError(`tensorboard did not answer within ${START_MS / 1e3} s`);
      running.kill('SIGTERM');
    }
    return null;
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false; // not up yet
  }
}

/** Finds a free port of the loopback interface. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
