import { startOf } from '../../core/files/pid-lock.ts';
import { isThisBoot, type ProcessRecord } from './process-record.ts';
import { HAS_PROC, type Process, type ProcessTable, SYSTEM_TABLE } from './process-table.ts';

/** Whether the command of a job, or the runner that waits for it, is alive. */
export function isAlive(record: ProcessRecord, mark: string, table: ProcessTable = SYSTEM_TABLE): boolean {
  return isRunnerAlive(record, mark, table) || provenProcess(record, record.pid, record.start, mark, table) !== null;
}

/** Whether the runner of a job is alive, which alone notes how the command ends. */
export function isRunnerAlive(record: ProcessRecord, mark: string, table: ProcessTable = SYSTEM_TABLE): boolean {
  return provenProcess(record, record.runner, record.runnerStart, mark, table) !== null;
}

/** Whether any process of a job is alive, whatever was noted of it. */
export function isAnyAlive(mark: string, table: ProcessTable = SYSTEM_TABLE): boolean {
  return table.marked(mark).length > 0;
}

/** Sends a signal to all processes of a job: the group of its runner, and whatever else carries the job's mark. A record
 *  alone proves nothing, since workspaces are copied and process ids are used again: no process without the mark is ever
 *  the target. Members of the group need none: the runner, which leads it, has proven it.
 *  @param record null where there is none  @returns how many signals were sent */
export function signalJob(
  record: ProcessRecord | null,
  mark: string,
  signal: 'SIGTERM' | 'SIGKILL',
  table: ProcessTable = SYSTEM_TABLE,
): number {
  const runner = record && provenProcess(record, record.runner, record.runnerStart, mark, table);
  // A group outlives its leader, and its number may then be another's: only a living leader proves it.
  const group = runner?.group === runner?.pid ? (runner?.pid ?? null) : null;
  const others = table.marked(mark).filter((found) => found.group !== group);
  const targets = [...(group === null ? [] : [-group]), ...others.map(({ pid }) => pid)];
  return targets.filter((target) => send(target, signal)).length;
}

/** The process that a record names, where it is that very one: started when the record says, on this boot of the machine,
 *  and carrying the job's mark. */
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
    return false; // Gone meanwhile.
  }
}
