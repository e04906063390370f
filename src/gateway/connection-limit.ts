import { readFileSync } from 'node:fs';
import type { Logger } from '../core/logger.ts';

/** File descriptors that stay free for the service's own files, threads and trainings. */
const RESERVE = 128;
/** Connections that are allowed however few files may be open. */
const FEWEST = 16;

/** How many connections may be open: `wanted`, or what the process's limit on open files leaves. At that limit nothing
 *  could be accepted, read or started any more. Warns where it is less than `wanted`. */
export function connectionLimit(wanted: number, logger: Logger, openFiles: number | null = openFileLimit()): number {
  if (openFiles === null) return wanted;
  const limit = Math.max(FEWEST, openFiles - RESERVE);
  if (wanted <= limit) return wanted;
  logger.warn(
    `limits.connections: ${wanted} connections need ${wanted + RESERVE} open files, and this process may have ${openFiles}: ` +
      `at most ${limit} connections. Raise the limit (ulimit -n, LimitNOFILE) to allow more.`,
  );
  return limit;
}

/** Open files that this process may have; null where the system does not show it. Node raises its soft limit to the hard
 *  one at its start. */
function openFileLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null; // not Linux
    throw error;
  }
}
