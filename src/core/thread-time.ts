import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Nanoseconds that the calling thread has run, as the first number (Linux). */
const SCHEDULER = '/proc/thread-self/schedstat';

/** Returns the processor time of the calling thread, ms. Limits for work of a thread use it, so that a busy machine
 *  does not fail what a quiet one passes. Without a source of it (Node before 23.9 outside Linux), returns the time
 *  that has passed. Only differences have a meaning. */
export const threadMs: () => number = choose();

function choose(): () => number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage !== undefined)
    return () => {
      const { user, system } = threadCpuUsage.call(process);
      return (user + system) / 1e3;
    };
  const ran = () => Number(readFileSync(SCHEDULER, 'utf8').split(' ', 1)[0]) / 1e6;
  try {
    if (ran() > 0) return ran;
  } catch {
    // There is no such file outside Linux.
  }
  return () => performance.now();
}
