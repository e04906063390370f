import { readdirSync, readFileSync } from 'node:fs';

/** Returns the CPU time of all threads of a process as counted by the scheduler, s. Threads that have ended are not
 *  included. */
export function processCpuS(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  let ns = 0;
  for (const task of readdirSync(tasks)) ns += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
  return ns / 1e9;
}

/** CPU time of the calling thread, s. */
export function threadCpuS(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e9;
}
