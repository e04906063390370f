import type { ResourceLimits } from 'node:worker_threads';

/** Largest JS heap of a thread, MiB. What holds motions and weights lies outside of it and is bounded where it is read; so
 *  are long lists, which V8 cannot refuse: one that does not fit ends the whole process, not the thread. Readers take at
 *  most half of it. */
export const HEAP_MIB = 768;

/** Limits of a thread's memory, as `new Worker` takes them. V8 would let each thread take a quarter of the machine's. */
export function heapLimits(mib: number = HEAP_MIB): ResourceLimits {
  return { maxOldGenerationSizeMb: mib };
}

/** Whether a thread ended because its JS heap was full. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
