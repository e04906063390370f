import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { SelectedRobot } from '../robots/selected-robot.ts';
import type { DatasetStores } from './dataset-stores.ts';

/** Maximum number of clips of a dataset that is measured automatically. Reading more files could take minutes. */
const MEASURED = 2000;
/** Delay after a change of a dataset before its length and histogram are computed again, ms. Conversions and imports
 *  change a dataset many times in a row. */
const MEASURE_MS = 1500;

export interface DatasetMeasuresDeps {
  readonly stores: DatasetStores;
  readonly selected: SelectedRobot;
  readonly logger: Logger;
  /** Called when the durations of a dataset's clips are known. */
  measured(dataset: string): void;
}

/** Measures the durations of the clips of changed datasets automatically, as a scan does on request. */
export class DatasetMeasures {
  readonly #deps: DatasetMeasuresDeps;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stop = new AbortController();

  constructor(deps: DatasetMeasuresDeps) {
    this.#deps = deps;
  }

  /** Requests a measurement of a dataset of the selected robot. The measurement starts after a short delay. */
  request(robot: string, dataset: string): void {
    if (this.#stop.signal.aborted || this.#deps.selected.facts().id !== robot) return;
    clearTimeout(this.#timers.get(dataset));
    const changed = Date.now();
    const start = () => {
      this.#timers.delete(dataset);
      this.#measure(robot, dataset, changed).catch((error: unknown) => {
        // The dataset may be deleted or unreadable by now; its listing shows that.
        this.#deps.logger.debug({ err: error }, `durations of the clips of ${dataset}: ${messageOf(error)}`);
      });
    };
    this.#timers.set(dataset, setTimeout(start, MEASURE_MS).unref());
  }

  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /** @param changed time of the change, ms since 1970: a later scan knows it already */
  async #measure(robot: string, dataset: string, changed: number): Promise<void> {
    const { stores, selected, measured } = this.#deps;
    const store = stores.of(robot);
    const counts = (await store.datasets()).find(({ name }) => name === dataset);
    const clips = counts ? counts.source + counts.extra : 0;
    if (!counts || clips === 0 || clips > MEASURED) return;
    if (counts.scan !== null && Date.parse(counts.scan.at) >= changed) return;
    await store.scan(dataset, { signal: this.#stop.signal, report: () => undefined });
    if (selected.facts().id === robot) measured(dataset);
  }
}
