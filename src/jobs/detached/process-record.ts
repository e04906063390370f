import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { bootId, startOf } from '../../core/files/pid-lock.ts';

/** Files that the runner leaves in a job's folder. */
export const PROCESS_FILE = 'proc.json';
export const EXIT_FILE = 'exit.json';
/** A job whose folder holds it does not start any more. */
export const STOP_FILE = 'stop';

/** Which processes carry a job out. Process ids are used again: the start time, in clock ticks since boot, tells. */
export interface ProcessRecord {
  readonly runner: number;
  readonly runnerStart: string;
  /** of the command itself */
  readonly pid: number;
  readonly start: string;
  readonly boot: string;
}

export interface ExitRecord {
  readonly code: number;
  /** a stop was asked for */
  readonly term: boolean;
  /** when, ms since 1970 */
  readonly atMs: number;
}

/** What the runner wrote of the processes; null where it has not, or not whole. */
export async function readProcessRecord(folder: string): Promise<ProcessRecord | null> {
  const value = await readJson(path.join(folder, PROCESS_FILE));
  const { runner, runner_start: runnerStart, pid, start, boot } = value;
  if (typeof runner !== 'number' || typeof pid !== 'number') return null;
  if (typeof runnerStart !== 'string' || typeof start !== 'string' || typeof boot !== 'string') return null;
  return { runner, runnerStart, pid, start, boot };
}

/** When the command was started, ms since 1970; null where it was not. */
export async function startedMs(folder: string): Promise<number | null> {
  return stat(path.join(folder, PROCESS_FILE)).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

/** How the command ended; null where it has not. */
export async function readExitRecord(folder: string): Promise<ExitRecord | null> {
  const file = path.join(folder, EXIT_FILE);
  const { code, term } = await readJson(file);
  if (typeof code !== 'number') return null;
  const { mtimeMs } = await stat(file);
  return { code, term: term === 1, atMs: mtimeMs };
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // Missing or half: it says nothing yet.
  }
}

/** Whether the machine is still up that the processes were started on. */
export function isThisBoot({ boot }: ProcessRecord): boolean {
  return boot === '' || boot === bootId();
}

/** Whether the command, or the runner that waits for it, is alive. */
export function isAlive(record: ProcessRecord): boolean {
  return isThisBoot(record) && (isProcess(record.pid, record.start) || isRunnerAlive(record));
}

/** Whether the runner is alive, which alone notes how the command ends. */
export function isRunnerAlive(record: ProcessRecord): boolean {
  return isThisBoot(record) && isProcess(record.runner, record.runnerStart);
}

/** Whether this very process is alive. @param start '' where the system does not tell */
export function isProcess(pid: number, start: string): boolean {
  if (start !== '') return startOf(pid) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
