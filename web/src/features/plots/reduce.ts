/** Points of a chart at common times; a null value is a gap. */
export interface Points {
  /** times, s */
  readonly times: readonly number[];
  /** one array per column, as long as `times` */
  readonly values: readonly (readonly (number | null)[])[];
}

/** Returns the part of the columns inside a time window, extended to the next frame on either side so that lines reach
 *  the edges. If there are more than two frames per slot, the frames are grouped into buckets. Each bucket gives two
 *  points: the minimum and the maximum finite value of each column, in their order in time. Every extreme is kept and
 *  moves by at most a bucket. Buckets start at multiples of their size, so that the lines do not flicker during a pan.
 *  @param from @param to s  @param slots number of places along the time axis, about one per pixel */
export function reduceWindow(
  columns: readonly Float32Array[],
  fps: number,
  from: number,
  to: number,
  slots: number,
): Points {
  const frames = columns[0]?.length ?? 0;
  const first = Math.max(0, Math.min(frames - 1, Math.floor(from * fps + 1e-6)));
  const last = Math.max(first, Math.min(frames - 1, Math.ceil(to * fps - 1e-6)));
  if (frames === 0) return { times: [], values: columns.map(() => []) };
  const count = last - first + 1;
  const size = Math.ceil(count / Math.max(1, slots));
  return size <= 2 ? everyFrame(columns, fps, first, last) : extremes(columns, fps, first, last, size);
}

function everyFrame(columns: readonly Float32Array[], fps: number, first: number, last: number): Points {
  const times: number[] = [];
  for (let frame = first; frame <= last; frame++) times.push(frame / fps);
  const values = columns.map((column) => {
    const points: (number | null)[] = [];
    for (let frame = first; frame <= last; frame++) points.push(finite(column[frame]!));
    return points;
  });
  return { times, values };
}

function extremes(columns: readonly Float32Array[], fps: number, first: number, last: number, size: number): Points {
  const start = first - (first % size);
  const times: number[] = [];
  for (let at = start; at <= last; at += size) times.push(at / fps, (at + size / 2) / fps);
  const values = columns.map((column) => {
    const points: (number | null)[] = [];
    const frames = column.length;
    for (let at = start; at <= last; at += size) {
      const end = Math.min(frames, at + size);
      let low = -1;
      let high = -1;
      for (let frame = at; frame < end; frame++) {
        const value = column[frame]!;
        if (!Number.isFinite(value)) continue;
        if (low < 0 || value < column[low]!) low = frame;
        if (high < 0 || value > column[high]!) high = frame;
      }
      if (low < 0) points.push(null, null);
      else points.push(column[Math.min(low, high)]!, column[Math.max(low, high)]!);
    }
    return points;
  });
  return { times, values };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
