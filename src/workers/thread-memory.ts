import type { ResourceLimits } from 'node:worker_threads';

/** Largest JS heap of a thread, MiB. Motions and weights are outside the heap; their readers limit them. Readers also
 *  limit long lists to half of the heap: a list that does not fit into the heap ends the whole process, not only the
 *  thread. */
export const HEAP_MIB = 768;

/** Memory limits for `new Worker`. The default of V8 is a quarter of the machine's memory for each thread. */
export function heapLimits(mib: number = HEAP_MIB): ResourceLimits {
  return { maxOldGenerationSizeMb: mib };
}

/** Whether a thread ended because its JS heap reached the limit. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
