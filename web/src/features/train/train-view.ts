import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Job, Run } from '../../../../src/protocol/schemas/jobs.ts';
import type { remember, remembered } from '../../ui/stored.ts';
import type { JobTab } from '../jobs/job-tab-store.ts';
import type { runs } from '../runs/runs-store.ts';
import type { CurveTab } from './curve-charts.ts';

export interface TrainViewDeps {
  /** all jobs, newest first */
  readonly jobs: ReadonlySignal<readonly Job[]>;
  readonly shownJob: ReadonlySignal<string | null>;
  readonly showJob: (name: string) => void;
  readonly jobTab: { value: JobTab };
  readonly runs: Pick<typeof runs, 'state'>;
  /** reads from and writes to the browser's storage */
  readonly remembered: typeof remembered;
  readonly remember: typeof remember;
}

/** Maximum number of runs whose curves are shown together. */
export const MOST_COMPARED = 8;
const SMOOTHING = 0.3;

/** State of the area Train: the selected job, its run, and how the curves are drawn. */
export class TrainView {
  readonly #deps: TrainViewDeps;
  /** The selected job. By default the newest training; without trainings the newest job. */
  readonly chosenJob = computed<Job | null>(() => {
    const all = this.#deps.jobs.value;
    const shown = this.#deps.shownJob.value;
    return all.find(({ name }) => name === shown) ?? all.find(({ kind }) => kind === 'train') ?? all[0] ?? null;
  });
  /** The run of the selected job; null before the run's folder exists. */
  readonly chosenRun = computed<Run | null>(() => {
    const path = this.chosenJob.value?.run ?? null;
    return (path !== null && this.#deps.runs.state.value.value?.find((run) => run.path === path)) || null;
  });
  readonly curveTab = signal<CurveTab>('key');
  /** Paths of the runs that are compared with the selected run. */
  readonly compared = signal<readonly string[]>([]);
  /** Position of the smoothing slider, 0..1. */
  readonly smoothing = signal(SMOOTHING);
  readonly logScale = signal(false);

  constructor(deps: TrainViewDeps) {
    this.#deps = deps;
    const stored = Number(deps.remembered('smoothing') ?? Number.NaN);
    if (stored >= 0 && stored <= 1) this.smoothing.value = stored;
  }

  readonly chooseJob = (name: string, tab: JobTab = 'curves'): void => {
    this.#deps.showJob(name);
    this.#deps.jobTab.value = tab;
  };

  readonly toggleCompared = (run: string): void => {
    const now = this.compared.peek();
    if (now.includes(run)) this.compared.value = now.filter((one) => one !== run);
    else if (now.length < MOST_COMPARED) this.compared.value = [...now, run];
  };

  readonly setSmoothing = (position: number): void => {
    this.smoothing.value = position;
    this.#deps.remember('smoothing', String(position));
  };
}
