import { computed, effect, signal } from '@preact/signals';
import type { LaunchTrial } from '../../../../src/protocol/schemas/jobs.ts';
import { messageOf } from '../../ui/message-of.ts';
import { failed } from '../../ui/toasts.ts';
import { datasets } from '../data/data-store.ts';
import { readyClips } from '../data/shared/counts.ts';
import { bodyOf, EMPTY_FORM, isAskable, type LaunchForm } from './launch-form.ts';
import { choices, launch, tryLaunch } from './launch-store.ts';
import { chooseJob } from './train-view-state.ts';

/** What the form holds; what was never chosen follows the robot and its data. */
const typed = signal<LaunchForm>(EMPTY_FORM);

/** The form as it is shown: what is not chosen yet is the first that fits. */
export const form = computed<LaunchForm>(() => {
  const now = typed.value;
  const tasks = choices.state.value.value?.tasks ?? [];
  const sets = datasets.state.value.value?.datasets ?? [];
  const task = tasks.some(({ name }) => name === now.task) ? now.task : (tasks[0]?.name ?? '');
  const known = sets.some(({ name }) => name === now.dataset);
  const ready = sets.find((set) => readyClips(set) > 0) ?? sets[0];
  return { ...now, task, dataset: known ? now.dataset : (ready?.name ?? '') };
});

export const trainer = computed(
  () => choices.state.value.value?.trainers.find(({ name }) => name === form.value.trainer) ?? null,
);

/** The request that the form stands for. */
export const launchBody = computed(() => bodyOf(form.value, trainer.value));

export function change(part: Partial<LaunchForm>): void {
  typed.value = { ...form.peek(), ...part };
}

export interface Checked {
  readonly reply: LaunchTrial | null;
  /** what the service would refuse */
  readonly error: string | null;
  readonly loading: boolean;
}
/** What the service says of the form as it is. */
export const checked = signal<Checked>({ reply: null, error: null, loading: false });

/** Whether a training would start: every check passed, of the form as it is now. */
export const isReady = computed(() => {
  const { reply, error, loading } = checked.value;
  return !loading && error === null && reply?.checks.every(({ ok }) => ok) === true && isAskable(form.value);
});

const CHECK_AFTER_MS = 350;

/** What a check is of: the request and how much of its dataset is converted. While that stays, what was found stays. */
const subject = computed(() => {
  const { dataset } = form.value;
  const set = datasets.state.value.value?.datasets.find(({ name }) => name === dataset);
  return JSON.stringify([isAskable(form.value), launchBody.value, set?.converted, set?.missing, set?.extra]);
});

/** Checks the form with the service, a moment after each change of it or of what it stands on. @returns ends it */
export function startChecking(): () => void {
  let stop = new AbortController();
  let timer = 0;
  const ended = effect(() => {
    void subject.value;
    const body = launchBody.peek();
    stop.abort();
    window.clearTimeout(timer);
    if (!isAskable(form.peek())) {
      checked.value = { reply: null, error: null, loading: false };
      return;
    }
    checked.value = { ...checked.peek(), loading: true };
    stop = new AbortController();
    const { signal } = stop;
    timer = window.setTimeout(async () => {
      try {
        const reply = await tryLaunch(body, signal);
        if (!signal.aborted) checked.value = { reply, error: null, loading: false };
      } catch (error) {
        if (!signal.aborted) checked.value = { reply: null, error: messageOf(error), loading: false };
      }
    }, CHECK_AFTER_MS);
  });
  return () => {
    ended();
    window.clearTimeout(timer);
    stop.abort();
  };
}

export const starting = signal(false);

/** Starts the training that the form stands for and shows it. */
export async function startTraining(): Promise<void> {
  starting.value = true;
  try {
    chooseJob(await launch(launchBody.peek()));
  } catch (error) {
    failed('The training could not be started', error);
  }
  starting.value = false;
}
