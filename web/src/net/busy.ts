import { computed, signal } from '@preact/signals';
import type { Busy } from '../../../src/protocol/schemas/busy.ts';
import { failed, toast } from '../ui/toasts.ts';
import { call } from './api.ts';

const KEPT = 50;

/** Every slow action known, newest first. */
export const tasks = signal<readonly Busy[]>([]);
export const activeTasks = computed(() => tasks.value.filter((task) => task.state === 'running'));
export const endedTasks = computed(() => tasks.value.filter((task) => task.state !== 'running'));

const own = new Map<string, (task: Busy) => void>();

/** Takes over news of a task. */
export function takeBusy(task: Busy): void {
  const known = tasks.peek();
  const at = known.findIndex((other) => other.task === task.task);
  tasks.value = at < 0 ? [task, ...known].slice(0, KEPT) : known.map((other, k) => (k === at ? task : other));
  settle(task);
}

export async function refreshBusy(): Promise<void> {
  const { active, recent } = await call('GET /api/busy');
  tasks.value = [...active, ...recent].slice(0, KEPT);
  for (const task of tasks.peek()) settle(task);
}

function settle(task: Busy): void {
  if (task.state === 'running') return;
  const told = own.get(task.task);
  own.delete(task.task);
  told?.(task);
}

/** The end of a task that this page started, whether its news came before or comes after the reply. */
function taskEnd(name: string): Promise<Busy> {
  const known = tasks.peek().find((task) => task.task === name && task.state !== 'running');
  if (known !== undefined) return Promise.resolve(known);
  return new Promise((resolve) => own.set(name, resolve));
}

/** Starts a slow action and sees it through. @returns whether it was done; a failure has been told */
export async function runSlow(what: string, start: () => Promise<{ task: string }>): Promise<boolean> {
  try {
    const { task } = await start();
    const end = await taskEnd(task);
    if (end.state === 'failed') toast('error', what, end.error ?? end.message);
    return end.state === 'done';
  } catch (error) {
    failed(what, error);
    return false;
  }
}
