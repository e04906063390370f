import type { DatasetStore } from '../../data/dataset-store.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../protocol/route.ts';
import type { listClipJoints, listClips, pickClips } from '../../protocol/routes/datasets.ts';
import type { DatasetCounts } from '../../protocol/schemas/data.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';

/** Minimum time between two events of the same kind, ms. Preview events and count events are limited separately, so
 *  clients receive at most ten events per second. */
export const STATE_EVENT_MS = 200;

export interface DataDeps {
  readonly hub: EventHub;
  robot(): RobotFacts;
  library(robot: RobotFacts): Pick<DatasetStore, 'datasets' | 'clips' | 'pick'>;
}

/** Lists datasets and clips of the selected robot. */
export class DataListing {
  readonly #deps: DataDeps;
  readonly #countsEvent: RateLimit;
  /** datasets whose clip counts have changed since the last event */
  readonly #recounted = new Set<string | null>();

  constructor(deps: DataDeps) {
    this.#deps = deps;
    this.#countsEvent = new RateLimit(STATE_EVENT_MS, () => {
      const [dataset = null] = this.#recounted.size === 1 ? this.#recounted : [];
      this.#recounted.clear();
      deps.hub.publish('data', { dataset, reason: 'counts' });
    });
  }

  async datasets(): Promise<{ robot: string; datasets: DatasetCounts[] }> {
    const robot = this.#deps.robot();
    return { robot: robot.id, datasets: await this.#deps.library(robot).datasets() };
  }

  clips(query: QueryOf<typeof listClips>): Promise<ReplyOf<typeof listClips>> {
    return this.#deps.library(this.#deps.robot()).clips(query);
  }

  pick({ dataset, minutes }: BodyOf<typeof pickClips>): Promise<ReplyOf<typeof pickClips>> {
    return this.#deps.library(this.#deps.robot()).pick(dataset, minutes);
  }

  joints(): ReplyOf<typeof listClipJoints> {
    const { joints } = this.#deps.robot();
    return { joints: joints.map(({ name, lower, upper }) => ({ name, lower, upper })) };
  }

  /** Announces that a dataset changed. If several datasets have changed since the last event, sends one event with
   *  null. */
  countsChanged(dataset: string | null): void {
    this.#recounted.add(dataset);
    this.#countsEvent.trigger();
  }
}
