import { effect, signal } from '@preact/signals';
import { session } from './session-store.ts';

/** Figures that come once a second with the session, as far as this page heard them. */
export interface FigureAt {
  /** s of the session's time */
  readonly time: number;
  /** m, rad; NaN where not known */
  readonly keybody: number;
  readonly anchor: number;
}

export const figureHistory = signal<readonly FigureAt[]>([]);
let of = '';

effect(() => {
  const now = session.value;
  const key = now === null ? '' : `${now.id} ${now.focus}`;
  const known = key === of ? figureHistory.peek() : [];
  of = key;
  const figures = now?.figures?.tracking;
  if (now === null || figures === undefined) {
    if (known.length !== figureHistory.peek().length) figureHistory.value = known;
    return;
  }
  const { sim_time: time, history_s: most } = now;
  if (known.at(-1)?.time === time) return;
  const kept = known.filter((one) => one.time < time && one.time > time - most);
  figureHistory.value = [
    ...kept,
    { time, keybody: figures.keybody_error ?? Number.NaN, anchor: figures.anchor_rotation ?? Number.NaN },
  ];
});

/** A figure as a line over the kept time: (x, y) with x 0..1, the newest at 1. */
export function historyLine(of: 'keybody' | 'anchor', historyS: number): readonly (readonly [number, number])[] {
  const all = figureHistory.value;
  const newest = all.at(-1)?.time ?? 0;
  return all
    .filter((one) => Number.isFinite(one[of]))
    .map((one) => [1 - (newest - one.time) / historyS, one[of]] as const);
}
