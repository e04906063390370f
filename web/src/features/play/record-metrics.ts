import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import type { RecordView } from './record-ring.ts';

/** A torque is regarded as at its limit if it is above this share of the limit. */
const AT_LIMIT = 0.98;
/** Maximum number of points of a sparkline. */
const SPARK_POINTS = 40;

/** Returns the first row of the second before `end` that belongs to the same episode as the row before `end`. @param
 *  end one past the last row */
function lastSecond(view: RecordView, end: number): number {
  const most = Math.min(end, Math.max(1, Math.round(view.fps)));
  let from = end - 1;
  while (from > end - most && stepOf(view, from - 1) < stepOf(view, from)) from--;
  return from;
}

/** Returns the step within the episode at a row of the view. */
export function stepOf({ meta }: RecordView, row: number): number {
  return meta[3 * row + 2] ?? Number.NaN;
}

export interface RewardFigure {
  readonly name: string;
  readonly weight: number;
  readonly default: number;
  /** mean of the reward over the last second, per second; NaN if the record does not contain this reward */
  readonly value: number;
}

/** Returns the mean of each reward over the second before `end`, per second. @param end one past the last row @param
 *  terms rewards of the session, in its order */
export function rewardFigures(
  view: RecordView | null,
  end: number,
  terms: PlaySession['rewards'],
): { readonly terms: readonly RewardFigure[]; readonly total: number } {
  const mean = (id: string) => {
    const channel = view?.channels.findIndex((one) => one.id === id) ?? -1;
    if (view === null || channel < 0 || end <= 0) return Number.NaN;
    const from = lastSecond(view, end);
    let sum = 0;
    for (let row = from; row < end; row++) sum += view.data[row * view.channels.length + channel]!;
    return (sum / (end - from)) * view.fps;
  };
  return { terms: terms.map((term) => ({ ...term, value: mean(`reward.${term.name}`) })), total: mean('reward.total') };
}

/** Returns pairs of columns in `data` and `ref` for the joints that have a reference. */
function pairs(view: RecordView): readonly (readonly [data: number, ref: number])[] {
  const found: [number, number][] = [];
  for (const [k, { id }] of view.channels.entries()) {
    const ref = view.refColumn[k]!;
    if (ref >= 0 && id.startsWith('joint.')) found.push([k, ref]);
  }
  return found;
}

/** Computes the root mean square of position minus reference over the joints, rad: one value for each row from `from`
 *  to `end`. */
export function jointErrors(view: RecordView, from = 0, end = view.rows): Float32Array {
  const columns = pairs(view);
  const out = new Float32Array(Math.max(0, end - from)).fill(Number.NaN);
  if (columns.length === 0) return out;
  for (let row = from; row < end; row++) {
    let sum = 0;
    for (const [channel, ref] of columns) {
      sum += (view.data[row * view.channels.length + channel]! - view.ref[row * view.refStride + ref]!) ** 2;
    }
    out[row - from] = Math.sqrt(sum / columns.length);
  }
  return out;
}

/** Computes the share of the joints with a known limit whose torque is at the limit (0..1): one value for each row. */
export function torquesAtLimit(view: RecordView, from = 0, end = view.rows): Float32Array {
  const columns = view.channels.flatMap(({ id, upper }, k) =>
    id.startsWith('torque.') && upper !== null && upper > 0 ? [[k, AT_LIMIT * upper] as const] : [],
  );
  const out = new Float32Array(Math.max(0, end - from)).fill(Number.NaN);
  if (columns.length === 0) return out;
  for (let row = from; row < end; row++) {
    let at = 0;
    for (const [channel, limit] of columns) {
      if (Math.abs(view.data[row * view.channels.length + channel]!) >= limit) at += 1;
    }
    out[row - from] = at / columns.length;
  }
  return out;
}

export function meanOfLastSecond(view: RecordView, values: Float32Array, end: number): number {
  const from = end > 0 ? lastSecond(view, end) : 0;
  let sum = 0;
  for (let row = from; row < end; row++) sum += values[row]!;
  return end > from ? sum / (end - from) : Number.NaN;
}

/** Reduces values to few points: the greatest finite value of each part; a part without finite values has no point.
 *  @returns (x, y) with x in 0..1 over the recorded time and y in the values' unit */
export function sparkline(
  values: Float32Array,
  capacity: number,
  points = SPARK_POINTS,
): readonly (readonly [x: number, y: number])[] {
  const out: [number, number][] = [];
  const size = Math.max(1, Math.ceil(capacity / points));
  const missing = Math.max(0, capacity - values.length);
  for (let at = 0; at < values.length; at += size) {
    let most = Number.NaN;
    for (let k = at; k < Math.min(values.length, at + size); k++) {
      const value = values[k]!;
      if (Number.isFinite(value) && !(value <= most)) most = value;
    }
    const middle = Math.min(values.length - 1, at + size / 2);
    if (Number.isFinite(most)) out.push([(missing + middle) / Math.max(1, capacity - 1), most]);
  }
  return out;
}

/** One episode of the record. `first` and `end` are rows of the view; `end` is one past the last row. */
export interface Episode {
  readonly first: number;
  readonly end: number;
}

/** Splits the rows into episodes. An episode begins where the step within the episode does not increase. */
export function episodesOf(view: RecordView): readonly Episode[] {
  const out: Episode[] = [];
  let first = 0;
  for (let row = 1; row <= view.rows; row++) {
    if (row < view.rows && stepOf(view, row) > stepOf(view, row - 1)) continue;
    out.push({ first, end: row });
    first = row;
  }
  return view.rows === 0 ? [] : out;
}

/** Returns the row of the event before (−1) or after (+1) a row of the view; null if there is none. */
export function nextEvent(view: RecordView, row: number, direction: 1 | -1): number | null {
  const rows = view.events.map((event) => event.row - view.first).sort((a, b) => a - b);
  return (direction > 0 ? rows.find((at) => at > row) : rows.findLast((at) => at < row)) ?? null;
}

/** Returns the shade of the tile of an environment: from 0 without error to 1 at 0.3 m. @param error distance from the
 *  reference, m; null if unknown */
export function shadeOf(error: number | null | undefined): number {
  return error === null || error === undefined || !Number.isFinite(error) ? 0 : Math.min(1, Math.max(0, error / 0.3));
}
