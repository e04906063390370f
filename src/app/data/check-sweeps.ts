import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { Slices } from '../../core/slices.ts';
import { shownFile } from '../../data/dataset.ts';
import { AS_STATED, readIn } from '../../data/dataset-file.ts';
import type { SelectedRobot } from '../robots/selected-robot.ts';
import type { ClipChecks } from './clip-checks.ts';
import type { DatasetStores } from './dataset-stores.ts';

/** Maximum number of clips that are checked automatically after a change of a dataset. Checking more clips could take
 *  hours. */
const SWEPT = 2000;
/** Delay after a change of a dataset before its clips are checked again, ms. Conversions and imports change a dataset
 *  many times in a row. */
const SWEEP_MS = 1500;

export interface CheckSweepsDeps {
  readonly checks: ClipChecks;
  readonly stores: DatasetStores;
  readonly selected: SelectedRobot;
  readonly logger: Logger;
}

/** Queues checks of the unchecked clips in changed datasets. */
export class CheckSweeps {
  readonly #deps: CheckSweepsDeps;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor(deps: CheckSweepsDeps) {
    this.#deps = deps;
  }

  /** Requests checks of a dataset of the selected robot. The checks start after a short delay.
   *  @param all true: check every clip, even in a dataset with more than `SWEPT` clips */
  request(robot: string, dataset: string, all = false): void {
    if (this.#closed || this.#deps.selected.facts().id !== robot) return;
    clearTimeout(this.#timers.get(dataset));
    const start = () => {
      this.#timers.delete(dataset);
      this.#sweep(robot, dataset, all ? Number.POSITIVE_INFINITY : SWEPT).catch((error: unknown) => {
        // The dataset may be deleted or unreadable by now; its listing shows that.
        this.#deps.logger.debug({ err: error }, `checks of ${dataset}: ${messageOf(error)}`);
      });
    };
    this.#timers.set(dataset, setTimeout(start, SWEEP_MS).unref());
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #sweep(robot: string, dataset: string, limit: number): Promise<void> {
    const { checks, stores } = this.#deps;
    const { entries, defaults } = await stores.of(robot).conversionSource(dataset);
    const slices = new Slices();
    let queued = 0;
    for (const entry of entries) {
      if (slices.due()) await slices.rest();
      if (this.#closed || queued >= Math.min(limit, checks.capacity)) return;
      const file = shownFile(entry);
      const read = file?.format.raw ? readIn(defaults) : AS_STATED;
      if (file && checks.queueUnchecked(robot, dataset, file, read)) queued += 1;
    }
  }
}
