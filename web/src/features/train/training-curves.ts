import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { call } from '../../net/api.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { Curves } from './curve-charts.ts';

/** Source of curves: a job, whose run may not exist yet, or a run on disk. */
export interface CurveSource {
  readonly key: string;
  readonly job: string | null;
  readonly run: string | null;
}

type Group = 'train' | 'errors' | 'rewards' | 'sampling' | 'loss' | 'all';

/** The result of the last read. After a failure, `curves` are those of the last successful read. */
export interface Fetched {
  readonly curves: Curves | null;
  readonly error: string | null;
}

export interface CurvesDeps {
  readonly call: typeof call;
  /** a signal that changes whenever a training advances */
  readonly jobs: ReadonlySignal<unknown>;
}

/** Maximum number of points per curve. */
const POINTS = 600;
/** Minimum time between two reads of the curves of a running training, ms. */
const EVERY_MS = 1000;

/** The curves of the trainings that are shown on the page. */
export class TrainingCurves {
  readonly #deps: CurvesDeps;
  /** The results by key. `keyOf` makes a key from source and group. */
  readonly curvesBy = signal<ReadonlyMap<string, Fetched>>(new Map());

  constructor(deps: CurvesDeps) {
    this.#deps = deps;
  }

  /** Reads the curves of `sources` now and whenever a training advances. @returns a function that stops reading */
  readonly followCurves = (sources: readonly CurveSource[], group: Group): (() => void) => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    let last = Number.NEGATIVE_INFINITY;
    let running = false;
    let missed = false; // the training has advanced during a read
    const fetchSoon = () => {
      if (running) missed = true;
      else timer ??= setTimeout(() => void fetchAll(), Math.max(0, last + EVERY_MS - performance.now()));
    };
    const fetchAll = async () => {
      timer = null;
      running = true;
      missed = false;
      last = performance.now();
      await Promise.all(sources.map((source) => this.#fetchOne(source, group, stop.signal)));
      running = false;
      if (missed && !stop.signal.aborted) fetchSoon();
    };
    const unfollow = effect(() => {
      void this.#deps.jobs.value;
      fetchSoon();
    });
    return () => {
      unfollow();
      if (timer !== null) clearTimeout(timer);
      stop.abort();
      const kept = new Set(sources.map((source) => source.key));
      this.curvesBy.value = new Map(
        [...this.curvesBy.peek()].filter(([key]) => kept.has(key.slice(key.indexOf(' ') + 1))),
      );
    };
  };

  async #fetchOne(source: CurveSource, group: Group, signal: AbortSignal): Promise<void> {
    const key = keyOf(source, group);
    const of = source.job === null ? { run: source.run ?? '' } : { job: source.job };
    try {
      const query = { ...of, group, max_points: POINTS };
      const curves = await this.#deps.call('GET /api/curves', { query, signal });
      if (!signal.aborted) this.#put(key, { curves, error: null });
    } catch (error) {
      if (signal.aborted) return;
      this.#put(key, { curves: this.curvesBy.peek().get(key)?.curves ?? null, error: messageOf(error) });
    }
  }

  #put(key: string, fetched: Fetched): void {
    this.curvesBy.value = new Map([...this.curvesBy.peek(), [key, fetched]]);
  }
}

/** Returns the key of the curves of a source and group. */
export function keyOf(source: CurveSource, group: Group): string {
  return `${group} ${source.key}`;
}
