import { effect, signal } from '@preact/signals';
import type { LiveSession } from './live-session.ts';

/** Tracking metrics at one moment. The session reports them once a second. */
export interface MetricsAt {
  /** time of the session, s */
  readonly time: number;
  /** error of the key bodies, m; NaN if unknown */
  readonly keybody: number;
  /** error of the anchor rotation, rad; NaN if unknown */
  readonly anchor: number;
}

/** Tracking metrics of the focused environment over the recorded time, as received by this page. */
export class MetricHistory {
  readonly #history = signal<readonly MetricsAt[]>([]);
  /** id and focused environment of the session that the history belongs to */
  #of = '';

  constructor({ session }: Pick<LiveSession, 'session'>) {
    effect(() => {
      const now = session.value;
      const key = now === null ? '' : `${now.id} ${now.focus}`;
      const before = this.#history.peek();
      const known = key === this.#of ? before : [];
      this.#of = key;
      const metrics = now?.figures?.tracking;
      if (now === null || metrics === undefined) {
        if (known.length !== before.length) this.#history.value = known;
        return;
      }
      const { sim_time: time, history_s: most } = now;
      if (known.at(-1)?.time === time) return;
      const kept = known.filter((one) => one.time < time && one.time > time - most);
      const keybody = metrics.keybody_error ?? Number.NaN;
      const anchor = metrics.anchor_rotation ?? Number.NaN;
      this.#history.value = [...kept, { time, keybody, anchor }];
    });
  }

  /** Returns a metric as a line over the recorded time: points (x, y) with x in 0..1, where the newest point has x =
   *  1. */
  readonly historyLine = (metric: 'keybody' | 'anchor', historyS: number): readonly (readonly [number, number])[] => {
    const all = this.#history.value;
    const newest = all.at(-1)?.time ?? 0;
    return all
      .filter((one) => Number.isFinite(one[metric]))
      .map((one) => [1 - (newest - one.time) / historyS, one[metric]] as const);
  };
}
