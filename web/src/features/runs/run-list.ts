import { computed, type ReadonlySignal } from '@preact/signals';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import type { call } from '../../net/api.ts';
import { Loadable, type Loaded } from '../../ui/loadable.ts';
import { playable } from './shared/playable.ts';

export interface RunsDeps {
  readonly call: typeof call;
}

/** Minimum time between two reads by `refreshSoon`, ms. `refreshSoon` is called often while a training writes
 *  checkpoints. */
const AGAIN_AFTER_MS = 2000;

/** The runs of the selected robot. */
export class RunList {
  readonly #deps: RunsDeps;
  /** every run, also those that cannot be played, the most recently changed first */
  readonly allRuns: Loadable<readonly Run[]>;
  /** those that can be played */
  readonly runs: {
    readonly state: ReadonlySignal<Loaded<readonly Run[]>>;
    readonly value: readonly Run[] | null;
    refresh(): Promise<void>;
  };
  /** version of the list in `allRuns`, as the service sent it; null before the first answer */
  #version: string | null = null;
  /** performance.now() of the last read by `refreshSoon` */
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.allRuns = new Loadable(() => this.#read());
    const list = computed(() => this.allRuns.state.value.value?.filter(playable) ?? null);
    const state = computed(() => ({ ...this.allRuns.state.value, value: list.value }));
    this.runs = {
      state,
      get value() {
        return state.value.value;
      },
      refresh: () => this.allRuns.refresh(),
    };
  }

  /** Reads the list again soon; calls in quick succession share one read. */
  readonly refreshSoon = (): void => {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null;
        this.#last = performance.now();
        void this.allRuns.refresh();
      },
      Math.max(0, this.#last + AGAIN_AFTER_MS - performance.now()),
    );
  };

  /** Deletes a run with all its files. @param run `<experiment>/<run>` @returns the token that restores the run
   *  @throws Error with the service's message */
  readonly deleteRun = async (run: string): Promise<string> => {
    const { undo } = await this.#deps.call('DELETE /api/runs', { query: { run } });
    await this.allRuns.refresh();
    return undo;
  };

  /** Reads what changed since the last read. */
  async #read(): Promise<readonly Run[]> {
    const before = this.allRuns.state.peek().value ?? [];
    const query = this.#version === null ? {} : { since: this.#version };
    const { runs, version, removed } = await this.#deps.call('GET /api/runs', { query });
    this.#version = version;
    if (removed === undefined) return runs;
    if (runs.length === 0 && removed.length === 0) return before;
    const left = new Map(before.map((run) => [run.path, run]));
    for (const path of removed) left.delete(path);
    for (const run of runs) left.set(run.path, run);
    return [...left.values()].sort(newestFirst);
  }
}

function newestFirst(a: Run, b: Run): number {
  return a.modified === b.modified ? (a.path < b.path ? 1 : -1) : a.modified < b.modified ? 1 : -1;
}
