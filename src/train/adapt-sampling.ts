import type { AdaptiveSampling } from '../mdp/command/adaptive-sampling.ts';
import { GATHERED_DOUBLES, type WorkerGroup } from './ppo/worker-group.ts';

/** Updates the failure levels for sampling of this thread's environments with the failure counts of all threads. */
export function adaptSampling(sampling: AdaptiveSampling, group: WorkerGroup): void {
  const { failures, episodes } = sampling.counts;
  const bins = failures.length;
  const summed = { failures: new Int32Array(bins), episodes: new Int32Array(bins) };
  const part = Math.floor(GATHERED_DOUBLES / 2);
  for (let from = 0; from < bins; from += part) {
    const to = Math.min(bins, from + part);
    const own = Float64Array.from([...failures.subarray(from, to), ...episodes.subarray(from, to)]);
    for (const given of group.gather(own)) {
      for (let k = 0; k < to - from; k++) {
        summed.failures[from + k]! += given[k]!;
        summed.episodes[from + k]! += given[to - from + k]!;
      }
    }
  }
  sampling.adapt(summed);
}
