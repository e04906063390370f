import { signal } from '@preact/signals';
import type { LaunchTrial } from '../../../../src/protocol/schemas/jobs.ts';
import type { call } from '../../net/api.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { datasets } from '../data/data-store.ts';
import { readyClips } from '../data/shared/counts.ts';

/** A dry run of a training: the service builds the task and simulates its first steps, without training. */
export interface TaskDryRun {
  readonly task: string;
  /** dataset whose clips were used; '' if no dataset has converted clips */
  readonly dataset: string;
  readonly reply: LaunchTrial | null;
  /** why a training would not start; null if it would */
  readonly error: string | null;
  readonly loading: boolean;
}

export interface DryRunDeps {
  readonly call: typeof call;
  readonly datasets: Pick<typeof datasets, 'state'>;
}

/** Dry runs of the tasks of saved presets. */
export class DryRuns {
  readonly #deps: DryRunDeps;
  readonly dryRun = signal<TaskDryRun | null>(null);
  /** The dataset that is selected in the form of a training. It is used for dry runs if it has converted clips. */
  readonly preferredDataset = signal<string | null>(null);
  #stop = new AbortController();

  constructor(deps: DryRunDeps) {
    this.#deps = deps;
  }

  /** Makes a dry run of a task with the preferred dataset. If it has no converted clips, uses the first dataset that
   *  has. */
  readonly tryTask = async (task: string): Promise<void> => {
    const all = this.#deps.datasets.state.peek().value?.datasets ?? [];
    const sets = all.filter((set) => readyClips(set) > 0);
    const dataset = (sets.find(({ name }) => name === this.preferredDataset.peek()) ?? sets[0])?.name ?? '';
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const shared = { task, dataset, reply: null, error: null };
    if (dataset === '') {
      const error = 'A dry run needs converted clips. Convert clips in Data.';
      this.dryRun.value = { ...shared, error, loading: false };
      return;
    }
    this.dryRun.value = { ...shared, loading: true };
    try {
      const body = { task, dataset, dry_run: true };
      const reply = await this.#deps.call('POST /api/train/launch', { body, signal });
      if (!('dry_run' in reply)) throw new Error('The service started a training instead of a dry run');
      if (!signal.aborted) this.dryRun.value = { ...shared, reply, loading: false };
    } catch (error) {
      if (!signal.aborted) this.dryRun.value = { ...shared, error: messageOf(error), loading: false };
    }
  };
}
