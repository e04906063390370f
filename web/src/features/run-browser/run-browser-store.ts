import { computed, signal } from '@preact/signals';
import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { markRun } from '../../../../src/protocol/routes/runs.ts';
import { call } from '../../net/api.ts';
import { undoButton } from '../../net/undo.ts';
import { goTo } from '../../ui/layout.ts';
import { messageOf } from '../../ui/message-of.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { allRuns, deleteRun } from '../runs/runs-store.ts';
import { ALL_RUNS, pathsIn, type RunFilter, runRows } from './run-rows.ts';

/** Maximum number of runs whose curves or settings are compared. */
export const MOST_COMPARED = 4;

export type RunView = 'table' | 'curves' | 'settings';

export const filter = signal<RunFilter>(ALL_RUNS);
export const view = signal<RunView>('table');
/** path of the run that is shown in the inspector */
export const chosenPath = signal<string | null>(null);
const ticked = signal<readonly string[]>([]);
/** Paths of the listed runs whose checkboxes are checked, in the order of checking. Runs of another robot are not
 *  listed. */
export const tickedRuns = computed(() => pathsIn(allRuns.state.value.value ?? [], ticked.value));
export const rows = computed(() => runRows(allRuns.state.value.value ?? [], filter.value));
/** number of the checked runs that the filter hides */
export const hiddenTicked = computed(() => tickedRuns.value.length - pathsIn(rows.value, tickedRuns.value).length);
export const chosenRun = computed(
  () => allRuns.state.value.value?.find(({ path }) => path === chosenPath.value) ?? rows.value[0] ?? null,
);

export function setFilter(part: Partial<RunFilter>): void {
  filter.value = { ...filter.peek(), ...part };
}

export function tickRun(path: string): void {
  const now = tickedRuns.peek();
  ticked.value = now.includes(path) ? now.filter((one) => one !== path) : [...now, path];
}

/** Opens the area Runs with the curves of a run. @param run `<experiment>/<run>` */
export function showCurves(run: string): void {
  goTo('runs');
  chosenPath.value = run;
  ticked.value = []; // the curves of checked runs would be shown instead
  view.value = 'curves';
}

/** Opens a link to a run. @param run `<experiment>/<run>` */
export async function openRunLink(run: string): Promise<void> {
  showCurves(run);
  await allRuns.refresh();
  if (allRuns.value?.every(({ path }) => path !== run) !== true) return;
  chosenPath.value = null;
  view.value = 'table';
  toast('info', `The run ${run} was not found`, 'It belongs to another robot or was deleted.');
}

export async function mark(body: BodyOf<typeof markRun>): Promise<void> {
  try {
    await call('POST /api/runs/mark', { body });
    await allRuns.refresh();
  } catch (error) {
    failed('The run could not be marked', error);
  }
}

/** Deletes runs one after another, then shows a toast with a button that restores them. */
export async function deleteRuns(paths: readonly string[]): Promise<void> {
  const undos: string[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      undos.push(await deleteRun(path));
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  await allRuns.refresh();
  ticked.value = tickedRuns.peek();
  const what = undos.length === 1 ? `${nameOf(paths[0] ?? '')} deleted` : `${undos.length} runs deleted`;
  if (problems.length === 0) toast('ok', what, '', undoButton(what, undos));
  else toast('error', `${problems.length} runs could not be deleted`, problems[0] ?? '', undoButton(what, undos));
}

/** Returns the name of a run without its experiment. */
export function nameOf(path: string): string {
  return path.slice(path.indexOf('/') + 1);
}
