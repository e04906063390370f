import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { badInput, messageOf } from '../../core/errors.ts';
import { isAnyAlive, JOB_VARIABLE, signalJob } from './kill-tree.ts';
import type { JobPlace, Launcher, LaunchOrder, Sighting } from './launcher.ts';
import { isAlive, isRunnerAlive, isThisBoot, readExitRecord, readProcessRecord, STOP_FILE } from './process-record.ts';

const RUNNER = fileURLToPath(new URL('./job-runner.sh', import.meta.url));
/** A process that is gone may still be about to leave its exit record. */
const LOOKS_UNTIL_GONE = 3;

/** Detached child processes of this machine, in process groups of their own, their output straight in their log. */
export class LocalLauncher implements Launcher {
  readonly limit: number;
  readonly queues = false;
  readonly periodS = 0.5;
  readonly graceS: number;
  readonly #missing = new Map<string, number>();
  /** how a runner ended that this process has started, by job */
  readonly #runnerExits = new Map<string, { code: number | null; signal: string | null }>();
  /** jobs whose runner is gone before them: how they end nobody will note */
  readonly #orphans = new Set<string>();

  /** @param limit most jobs at once @param graceS trainers save what they have when they are asked to end */
  constructor(limit: number, graceS = 15) {
    this.limit = limit;
    this.graceS = graceS;
  }

  async start(place: JobPlace, { command, cwd, env }: LaunchOrder): Promise<void> {
    // A file descriptor, not a stream: what passes through this process would end with it.
    const log = openSync(place.log, 'a');
    // Its types know descriptors up to 9 only.
    const descriptor = log as 3;
    try {
      const child = execa('/bin/sh', [RUNNER, place.folder, ...command], {
        cwd,
        env: { ...env, [JOB_VARIABLE]: place.uuid },
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
      child.then(
        ({ exitCode, signal }) => {
          this.#runnerExits.set(place.name, { code: exitCode ?? null, signal: signal ?? null });
        },
        () => {}, // reject: false
      );
    } finally {
      closeSync(log);
    }
  }

  async look(place: JobPlace): Promise<Sighting> {
    const exit = await readExitRecord(place.folder);
    if (exit) return { ...endOf(exit.code), atMs: exit.atMs, detail: null };
    const record = await readProcessRecord(place.folder);
    if (record && isAlive(record)) {
      this.#missing.delete(place.name);
      if (!isRunnerAlive(record)) this.#orphans.add(place.name);
      return { state: 'running', pid: record.pid, detail: null };
    }
    if (record && !isThisBoot(record)) return { state: 'gone', detail: 'the machine was restarted during this job' };
    const missing = (this.#missing.get(place.name) ?? 0) + 1;
    this.#missing.set(place.name, missing);
    // A disk that is full has no room for the record.
    if (!record && missing >= LOOKS_UNTIL_GONE && isAnyAlive(place.uuid))
      return { state: 'running', pid: null, detail: null };
    if (missing < LOOKS_UNTIL_GONE) return { state: 'running', pid: record?.pid ?? null, detail: null };
    this.#missing.delete(place.name);
    const runner = this.#orphans.delete(place.name) ? undefined : this.#runnerExits.get(place.name);
    if (runner?.signal) return { state: 'ended', code: null, signal: runner.signal, atMs: null, detail: null };
    if (runner && runner.code !== null) return { ...endOf(runner.code), atMs: null, detail: null };
    const detail = record
      ? 'the process ended without an exit status: killed, or out of memory'
      : 'the process was never started: the service ended during its launch';
    return { state: 'gone', detail };
  }

  async stop(place: JobPlace, force: boolean): Promise<void> {
    await writeFile(path.join(place.folder, STOP_FILE), '').catch(() => {}); // A full disk stops no signal.
    signalJob(await readProcessRecord(place.folder), place.uuid, force ? 'SIGKILL' : 'SIGTERM');
  }
}

/** Shells tell a signal n as exit status 128 + n. */
function endOf(code: number) {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null;
  return { state: 'ended' as const, code, signal };
}
