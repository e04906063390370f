import { parentPort, workerData } from 'node:worker_threads';
import { type TrackingParts, trackingEnvironments } from './tracking.ts';

/** A thread with environments. Steps them for the requested number of seconds and reports environment steps per
 *  second. */
const { parts, place } = workerData as {
  readonly parts: TrackingParts;
  readonly place: { readonly n: number; readonly firstEnv: number; readonly total: number };
};
const port = parentPort!;
const envs = await trackingEnvironments(parts, place);
const actions = new Float32Array(envs.n * envs.actionDim);
port.on('message', (seconds: number) => {
  const start = performance.now();
  let steps = 0;
  while (performance.now() - start < 1e3 * seconds) {
    envs.step(actions);
    steps++;
  }
  port.postMessage((steps * envs.n) / ((performance.now() - start) / 1e3));
});
port.postMessage(0);
