import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import type { call } from '../../net/api.ts';
import { Loadable } from '../../ui/loadable.ts';

export interface RunsDeps {
  readonly call: typeof call;
}

/** Minimum time between two reads by `refreshSoon`, which is called often while a training writes checkpoints. */
const AGAIN_AFTER_MS = 2000;

/** The runs of the selected robot. */
export class RunList {
  readonly #deps: RunsDeps;
  /** those that can be played */
  readonly runs: Loadable<readonly Run[]>;
  /** every run, also those that cannot be played; read when the area Runs is first shown */
  readonly allRuns: Loadable<readonly Run[]>;
  /** performance.now() of the last read by `refreshSoon` */
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.runs = new Loadable(async () => (await deps.call('GET /api/play/runs')).runs);
    this.allRuns = new Loadable(async () => (await deps.call('GET /api/runs')).runs);
  }

  /** Reads the list again soon; calls in quick succession share one read. */
  readonly refreshSoon = (): void => {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null;
        this.#last = performance.now();
        void this.runs.refresh();
        if (this.allRuns.state.peek().value !== null) void this.allRuns.refresh();
      },
      Math.max(0, this.#last + AGAIN_AFTER_MS - performance.now()),
    );
  };

  /** Deletes a run with all its files. @param run `<experiment>/<run>`  @returns the token for an undo
   *  @throws the service's error */
  readonly deleteRun = async (run: string): Promise<string> => {
    const { undo } = await this.#deps.call('DELETE /api/runs', { query: { run } });
    await this.runs.refresh();
    return undo;
  };
}
