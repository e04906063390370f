import { computed, signal } from '@preact/signals';
import { remember, remembered } from '../../ui/stored.ts';
import { jobs, showJob, shownJob } from '../jobs/jobs-store.ts';
import { runs } from '../play/setup-store.ts';
import type { CurveTab } from './curve-charts.ts';
import { type JobTab, jobTab } from './job-tab.ts';

/** The job whose curves, log and checkpoints are shown: the chosen one, else the newest training. */
export const chosenJob = computed(() => {
  const all = jobs.value;
  return all.find(({ name }) => name === shownJob.value) ?? all.find(({ kind }) => kind === 'train') ?? all[0] ?? null;
});

/** The run of the chosen job, where it is on disk. */
export const chosenRun = computed(() => {
  const path = chosenJob.value?.run ?? null;
  return (path !== null && runs.state.value.value?.find((run) => run.path === path)) || null;
});

export function chooseJob(name: string, tab: JobTab = 'curves'): void {
  showJob(name);
  jobTab.value = tab;
}

export const curveTab = signal<CurveTab>('key');
/** Runs beside the chosen one, by their path. */
export const compared = signal<readonly string[]>([]);
export const MOST_COMPARED = 8;

export function toggleCompared(run: string): void {
  const now = compared.peek();
  if (now.includes(run)) compared.value = now.filter((one) => one !== run);
  else if (now.length < MOST_COMPARED) compared.value = [...now, run];
}

const stored = Number(remembered('smoothing') ?? Number.NaN);
/** Place of the slider, 0..1. */
export const smoothing = signal(stored >= 0 && stored <= 1 ? stored : 0.3);

export function setSmoothing(place: number): void {
  smoothing.value = place;
  remember('smoothing', String(place));
}

export const logScale = signal(false);
