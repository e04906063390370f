import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ServiceProcess, spawnCommand, spawnService } from './service-process.ts';

/** Time after SIGTERM at which a running service is killed and its test fails, ms. */
const STOP_MS = 30_000;
/** Number of log lines shown for a failed test, counted from the end. */
const LOG_LINES = 60;

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Wraps the command of the service in another program: `sh -c 'ulimit …; exec "$@"' sh`. */
  readonly through?: readonly string[];
  /** Replaces the studio's own workspace. */
  readonly workspace?: string;
}

/** A temporary folder with a workspace, and the services that a test starts. `close` ends the services and removes the
 *  folder. In vitest, use `useStudio`, which calls `close` and shows the log when a test fails. */
export class TestStudio {
  #folder: string | null = null;
  #address: string | null = null;
  readonly #services: ServiceProcess[] = [];

  /** The temporary folder, for files outside the workspace. Created on first use. */
  get folder(): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), 'motion-studio-test-'));
    return this.#folder;
  }

  /** The workspace: an empty folder until a service has started on it. */
  get workspace(): string {
    const workspace = path.join(this.folder, 'workspace');
    if (this.#services.length === 0) mkdirSync(workspace, { recursive: true });
    return workspace;
  }

  /** The service that was started last. */
  get service(): ServiceProcess {
    const service = this.#services.at(-1);
    if (service === undefined) throw new Error('no service was started');
    return service;
  }

  /** The address of the service that `start` started last. */
  get address(): string {
    if (this.#address === null) throw new Error('no service is ready');
    return this.#address;
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  /** The last lines that each service wrote to stderr. */
  get log(): string {
    return this.#services.map((service) => logOf(service)).join('\n');
  }

  /** Starts a service on the workspace and waits until it is ready. @param args in addition to `--workspace`
   *  @returns its address @throws the text of stderr if the service ends instead */
  async start(args: readonly string[] = [], options: StartOptions = {}): Promise<string> {
    this.#address = await this.spawn(args, options).ready;
    return this.#address;
  }

  /** Starts a service on the workspace without waiting. @param args in addition to `--workspace` */
  spawn(args: readonly string[] = [], { env, through, workspace }: StartOptions = {}): ServiceProcess {
    return this.#track(spawnService(['--workspace', workspace ?? this.workspace, ...args], env, through));
  }

  /** Starts a service by another command; see `spawnCommand`. */
  run(...command: Parameters<typeof spawnCommand>): ServiceProcess {
    return this.#track(spawnCommand(...command));
  }

  /** Ends the service that was started last. @returns how it ended */
  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    this.service.child.kill(signal);
    return this.service.exit;
  }

  /** Ends every service and removes the folder. @throws if a service does not end on SIGTERM */
  async close(): Promise<void> {
    const ends = await Promise.all(this.#services.map(endOf));
    this.#services.length = 0;
    this.#address = null;
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
    const hung = ends.filter((problem) => problem !== null);
    if (hung.length > 0) throw new Error(hung.join('\n'));
  }

  #track(service: ServiceProcess): ServiceProcess {
    this.#services.push(service);
    return service;
  }
}

/** Ends a service. @returns why it had to be killed; null if it ended on SIGTERM */
async function endOf(service: ServiceProcess): Promise<string | null> {
  service.child.kill('SIGTERM');
  let problem: string | null = null;
  const timer = setTimeout(() => {
    problem = `a service did not end within ${STOP_MS} ms of SIGTERM:\n${logOf(service)}`;
    service.child.kill('SIGKILL');
  }, STOP_MS);
  await service.exit;
  clearTimeout(timer);
  return problem;
}

function logOf({ child, stderr }: ServiceProcess): string {
  const state = child.exitCode ?? child.signalCode ?? 'running';
  return [`service ${child.pid} (${state}):`, ...stderr().trimEnd().split('\n').slice(-LOG_LINES)].join('\n');
}
