import { computed, signal } from '@preact/signals';
import type { Busy } from '../../../src/protocol/schemas/busy.ts';
import type { failed, toast } from '../ui/toasts.ts';
import type { call } from './api.ts';

const KEPT = 50;
const LOST = 'The connection was lost, and the service has no record of this action. Start it again if needed.';

/** A wait for the end of a task that this page started. */
interface Wait {
  readonly name: string;
  /** start of the task as the service states it; null until the service has reported the task */
  started: string | null;
  /** @param task null: the service does not know the task any more */
  readonly end: (task: Busy | null) => void;
}

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

  readonly #waits = new Set<Wait>();

  /** Updates the list of running tasks with a change that the service reported. */
  readonly takeBusy = (task: Busy): void => {
    const known = this.tasks.peek();
    const at = known.findIndex((other) => other.task === task.task);
    this.tasks.value = at < 0 ? [task, ...known].slice(0, KEPT) : known.map((other, k) => (k === at ? task : other));
    this.#settle(task);
  };

  readonly refreshBusy = async (): Promise<void> => {
    const before = new Set(this.tasks.peek());
    const waits = [...this.#waits];
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
    for (const { task } of events) names.add(task);
    for (const wait of waits) if (!names.has(wait.name)) this.#end(wait, null);
  };

  readonly #settle = (task: Busy): void => {
    for (const wait of this.#waits) {
      if (wait.name !== task.task) continue;
      wait.started ??= task.started;
      // A restarted service counts from 1 again: a task of the same name with another start is another task.
      if (wait.started !== task.started) this.#end(wait, null);
      else if (task.state !== 'running') this.#end(wait, task);
    }
  };

  #end(wait: Wait, task: Busy | null): void {
    this.#waits.delete(wait);
    wait.end(task);
  }

  /** Resolves with the ended task; with null if the service no longer knows the task. The event of its end may arrive
   *  before or after the reply that names the task. */
  readonly #taskEnd = (name: string): Promise<Busy | null> => {
    const known = this.tasks.peek().find((task) => task.task === name);
    if (known !== undefined && known.state !== 'running') return Promise.resolve(known);
    return new Promise((end) => this.#waits.add({ name, started: known?.started ?? null, end }));
  };

  /** Starts a slow action and waits for its end. @returns true if it succeeded; after a failure false, and the failure
   *  was shown as a toast */
  readonly runSlow = async (what: string, start: () => Promise<{ task: string }>): Promise<boolean> => {
    try {
      const { task } = await start();
      const end = await this.#taskEnd(task);
      if (end === null) this.#deps.toast('error', what, LOST);
      else if (end.state === 'failed') this.#deps.toast('error', what, end.error ?? end.message);
      return end?.state === 'done';
    } catch (error) {
      this.#deps.failed(what, error);
      return false;
    }
  };

  constructor(deps: BusyTasksDeps) {
    this.#deps = deps;
  }
}
