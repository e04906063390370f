import { signal } from '@preact/signals';
import type { LaunchTrial } from '../../../../src/protocol/schemas/jobs.ts';
import { messageOf } from '../../ui/message-of.ts';
import { datasets } from '../data/data-store.ts';
import { readyClips } from '../data/shared/counts.ts';
import { form } from '../train/form-store.ts';
import { bodyOf, EMPTY_FORM } from '../train/launch-form.ts';
import { tryLaunch } from '../train/launch-store.ts';

export type InspectorTab = 'changes' | 'yaml' | 'checks';
export const inspectorTab = signal<InspectorTab>('changes');

/** A training of a task as far as it can be tried without one. */
export interface TaskDryRun {
  readonly task: string;
  /** whose clips it was tried on */
  readonly dataset: string;
  readonly reply: LaunchTrial | null;
  /** why no training would start */
  readonly error: string | null;
  readonly loading: boolean;
}
export const dryRun = signal<TaskDryRun | null>(null);

let stop = new AbortController();

/** Tries a task on the dataset that the form of a training has, or else the first with converted clips: terms, dimensions,
 *  first steps, memory. */
export async function tryTask(task: string): Promise<void> {
  const sets = (datasets.state.peek().value?.datasets ?? []).filter((set) => readyClips(set) > 0);
  const dataset = (sets.find(({ name }) => name === form.peek().dataset) ?? sets[0])?.name ?? '';
  stop.abort();
  stop = new AbortController();
  const { signal: aborted } = stop;
  const shared = { task, dataset, reply: null, error: null };
  if (dataset === '') {
    dryRun.value = { ...shared, error: 'A dry run needs converted clips: convert some in Data.', loading: false };
    return;
  }
  dryRun.value = { ...shared, loading: true };
  try {
    const reply = await tryLaunch(bodyOf({ ...EMPTY_FORM, task, dataset }, null), aborted);
    if (!aborted.aborted) dryRun.value = { ...shared, reply, loading: false };
  } catch (error) {
    if (!aborted.aborted) dryRun.value = { ...shared, error: messageOf(error), loading: false };
  }
}
