import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { execaSync } from 'execa';

/** Environment variable with the job's mark. It identifies processes that left their process group and their
 *  parents. */
export const JOB_VARIABLE = 'MOTION_STUDIO_JOB';

/** A living process. */
export interface Process {
  readonly pid: number;
  /** id of its process group */
  readonly group: number;
}

/** The processes of this machine, as far as this user may see them. */
export interface ProcessTable {
  /** Finds the living processes whose environment contains `mark`, except this process and process 1. */
  marked(mark: string): readonly Process[];
  /** Finds a living process. @returns null for a process that is gone, of another user, or without the mark */
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
      // The process name in parentheses may contain any character, so count the fields from the end of the name.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' || state === 'X' ? null : { pid, group: Number(group) };
    } catch {
      return null; // The process has ended, or belongs to another user.
    }
  },
};

/** Time for which a listing of `ps` is reused, ms. */
const LISTING_MS = 500;
const PS_TIMEOUT_MS = 5000;

/** Systems without /proc, such as macOS: environments and groups from `ps`. Without `ps`, processes are not found. */
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

/** True if this system has /proc. */
export const HAS_PROC = existsSync('/proc/self/environ');

export const SYSTEM_TABLE: ProcessTable = HAS_PROC ? PROC_TABLE : new PsTable();

/** Returns false for ids that cannot belong to a job: kill(2) takes 0 and negative numbers as groups, and 1 is init. */
function mayBeOurs(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid;
}
