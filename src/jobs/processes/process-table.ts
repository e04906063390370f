import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { execaSync } from 'execa';

/** Variable with the job's mark in the environment of every process: finds processes that left their group and parents. */
export const JOB_VARIABLE = 'MOTION_STUDIO_JOB';

/** A living process. */
export interface Process {
  readonly pid: number;
  /** the process group that it is in */
  readonly group: number;
}

/** The processes of this machine, as far as this user may see them. */
export interface ProcessTable {
  /** Finds the living processes whose environment carries `mark`: never this process or process 1. */
  marked(mark: string): readonly Process[];
  /** @returns null for a process that is gone, of another user, or without the mark */
  find(pid: number, mark: string): Process | null;
}

/** Linux: environments and groups from /proc. */
export const PROC_TABLE: ProcessTable = {
  marked: (mark) =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => PROC_TABLE.find(Number(name), mark))
      .filter((found) => found !== null),
  find(pid, mark) {
    if (!mayBeOurs(pid)) return null;
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      if (!variables.includes(`${JOB_VARIABLE}=${mark}`)) return null;
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The name in parentheses may hold anything, so fields are counted from its end.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' || state === 'X' ? null : { pid, group: Number(group) };
    } catch {
      return null; // Gone, or another user's.
    }
  },
};

/** A listing by `ps` is reused for this time, ms. */
const LISTING_MS = 500;
const PS_TIMEOUT_MS = 5000;

/** Systems without /proc, such as macOS: environments and groups from `ps`. Without `ps`, no process is found. */
export class PsTable implements ProcessTable {
  #listing: { readonly at: number; readonly lines: readonly string[] } | null = null;

  marked(mark: string): readonly Process[] {
    const variable = ` ${JOB_VARIABLE}=${mark} `;
    return this.#lines().flatMap((line) => {
      if (!`${line} `.includes(variable)) return [];
      const [, pid, group] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? [];
      return mayBeOurs(Number(pid)) ? [{ pid: Number(pid), group: Number(group) }] : [];
    });
  }

  find(pid: number, mark: string): Process | null {
    return this.marked(mark).find((found) => found.pid === pid) ?? null;
  }

  #lines(): readonly string[] {
    const now = performance.now();
    if (this.#listing && now - this.#listing.at < LISTING_MS) return this.#listing.lines;
    const { stdout } = execaSync('ps', ['axeww', '-o', 'pid=,pgid=,command='], {
      reject: false,
      timeout: PS_TIMEOUT_MS,
      maxBuffer: 64 << 20,
    });
    const lines = (stdout ?? '').split('\n');
    this.#listing = { at: now, lines };
    return lines;
  }
}

/** Whether this system has /proc. */
export const HAS_PROC = existsSync('/proc/self/environ');

export const SYSTEM_TABLE: ProcessTable = HAS_PROC ? PROC_TABLE : new PsTable();

/** kill(2) takes 0 and below as groups, and 1 is init: none of them belongs to a job. */
function mayBeOurs(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid;
}
