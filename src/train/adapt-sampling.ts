import type { AdaptiveSampling } from '../mdp/command/adaptive-sampling.ts';
import type { WorkerGroup } from './ppo/worker-group.ts';

/** Updates the failure levels for sampling of this thread's environments with the failure counts of all threads. */
export function adaptSampling(sampling: AdaptiveSampling, group: WorkerGroup): void {
  const { failures, episodes } = sampling.counts;
  const bins = failures.length;
  const summed = { failures: new Int32Array(bins), episodes: new Int32Array(bins) };
  const own = new Float64Array(2 * bins);
  own.set(failures);
  own.set(episodes, bins);
  for (const given of group.gather(own)) {
    for (let bin = 0; bin < bins; bin++) {
      summed.failures[bin]! += given[bin]!;
      summed.episodes[bin]! += given[bins + bin]!;
    }
  }
  sampling.adapt(summed);
}
