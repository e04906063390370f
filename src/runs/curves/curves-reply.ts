import { keptPoints, type Series } from './reduce-series.ts';
import { type CurveGroup, groupOfTag, nameOfTag } from './tag-group.ts';

/** The part of a run's curves that a request selects. */
export interface CurvesQuery {
  readonly run: string | null;
  readonly job: string | null;
  readonly group: CurveGroup | 'all';
  readonly maxPoints: number;
  /** the first iteration to include */
  readonly since: number;
}

export interface TagSeries extends Series {
  readonly tag: string;
}

/** Formats the reply of `GET /api/curves` as JSON text in UTF-8. Runs in a pool thread. Values that are not finite
 *  become null.
 *  @param tags the curves, whose arrays are in shared memory */
export function curvesReply(tags: readonly TagSeries[], asked: CurvesQuery): Uint8Array {
  const { run, job, group, maxPoints, since } = asked;
  const series = tags
    .filter(({ tag }) => group === 'all' || groupOfTag(tag) === group)
    .map(({ tag, steps, values }) => {
      const first = firstAt(steps, since);
      const wanted = { steps: steps.subarray(first), values: values.subarray(first) };
      const kept = keptPoints(wanted, maxPoints);
      return {
        tag,
        name: nameOfTag(tag),
        group: groupOfTag(tag) ?? 'all',
        x: kept.map((k) => wanted.steps[k]!),
        y: kept.map((k) => finiteOrNull(wanted.values[k]!)),
      };
    });
  return new TextEncoder().encode(JSON.stringify({ run, job, group, x: 'iteration', series }));
}

/** Returns the index of the first step that is at least `since`, by bisection. @param steps ascending */
function firstAt(steps: Float64Array, since: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rounds to seven digits. float32 has no more precision, so further digits would only lengthen the text. */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(7)) : null;
}
