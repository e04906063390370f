import { stat } from 'node:fs/promises';
import path from 'node:path';
import { bootId } from '../../core/files/pid-lock.ts';
import { readRegularFile } from '../../core/files/read-regular-file.ts';
import { HAS_PROC } from './process-table.ts';

/** Files that the runner leaves in a job's folder. */
export const PROCESS_FILE = 'proc.json';
export const EXIT_FILE = 'exit.json';

/** The runner writes less than 200 bytes. */
const MAX_BYTES = 4096;
const MAX_PID = 2 ** 31 - 1;
const MAX_STATUS = 255;
const START = /^\d{1,20}$/;
const BOOT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Which processes carry a job out, as its runner noted it. Workspaces are copied and process ids are used again, so this
 *  names processes; it proves nothing about them. */
export interface ProcessRecord {
  readonly runner: number;
  /** clock ticks since boot; '' on systems without /proc */
  readonly runnerStart: string;
  /** of the command itself */
  readonly pid: number;
  readonly start: string;
  /** of the machine's present run; '' on systems without /proc */
  readonly boot: string;
}

export interface ExitRecord {
  readonly code: number;
  /** a stop was asked for */
  readonly term: boolean;
  /** when, ms since 1970 */
  readonly atMs: number;
}

/** What the runner wrote of the processes. `none`: nothing yet. `foreign`: not written by a runner on this kind of
 *  system, so no process is the job's. */
export async function readProcessRecord(folder: string): Promise<ProcessRecord | 'none' | 'foreign'> {
  const text = await readText(path.join(folder, PROCESS_FILE));
  return text === null ? 'none' : (parseProcessRecord(text) ?? 'foreign');
}

/** Reads `proc.json`. Process ids are integers above 1: kill(2) takes 0, 1 and below for groups and for everything.
 *  @param hasProc whether this system has /proc, and start times and the boot are needed  @returns null for any other text */
export function parseProcessRecord(text: string, hasProc: boolean = HAS_PROC): ProcessRecord | null {
  const { runner, runner_start: runnerStart, pid, start, boot } = parseObject(text);
  if (!isPid(runner) || !isPid(pid)) return null;
  if (typeof runnerStart !== 'string' || typeof start !== 'string' || typeof boot !== 'string') return null;
  const fits = hasProc
    ? START.test(runnerStart) && START.test(start) && BOOT.test(boot)
    : runnerStart === '' && start === '' && boot === '';
  return fits ? { runner, runnerStart, pid, start, boot } : null;
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
  const { code, term } = parseObject((await readText(file)) ?? '');
  if (!Number.isInteger(code) || (code as number) < 0 || (code as number) > MAX_STATUS) return null;
  const { mtimeMs } = await stat(file);
  return { code: code as number, term: term === 1, atMs: mtimeMs };
}

/** Whether the machine is still up that the processes were started on. */
export function isThisBoot({ boot }: ProcessRecord): boolean {
  return boot === (bootId() ?? '');
}

/** @returns null for a missing file; '' for one that no runner wrote */
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
    return {}; // Not a record.
  }
}

function isPid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 1 && (value as number) <= MAX_PID;
}
