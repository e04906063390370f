import { readdirSync, readFileSync } from 'node:fs';

/** Returns the CPU time of all threads of a process as counted by the scheduler, s. Threads that have ended are not
 *  included. */
export function processCpuS(pid: number): number {
  let s = 0;
  for (const own of threadsCpuS(pid).values()) s += own;
  return s;
}

/** Returns the CPU time of each living thread of a process by its id, s. */
export function threadsCpuS(pid: number): Map<string, number> {
  const tasks = `/proc/${pid}/task`;
  return new Map(
    readdirSync(tasks).map((task) => [
      task,
      Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9,
    ]),
  );
}

/** CPU time of the calling thread, s. */
export function threadCpuS(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e9;
}
