import { readFileSync } from 'node:fs';

/** Returns the limit on open files of this process; null if the system does not report it. Node raises the soft limit
 *  to the hard limit when it starts. */
export function openFileLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null; // not Linux
    throw error;
  }
}
