import type { QueryOf, ReplyOf } from '../../protocol/route.ts';
import type { listClipJoints, listClips } from '../../protocol/routes/datasets.ts';
import type { DatasetCounts } from '../../protocol/schemas/data.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';
import type { ClipLibrary } from './clip-library.ts';

/** Least time between two events, ms, for the preview and for counts separately: together at most ten per second. */
export const STATE_EVENT_MS = 200;

export interface DataDeps {
  readonly hub: EventHub;
  robot(): RobotFacts;
  library(robot: RobotFacts): ClipLibrary;
}

/** Lists datasets and clips of the selected robot. */
export class DataListing {
  readonly #deps: DataDeps;
  readonly #countsEvent: RateLimit;
  /** datasets whose counts changed since the last event */
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

  joints(): ReplyOf<typeof listClipJoints> {
    const { joints } = this.#deps.robot();
    return { joints: joints.map(({ name, lower, upper }) => ({ name, lower, upper })) };
  }

  /** Announces that a dataset changed. Changes of several datasets at once are announced as one with null. */
  countsChanged(dataset: string | null): void {
    this.#recounted.add(dataset);
    this.#countsEvent.trigger();
  }
}
