import { readdirSync, readFileSync } from 'node:fs';
import treeKill from 'tree-kill';
import { isProcess, isThisBoot, type ProcessRecord } from './process-record.ts';

/** Every process of a job carries this variable, so that one that left its group and its parents is found. */
export const JOB_VARIABLE = 'MOTION_STUDIO_JOB';

/** Sends a signal to all processes of a job: the group of its runner and whatever carries the job's mark.
 *  @param uuid the mark @returns how many processes it found */
export function signalJob(record: ProcessRecord | null, uuid: string, signal: 'SIGTERM' | 'SIGKILL'): number {
  const marked = markedProcesses(uuid);
  if (record === null || !isThisBoot(record)) return sendAll(marked ?? [], signal);
  const leads = isProcess(record.runner, record.runnerStart);
  if (marked === null) {
    // No /proc: the tree by parents is all there is to go by.
    if (!leads) return 0;
    treeKill(record.runner, signal);
    return 1;
  }
  // A group outlives its leader, and its number may then be another's: only a living leader proves it.
  if (leads) send(-record.runner, signal);
  const others = leads ? marked.filter((pid) => !inGroup(pid, record.runner)) : marked;
  return sendAll(others, signal) + (leads ? 1 : 0);
}

/** Whether any process of a job is alive; false where the system does not show it. */
export function isAnyAlive(uuid: string): boolean {
  return (markedProcesses(uuid)?.length ?? 0) > 0;
}

/** Processes whose environment carries the mark; null where the system does not show it. */
function markedProcesses(uuid: string): number[] | null {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return null;
  }
  const mark = Buffer.from(`${JOB_VARIABLE}=${uuid}\0`);
  return names.filter((name) => /^\d+$/.test(name) && holdsMark(name, mark)).map(Number);
}

function holdsMark(pid: string, mark: Buffer): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false; // Gone, or another user's.
  }
}

function inGroup(pid: number, group: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[2]) === group;
  } catch {
    return false;
  }
}

function sendAll(pids: readonly number[], signal: NodeJS.Signals): number {
  return pids.filter((pid) => send(pid, signal)).length;
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // Gone meanwhile.
  }
}
