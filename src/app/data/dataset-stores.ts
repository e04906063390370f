import path from 'node:path';
import { type ClipFacts, unreadableFacts } from '../../data/clip/clip-facts.ts';
import { DatasetStore } from '../../data/dataset-store.ts';
import type { ClipIndex } from '../../data/index/clip-index.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { TaskLimitError } from '../../workers/pool/pool.ts';
import { type AppContext, logWatchErrors } from '../app-context.ts';
import type { ClipChecks } from './clip-checks.ts';
import { columnsOf } from './clip-columns.ts';

/** Holds the dataset stores of all robots: one store per robot, created on first use. */
export class DatasetStores {
  readonly #context: AppContext;
  readonly #index: ClipIndex;
  readonly #checks: ClipChecks;
  readonly #stores = new Map<string, DatasetStore>();

  constructor(context: AppContext, index: ClipIndex, checks: ClipChecks) {
    this.#context = context;
    this.#index = index;
    this.#checks = checks;
  }

  /** @param robot id */
  of(robot: string): DatasetStore {
    const known = this.#stores.get(robot);
    if (known) return known;
    const store = this.#create(robot);
    this.#stores.set(robot, store);
    return store;
  }

  /** Returns the store of a compiled robot. Clips with a different number of columns are then listed with an error. */
  ofRobot(facts: RobotFacts): DatasetStore {
    const store = this.of(facts.id);
    store.expectColumns(columnsOf(facts));
    return store;
  }

  /** Marks the datasets in a changed folder below `data/` as possibly changed. */
  changedOnDisk(folder: string): void {
    const [robot] = path.relative(this.#context.places.data, folder).split(path.sep);
    if (robot) this.#stores.get(robot)?.markDirty(folder);
  }

  close(): void {
    for (const store of this.#stores.values()) store.close();
  }

  #create(robot: string): DatasetStore {
    const { places, events, pool, listing } = this.#context;
    return new DatasetStore({
      folder: path.join(places.data, robot),
      robot,
      index: this.#index,
      facts: (file, format) => listing.run('readClipFacts', file, format).catch(unreadable),
      manyFacts: (files) => pool.run('readManyFacts', files),
      list: (folder, kind) => listing.run('listFolder', folder, kind),
      conversions: (files) => listing.run('readConversions', files),
      findings: (file, read) => this.#checks.findings(robot, file, read),
      queueCheck: (dataset, file, read) => void this.#checks.queueUnchecked(robot, dataset, file, read),
      unplayable: (file, read) => this.#checks.problem(robot, file, read),
      onChange: (dataset) => void events.emit('dataset-changed', { robot, dataset }),
      onError: logWatchErrors(this.#context),
    });
  }
}

/** Returns the listing entry, with an error, of a clip that takes too much time or memory to read. */
function unreadable(error: unknown): ClipFacts {
  if (error instanceof TaskLimitError) return unreadableFacts(error.message);
  throw error;
}
