import { computed, signal } from '@preact/signals';
import type { Busy } from '../../../src/protocol/schemas/busy.ts';
import type { failed, toast } from '../ui/toasts.ts';
import type { call } from './api.ts';

const KEPT = 50;

/** Dependencies of BusyTasks. */
export interface BusyTasksDeps {
  readonly call: typeof call;
  readonly failed: typeof failed;
  readonly toast: typeof toast;
}

/** The busy tasks of the service, and the results of the tasks that this page started. */
export class BusyTasks {
  readonly #deps: BusyTasksDeps;

  /** All known busy tasks, newest first. */
  readonly tasks = signal<readonly Busy[]>([]);
  readonly activeTasks = computed(() => this.tasks.value.filter((task) => task.state === 'running'));
  readonly endedTasks = computed(() => this.tasks.value.filter((task) => task.state !== 'running'));

  readonly #own = new Map<string, (task: Busy) => void>();

  /** Updates the list of running tasks with a change that the service reported. */
  readonly takeBusy = (task: Busy): void => {
    const known = this.tasks.peek();
    const at = known.findIndex((other) => other.task === task.task);
    this.tasks.value = at < 0 ? [task, ...known].slice(0, KEPT) : known.map((other, k) => (k === at ? task : other));
    this.#settle(task);
  };

  readonly refreshBusy = async (): Promise<void> => {
    const before = new Set(this.tasks.peek());
    const { active, recent } = await this.#deps.call('GET /api/busy');
    // Events that arrived during the request may be newer than the reply. A task that has ended never runs again.
    const events = this.tasks.peek().filter((task) => !before.has(task));
    const read = [...active, ...recent];
    const names = new Set(read.map(({ task }) => task));
    const newest = read.map((task) =>
      task.state === 'running' ? (events.find((event) => event.task === task.task) ?? task) : task,
    );
    this.tasks.value = [...events.filter(({ task }) => !names.has(task)), ...newest].slice(0, KEPT);
    for (const task of this.tasks.peek()) this.#settle(task);
  };

  readonly #settle = (task: Busy): void => {
    if (task.state === 'running') return;
    const told = this.#own.get(task.task);
    this.#own.delete(task.task);
    told?.(task);
  };

  /** Resolves with the ended task. The event of its end may arrive before or after the reply that names the task. */
  readonly #taskEnd = (name: string): Promise<Busy> => {
    const known = this.tasks.peek().find((task) => task.task === name && task.state !== 'running');
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#own.set(name, resolve));
  };

  /** Starts a slow action and waits for its end. @returns true if it succeeded; after a failure false, and the failure
   *  was shown as a toast */
  readonly runSlow = async (what: string, start: () => Promise<{ task: string }>): Promise<boolean> => {
    try {
      const { task } = await start();
      const end = await this.#taskEnd(task);
      if (end.state === 'failed') this.#deps.toast('error', what, end.error ?? end.message);
      return end.state === 'done';
    } catch (error) {
      this.#deps.failed(what, error);
      return false;
    }
  };

  constructor(deps: BusyTasksDeps) {
    this.#deps = deps;
  }
}
