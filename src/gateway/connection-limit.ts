import type { Logger } from '../core/logger.ts';
import { openFileLimit } from '../core/open-files.ts';

/** File descriptors reserved for files, threads and trainings of the service. */
const RESERVE = 128;
/** Number of connections that is always allowed, however low the limit on open files is. */
const FEWEST = 16;

/** Returns the number of connections to accept: `wanted`, or fewer if the limit on open files is too low. A process
 *  that has reached the limit on open files cannot accept connections, read files or start processes. Logs a warning if
 *  the result is less than `wanted`. */
export function connectionLimit(wanted: number, logger: Logger, openFiles: number | null = openFileLimit()): number {
  if (openFiles === null) return wanted;
  const limit = Math.max(FEWEST, openFiles - RESERVE);
  if (wanted <= limit) return wanted;
  logger.warn(
    `limits.connections: ${wanted} connections need ${wanted + RESERVE} open files, but the limit of this process is ${openFiles}. ` +
      `Accepting at most ${limit} connections. Raise the limit with ulimit -n or LimitNOFILE.`,
  );
  return limit;
}
