import { stat } from 'node:fs/promises';
import path from 'node:path';
import { bootId } from '../../core/files/pid-lock.ts';
import { readRegularFile } from '../../core/files/read-regular-file.ts';
import { HAS_PROC } from './process-table.ts';

/** Files that the runner writes to a job's folder. */
export const PROCESS_FILE = 'proc.json';
export const EXIT_FILE = 'exit.json';

/** Maximum size of a file that is read, bytes. The runner writes less than 200 bytes. */
const MAX_BYTES = 4096;
const MAX_PID = 2 ** 31 - 1;
const MAX_STATUS = 255;
const START = /^\d{1,20}$/;
const BOOT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The processes of a job, as its runner recorded them. The record does not prove that these processes belong to the
 *  job, because workspaces are copied and process ids are reused. */
export interface ProcessRecord {
  readonly runner: number;
  /** start of the runner, clock ticks since boot; '' on systems without /proc */
  readonly runnerStart: string;
  /** process id of the command */
  readonly pid: number;
  readonly start: string;
  /** id of the boot; '' on systems without /proc */
  readonly boot: string;
}

export interface ExitRecord {
  readonly code: number;
  /** whether a stop was requested */
  readonly term: boolean;
  /** end of the command, ms since 1970 */
  readonly atMs: number;
}

/** Reads the runner's record of the processes. Returns `none` if it is missing, and `foreign` if a runner on this kind
 *  of system cannot have written it. In both cases the processes of the job are unknown. */
export async function readProcessRecord(folder: string): Promise<ProcessRecord | 'none' | 'foreign'> {
  const text = await readText(path.join(folder, PROCESS_FILE));
  return text === null ? 'none' : (parseProcessRecord(text) ?? 'foreign');
}

/** Parses `proc.json`. Process ids must be above 1: kill(2) takes 0 and negative numbers as process groups or all
 *  processes, and 1 is init.
 *  @param hasProc whether this system has /proc, which makes start times and boot required
 *  @returns null for any other text */
export function parseProcessRecord(text: string, hasProc: boolean = HAS_PROC): ProcessRecord | null {
  const { runner, runner_start: runnerStart, pid, start, boot } = parseObject(text);
  if (!isPid(runner) || !isPid(pid)) return null;
  if (typeof runnerStart !== 'string' || typeof start !== 'string' || typeof boot !== 'string') return null;
  const fits = hasProc
    ? START.test(runnerStart) && START.test(start) && BOOT.test(boot)
    : runnerStart === '' && start === '' && boot === '';
  return fits ? { runner, runnerStart, pid, start, boot } : null;
}

/** Returns the start of the command, ms since 1970, or null if it was not started. */
export async function startedMs(folder: string): Promise<number | null> {
  return stat(path.join(folder, PROCESS_FILE)).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

/** Reads how the command ended. Returns null if it has not ended. */
export async function readExitRecord(folder: string): Promise<ExitRecord | null> {
  const file = path.join(folder, EXIT_FILE);
  const { code, term } = parseObject((await readText(file)) ?? '');
  if (!Number.isInteger(code) || (code as number) < 0 || (code as number) > MAX_STATUS) return null;
  const { mtimeMs } = await stat(file);
  return { code: code as number, term: term === 1, atMs: mtimeMs };
}

/** Returns true if the machine has not been restarted since the processes were started. */
export function isThisBoot({ boot }: ProcessRecord): boolean {
  return boot === (bootId() ?? '');
}

/** @returns null for a missing file; '' for a file that cannot be from a runner */
async function readText(file: string): Promise<string | null> {
  try {
    return (await readRegularFile(file, MAX_BYTES)).toString('utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : '';
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // The text is not a record.
  }
}

function isPid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 1 && (value as number) <= MAX_PID;
}
