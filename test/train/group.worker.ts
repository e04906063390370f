import { parentPort, workerData } from 'node:worker_threads';
import { type GroupMemory, StopRequested, WorkerGroup } from '../../src/train/ppo/worker-group.ts';

/** Takes part in a group as one rank, with values that depend on the rank, and posts what it got. */
const { memory, rank, length } = workerData as { memory: GroupMemory; rank: number; length: number };
const group = new WorkerGroup(memory, rank);
const own = (turn: number) => Float64Array.from({ length }, (_, k) => 1e6 * turn + 1e5 * rank + k);
const gathered = [group.gather(own(0)), group.gather(own(1))];
const totals = group.total(own(2));
const sums = Float32Array.from({ length: memory.floats }, (_, k) => rank + k);
group.sum(sums);
if (rank === 0) group.requestStop();
group.barrier();
let stopped = false;
try {
  group.endIfStopped();
} catch (error) {
  stopped = error instanceof StopRequested;
}
parentPort!.postMessage({ gathered, totals, sums, stopped });
