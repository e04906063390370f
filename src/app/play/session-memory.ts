import os from 'node:os';
import { badInput } from '../../core/errors.ts';

const MIB = 2 ** 20;
/** Memory reserved for the service and other programs. */
const RESERVE_BYTES = 256 * MIB;

/** Returns the number of bytes that a session may still use. */
function freeBytes(): number {
  // availableMemory respects the limits of a container; freemem counts only unused memory.
  const available = (process as { availableMemory?: () => number }).availableMemory?.() ?? os.freemem();
  return Math.max(0, available - RESERVE_BYTES);
}

/** @param bytes that all records together still need, including the new one
 *  @throws bad_input with the needed and the free memory */
export function checkRecordMemory(field: string, env: number, bytes: number, free = freeBytes()): void {
  if (bytes <= free) return;
  throw badInput(
    `${field}: recording environment ${env} needs ${Math.ceil(bytes / MIB)} MiB of memory, but ${Math.floor(free / MIB)} MiB are free. Start a new session to free the existing records.`,
  );
}

/** @param field the request's field to blame  @throws bad_input with the needed and the free memory */
export function checkMemory(numEnvs: number, bytes: number, field = 'num_envs'): void {
  const free = freeBytes();
  if (bytes <= free) return;
  throw badInput(
    `${field}: ${numEnvs} environments need about ${Math.ceil(bytes / MIB)} MiB of memory, but ${Math.floor(free / MIB)} MiB are free. Use fewer environments.`,
  );
}
