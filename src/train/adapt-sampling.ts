import type { AdaptiveSampling } from '../mdp/command/adaptive-sampling.ts';
import type { WorkerGroup } from './ppo/worker-group.ts';

/** Updates the failure levels for sampling of this thread's environments with the failure counts of all threads. */
export function adaptSampling(sampling: AdaptiveSampling, group: WorkerGroup): void {
  const { failures, episodes } = sampling.counts;
  const bins = failures.length;
  const own = new Float64Array(2 * bins);
  own.set(failures);
  own.set(episodes, bins);
  const all = group.total(own);
  sampling.adapt({ failures: Int32Array.from(all.subarray(0, bins)), episodes: Int32Array.from(all.subarray(bins)) });
}
