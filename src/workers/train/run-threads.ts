import { Worker } from 'node:worker_threads';
import { messageOf } from '../../core/errors.ts';
import type { ThreadEntry } from '../thread-entry.ts';
import { HEAP_MIB, heapLimits, isOutOfMemory } from '../thread-memory.ts';

/** Runs threads until all have ended.
 *  @param datas `workerData` of each thread  @param onMessage called with the messages of all threads
 *  @throws Error with the reason if a thread crashes; the other threads are then terminated, because they would wait
 *  for it */
export async function runThreads<Message>(
  { url, execArgv }: ThreadEntry,
  datas: readonly unknown[],
  onMessage: (message: Message) => void,
): Promise<void> {
  const workers: Worker[] = [];
  try {
    await Promise.all(
      datas.map((workerData, k) => {
        const worker = new Worker(url, { execArgv, workerData, resourceLimits: heapLimits() });
        workers.push(worker);
        return new Promise<void>((resolve, reject) => {
          worker.once('error', reject);
          worker.on('message', onMessage);
          worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`thread ${k} ended with ${code}`))));
        });
      }),
    );
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.terminate()));
    const why = isOutOfMemory(error)
      ? `a thread needs more than ${HEAP_MIB} MiB of memory, which is the limit. Use fewer environments.`
      : messageOf(error);
    throw new Error(`the training ended: ${why}`, { cause: error });
  }
}
