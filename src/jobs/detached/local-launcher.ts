import { closeSync, constants as files } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { badInput, messageOf } from '../../core/errors.ts';
import { openRegularFileSync } from '../../core/files/read-regular-file.ts';
import { isAlive, isAnyAlive, isRunnerAlive, signalJob } from '../processes/job-processes.ts';
import { isThisBoot, readExitRecord, readProcessRecord } from '../processes/process-record.ts';
import { JOB_VARIABLE } from '../processes/process-table.ts';
import { clearRunnerFiles, leaveStopFile } from '../processes/runner-files.ts';
import type { JobPlace } from './job-place.ts';
import type { Launcher, LaunchOrder, Sighting } from './launcher.ts';

const RUNNER = fileURLToPath(new URL('./job-runner.sh', import.meta.url));
/** Number of observations without a living process after which the job is considered ended. The exit record may appear
 *  late. */
const LOOKS_UNTIL_GONE = 3;
const GONE = {
  known: 'the process ended without an exit status: it was killed, or memory ran out',
  none: 'the process was never started: the service ended during its launch',
  foreign: 'its proc.json was not written on this machine, so its process may be running on another machine',
} as const;

/** Runs jobs as detached child processes on this machine. Each job has its own process group and writes its output
 *  directly to its log. */
export class LocalLauncher implements Launcher {
  readonly kind: string = 'local';
  readonly label: string = 'This machine';
  readonly limit: number;
  readonly queues = false;
  readonly periodS = 0.5;
  readonly graceS: number;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #missing = new Map<string, number>();
  /** jobs whose runner was started by this process and has not ended yet */
  readonly #children = new Set<string>();
  /** exit of each runner that this process has started, by job */
  readonly #runnerExits = new Map<string, { code: number | null; signal: string | null }>();
  /** jobs whose runner ended before the command, so that the exit of the command is not recorded */
  readonly #orphans = new Set<string>();

  /** @param limit most jobs at once  @param environment of every job, without the service's secrets
   *  @param graceS time to end after a stop, s, in which trainers save a checkpoint */
  constructor(limit: number, environment: Readonly<Record<string, string>>, graceS = 15) {
    this.limit = limit;
    this.#environment = environment;
    this.graceS = graceS;
  }

  async start(place: JobPlace, { command, cwd, env }: LaunchOrder): Promise<void> {
    await clearRunnerFiles(place.folder);
    // Use a file descriptor, not a stream: a stream through this process would end together with it.
    const log = openRegularFileSync(place.log, {}, files.O_APPEND | files.O_CREAT | files.O_WRONLY);
    // execa's types accept only descriptors up to 9.
    const descriptor = log as 3;
    try {
      const child = execa('/bin/sh', [RUNNER, place.folder, ...command], {
        cwd,
        env: { ...this.#environment, ...env, [JOB_VARIABLE]: place.mark },
        extendEnv: false,
        detached: true,
        cleanup: false,
        buffer: false,
        stdin: 'ignore',
        stdout: descriptor,
        stderr: descriptor,
        reject: false,
      });
      child.unref();
      if (child.pid === undefined) {
        const result = await child;
        throw badInput(`trainer: ${command[0]} could not be started: ${messageOf(result)}`);
      }
      this.#children.add(place.name);
      child.then(
        ({ exitCode, signal }) => {
          this.#children.delete(place.name);
          this.#runnerExits.set(place.name, { code: exitCode ?? null, signal: signal ?? null });
        },
        () => {}, // does not reject, because of `reject: false`
      );
    } finally {
      closeSync(log);
    }
  }

  async look(place: JobPlace): Promise<Sighting> {
    const exit = await readExitRecord(place.folder);
    if (exit) return { ...endOf(exit.code), atMs: exit.atMs, detail: null };
    const found = await readProcessRecord(place.folder);
    const record = typeof found === 'object' ? found : null;
    if (record && isAlive(record, place.mark)) {
      this.#missing.delete(place.name);
      if (!isRunnerAlive(record, place.mark)) this.#orphans.add(place.name);
      return { state: 'running', pid: record.pid, detail: null };
    }
    if (record && !isThisBoot(record))
      return {
        state: 'gone',
        detail: 'the machine was restarted during this job, or the workspace was copied from another machine',
      };
    const missing = (this.#missing.get(place.name) ?? 0) + 1;
    this.#missing.set(place.name, missing);
    // On a full disk the record is missing although the processes are running.
    if (!record && missing >= LOOKS_UNTIL_GONE && isAnyAlive(place.mark))
      return { state: 'running', pid: null, detail: null };
    // A runner may disappear from /proc a moment before this process is notified of its exit.
    if (missing < LOOKS_UNTIL_GONE || this.#children.has(place.name))
      return { state: 'running', pid: record?.pid ?? null, detail: null };
    this.#missing.delete(place.name);
    const runner = this.#orphans.delete(place.name) ? undefined : this.#runnerExits.get(place.name);
    if (runner?.signal) return { state: 'ended', code: null, signal: runner.signal, atMs: null, detail: null };
    if (runner && runner.code !== null) return { ...endOf(runner.code), atMs: null, detail: null };
    return { state: 'gone', detail: GONE[record ? 'known' : (found as 'none' | 'foreign')] };
  }

  async stop(place: JobPlace, force: boolean): Promise<void> {
    await leaveStopFile(place.folder);
    const found = await readProcessRecord(place.folder);
    signalJob(typeof found === 'object' ? found : null, place.mark, force ? 'SIGKILL' : 'SIGTERM');
  }
}

/** Interprets an exit status. Shells report signal n as exit status 128 + n. */
function endOf(code: number) {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null;
  return { state: 'ended' as const, code, signal };
}
