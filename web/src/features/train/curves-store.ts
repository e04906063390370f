import { effect, signal } from '@preact/signals';
import { call } from '../../net/api.ts';
import { messageOf } from '../../ui/message-of.ts';
import { jobs } from '../jobs/jobs-store.ts';
import type { Curves } from './curve-charts.ts';

/** Where curves come from: a job, which may not have told its run yet, or a run on disk. */
export interface CurveSource {
  readonly key: string;
  readonly job: string | null;
  readonly run: string | null;
}

type Group = 'train' | 'errors' | 'rewards' | 'sampling' | 'loss' | 'all';

export interface Fetched {
  readonly curves: Curves | null;
  readonly error: string | null;
}

/** Curves of what is shown, by the source's key and group. */
export const curvesBy = signal<ReadonlyMap<string, Fetched>>(new Map());

const POINTS = 600;
/** A running training's curves are fetched anew no more often. */
const EVERY_MS = 1000;

export const keyOf = (source: CurveSource, group: Group) => `${group} ${source.key}`;

/** Keeps the curves of some sources current while they are shown: at once, and whenever a training moves.
 *  @returns ends it */
export function followCurves(sources: readonly CurveSource[], group: Group): () => void {
  const stop = new AbortController();
  let timer = 0;
  let last = Number.NEGATIVE_INFINITY;
  let running = false;
  const fetchAll = async () => {
    timer = 0;
    if (running) return;
    running = true;
    last = performance.now();
    await Promise.all(sources.map((source) => fetchOne(source, group, stop.signal)));
    running = false;
  };
  const unfollow = effect(() => {
    void jobs.value;
    if (timer !== 0 || stop.signal.aborted) return;
    timer = window.setTimeout(() => void fetchAll(), Math.max(0, last + EVERY_MS - performance.now()));
  });
  return () => {
    unfollow();
    window.clearTimeout(timer);
    stop.abort();
    const kept = new Set(sources.map((source) => source.key));
    curvesBy.value = new Map([...curvesBy.peek()].filter(([key]) => kept.has(key.slice(key.indexOf(' ') + 1))));
  };
}

async function fetchOne(source: CurveSource, group: Group, signal: AbortSignal): Promise<void> {
  const key = keyOf(source, group);
  const of = source.job === null ? { run: source.run ?? '' } : { job: source.job };
  try {
    const curves = await call('GET /api/curves', { query: { ...of, group, max_points: POINTS }, signal });
    if (!signal.aborted) put(key, { curves, error: null });
  } catch (error) {
    if (signal.aborted) return;
    put(key, { curves: curvesBy.peek().get(key)?.curves ?? null, error: messageOf(error) });
  }
}

function put(key: string, fetched: Fetched): void {
  curvesBy.value = new Map([...curvesBy.peek(), [key, fetched]]);
}
