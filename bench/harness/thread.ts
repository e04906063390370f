import { Worker } from 'node:worker_threads';
import { benchFile } from './server-process.ts';

/** Starts a thread from a `.ts` file of the bench folder. Each thread must register tsx itself. */
export function startThread(file: string, workerData: unknown): Worker {
  const code = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register();`;
  return new Worker(benchFile(file), {
    workerData,
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(code)}`],
  });
}
