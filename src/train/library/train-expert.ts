import type { Evaluation } from '../evaluate.ts';
import { WorkerGroup } from '../ppo/worker-group.ts';
import type { RankOptions } from '../rank-options.ts';
import { trainRank } from '../train-rank.ts';
import type { TrainingReport, TrainingResult } from '../training-listener.ts';
import type { LibraryRun } from './library-run.ts';

/** Share of completed episodes at which an expert is finished, if it is reached in two evaluations in a row. */
const ENOUGH = 0.98;

/** Trains one expert in this thread, from the base policy in `start`, on the library of its chunk. Saves it when it is
 *  finished.
 *  @param expert number of the expert @param onIteration called after each iteration
 *  @returns false if a stop was requested before it was finished */
export function trainExpert(
  options: Omit<RankOptions, 'listener' | 'keepStart'>,
  run: LibraryRun,
  expert: number,
  onIteration: (report: TrainingReport) => void,
): boolean {
  const stepS = options.order.config.decimation * options.order.config.sim.timestep;
  const group = new WorkerGroup(options.memory, options.rank);
  let iterations = 0;
  let complete = 0;
  let latest: Evaluation | null = null;
  let result: TrainingResult | null = null;
  trainRank({
    ...options,
    keepStart: true,
    listener: {
      baseline: () => {},
      symmetry: () => {},
      started: () => {},
      compared: () => {},
      resumed: () => {},
      checkpoint: () => {},
      iteration(report) {
        iterations += 1;
        onIteration(report);
        if (!report.evaluation) return;
        latest = report.evaluation;
        complete = report.evaluation.full >= ENOUGH ? complete + 1 : 0;
        if (complete === 2) group.requestStop();
      },
      finished(ended) {
        result = ended;
      },
    },
  });
  const { checkpoint, stopped } = result!;
  if (stopped && complete < 2) return false;
  const { meanLength = null } = (latest as Evaluation | null) ?? {};
  run.finish(expert, checkpoint, { iterations, tracked_s: meanLength === null ? null : meanLength * stepS });
  return true;
}
