import { startOf } from '../../core/files/pid-lock.ts';
import { isThisBoot, type ProcessRecord } from './process-record.ts';
import { HAS_PROC, type Process, type ProcessTable, SYSTEM_TABLE } from './process-table.ts';

/** Returns true if the command of a job, or the runner that waits for it, is alive. */
export function isAlive(record: ProcessRecord, mark: string, table: ProcessTable = SYSTEM_TABLE): boolean {
  return isRunnerAlive(record, mark, table) || provenProcess(record, record.pid, record.start, mark, table) !== null;
}

/** Returns true if the runner of a job is alive. Only the runner records how the command ends. */
export function isRunnerAlive(record: ProcessRecord, mark: string, table: ProcessTable = SYSTEM_TABLE): boolean {
  return provenProcess(record, record.runner, record.runnerStart, mark, table) !== null;
}

/** Returns true if any process of a job is alive, with or without a record of it. */
export function isAnyAlive(mark: string, table: ProcessTable = SYSTEM_TABLE): boolean {
  return table.marked(mark).length > 0;
}

/** Sends a signal to all processes of a job: the process group of its runner, and all other processes with the job's
 *  mark. A record alone does not prove that a process belongs to the job, because workspaces are copied and process ids
 *  are reused. Therefore processes without the mark are never signalled, except members of a group whose leader, the
 *  runner, has the mark.
 *  @param record null if it is missing  @returns the number of signals sent */
export function signalJob(
  record: ProcessRecord | null,
  mark: string,
  signal: 'SIGTERM' | 'SIGKILL',
  table: ProcessTable = SYSTEM_TABLE,
): number {
  const runner = record && provenProcess(record, record.runner, record.runnerStart, mark, table);
  // A group id may be reused after its leader has ended, so only a living leader identifies the group.
  const group = runner?.group === runner?.pid ? (runner?.pid ?? null) : null;
  const others = table.marked(mark).filter((found) => found.group !== group);
  const targets = [...(group === null ? [] : [-group]), ...others.map(({ pid }) => pid)];
  return targets.filter((target) => send(target, signal)).length;
}

/** Returns the process that a record names if it is still the same process: with the recorded start time, on the same
 *  boot of the machine, and with the job's mark. Otherwise returns null. */
function provenProcess(
  record: ProcessRecord,
  pid: number,
  start: string,
  mark: string,
  table: ProcessTable,
): Process | null {
  if (!isThisBoot(record) || (HAS_PROC && startOf(pid) !== start)) return null;
  return table.find(pid, mark);
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false; // The process has ended in the meantime.
  }
}
