import { computed, effect, type Signal, signal } from '@preact/signals';
import type { LaunchTrial } from '../../../../src/protocol/schemas/jobs.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { remember, remembered } from '../../ui/stored.ts';
import type { datasets } from '../data/data-store.ts';
import { readyClips } from '../data/shared/counts.ts';
import { bodyOf, EMPTY_FORM, isComplete, type LaunchForm } from './launch-form.ts';
import type { TrainingLaunch } from './training-launch.ts';

export interface FormDeps {
  readonly launches: Pick<TrainingLaunch, 'choices' | 'tryLaunch' | 'launch'>;
  readonly datasets: Pick<typeof datasets, 'state'>;
  /** shows a job in the area Train */
  readonly chooseJob: (name: string) => void;
  /** shows an error to the user */
  readonly failed: (what: string, error: unknown) => void;
  /** name of the task for which the area Tasks asks to open this form; null: none */
  readonly taskToTrain: Signal<string | null>;
  /** whether a conversion of a dataset is running; its end starts a check */
  readonly converting: (dataset: string) => boolean;
  /** name of the dataset for which the area Data asks to open this form; null: none */
  readonly datasetToTrain: Signal<string | null>;
  /** receives the selected dataset; the dry runs in the area Tasks use it */
  readonly preferredDataset: Signal<string | null>;
  readonly remembered: typeof remembered;
  readonly remember: typeof remember;
}

/** Result of the dry run with which the service checks the form. */
export interface Checked {
  readonly reply: LaunchTrial | null;
  /** reason why the service would refuse the request; null if it would accept it */
  readonly error: string | null;
  readonly loading: boolean;
}

const NOT_CHECKED: Checked = { reply: null, error: null, loading: false };
/** Time after the last change of the form at which it is checked, ms. */
const CHECK_AFTER_MS = 350;
/** Fields that are still selected after the page was loaded again. */
const KEPT = ['task', 'dataset'] as const;

/** The form of a new training. */
export class TrainingForm {
  readonly #deps: FormDeps;
  readonly #typed = signal<LaunchForm>(EMPTY_FORM);
  /** The form as shown. A task or a dataset that does not exist is replaced by the first suitable one. */
  readonly form = computed<LaunchForm>(() => {
    const typed = this.#typed.value;
    const tasks = this.#deps.launches.choices.state.value.value?.tasks ?? [];
    const sets = this.#deps.datasets.state.value.value?.datasets ?? [];
    const task = tasks.some(({ name }) => name === typed.task) ? typed.task : (tasks[0]?.name ?? '');
    const known = sets.some(({ name }) => name === typed.dataset);
    const ready = sets.find((set) => readyClips(set) > 0) ?? sets[0];
    return { ...typed, task, dataset: known ? typed.dataset : (ready?.name ?? '') };
  });
  /** The selected trainer; null before the trainers are known. */
  readonly trainer = computed(() => {
    const { trainers = [] } = this.#deps.launches.choices.state.value.value ?? {};
    return trainers.find(({ name }) => name === this.form.value.trainer) ?? null;
  });
  /** The request that the form describes. */
  readonly launchBody = computed(() => bodyOf(this.form.value, this.trainer.value));
  readonly checked = signal<Checked>(NOT_CHECKED);
  /** True if the training can be started: all checks of the current form passed. */
  readonly isReady = computed(() => {
    const { reply, error, loading } = this.checked.value;
    return !loading && error === null && reply?.checks.every(({ ok }) => ok) === true && isComplete(this.form.value);
  });
  readonly starting = signal(false);
  /** Values whose change starts a check: the request, and how many clips of its dataset are converted. */
  readonly #subject = computed(() => {
    const { dataset } = this.form.value;
    const set = this.#deps.datasets.state.value.value?.datasets.find(({ name }) => name === dataset);
    return JSON.stringify([
      isComplete(this.form.value),
      this.launchBody.value,
      set?.converted,
      set?.missing,
      set?.extra,
      this.#deps.converting(dataset),
    ]);
  });

  constructor(deps: FormDeps) {
    this.#deps = deps;
    const kept = KEPT.map((field) => [field, deps.remembered(`train.${field}`) ?? '']);
    this.#typed.value = { ...EMPTY_FORM, ...Object.fromEntries(kept) };
    effect(() => {
      const task = deps.taskToTrain.value;
      if (task === null) return;
      deps.taskToTrain.value = null;
      this.#type({ ...this.#typed.peek(), task }, { task });
    });
    effect(() => {
      const dataset = deps.datasetToTrain.value;
      if (dataset === null) return;
      deps.datasetToTrain.value = null;
      this.change({ dataset });
    });
  }

  readonly change = (part: Partial<LaunchForm>): void => {
    this.#type({ ...this.form.peek(), ...part }, part);
    if (part.dataset !== undefined) this.#deps.preferredDataset.value = part.dataset;
  };

  #type(typed: LaunchForm, changed: Partial<LaunchForm>): void {
    this.#typed.value = typed;
    for (const field of KEPT) {
      const value = changed[field];
      if (value !== undefined) this.#deps.remember(`train.${field}`, value);
    }
  }

  /** Checks the form on the service after each change. @returns a function that stops the checks */
  readonly startChecking = (): (() => void) => {
    let stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = effect(() => {
      void this.#subject.value;
      stop.abort();
      clearTimeout(timer);
      if (!isComplete(this.form.peek())) {
        this.checked.value = NOT_CHECKED;
        return;
      }
      this.checked.value = { ...this.checked.peek(), loading: true };
      stop = new AbortController();
      const { signal } = stop;
      timer = setTimeout(() => void this.#check(signal), CHECK_AFTER_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
      stop.abort();
    };
  };

  async #check(signal: AbortSignal): Promise<void> {
    try {
      const reply = await this.#deps.launches.tryLaunch(this.launchBody.peek(), signal);
      if (!signal.aborted) this.checked.value = { reply, error: null, loading: false };
    } catch (error) {
      if (!signal.aborted) this.checked.value = { reply: null, error: messageOf(error), loading: false };
    }
  }

  /** Starts the training and shows its job. */
  readonly startTraining = async (): Promise<void> => {
    this.starting.value = true;
    try {
      this.#deps.chooseJob(await this.#deps.launches.launch(this.launchBody.peek()));
    } catch (error) {
      this.#deps.failed('The training could not be started', error);
    } finally {
      this.starting.value = false;
    }
  };
}
