import type { Static } from 'typebox';
import type { CheckKind } from '../../protocol/check-kinds.ts';
import type { QaIssue } from '../../protocol/schemas/data.ts';

/** One problem of a clip. Frames count from 0; both ends are included. */
export type ClipIssue = Omit<Static<typeof QaIssue>, 'body' | 'ignored'> & {
  /** absent: the one of the first channel */
  readonly body?: string | null;
};
export type Severity = ClipIssue['severity'];

/** Frames at most this far apart belong to one issue. */
const GAP = 5;
/** Maximum number of listed issues of one kind. The worst one states how many were left out. A dance slides in 9 places. */
const LISTED = 25;

/** Consecutive frames with a problem, which is worst (`peak`) at frame `at`. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly peak: number;
  readonly at: number;
  /** the item that has the peak, such as a joint's index */
  readonly which: number;
}

/** Returns the ranges of frames in which `excess` is above 0, and merges ranges that are near each other.
 *  @param excess value for a frame; 0 or less (or NaN) if the frame is fine
 *  @param options.least frames of the shortest range; shorter ones are removed before merging
 *  @param options.which the item that the ranges belong to */
export function rangesWhere(
  frames: number,
  excess: (frame: number) => number,
  options: { readonly least?: number; readonly which?: number; readonly gap?: number } = {},
): Range[] {
  const { least = 1, which = 0, gap = GAP } = options;
  const runs: Range[] = [];
  let start = -1;
  let peak = 0;
  let at = 0;
  for (let frame = 0; frame <= frames; frame++) {
    const value = frame < frames ? excess(frame) : 0;
    if (value > 0) {
      if (start < 0) {
        start = frame;
        peak = 0;
      }
      if (value > peak) {
        peak = value;
        at = frame;
      }
    } else if (start >= 0) {
      if (frame - start >= least) runs.push({ start, end: frame - 1, peak, at, which });
      start = -1;
    }
  }
  return mergeRanges(runs, gap);
}

/** Merges ranges that overlap or are at most `gap` frames apart. Keeps the higher peak. */
export function mergeRanges(ranges: readonly Range[], gap = GAP): Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && range.start - last.end - 1 <= gap) {
      const higher = range.peak > last.peak ? range : last;
      merged[merged.length - 1] = { ...higher, start: last.start, end: Math.max(last.end, range.end) };
    } else merged.push(range);
  }
  return merged;
}

/** Makes one issue for each of the worst ranges.
 *  @param tell returns text and severity for a range; the text has no full stop */
export function issuesOf(
  kind: CheckKind,
  ranges: readonly Range[],
  tell: (range: Range) => {
    severity: Severity;
    text: string;
    channels: readonly string[];
    fix?: string | null;
    body?: string | null;
  },
): ClipIssue[] {
  const worst = [...ranges].sort((a, b) => b.peak - a.peak).slice(0, LISTED);
  return worst.map((range, index) => {
    const { severity, text, channels, fix = null, body } = tell(range);
    const others = index === 0 && ranges.length > LISTED ? `; ${ranges.length - LISTED} more such places` : '';
    return {
      ...{ kind, severity, text: `${text}${others}.`, frames: [range.start, range.end], fix },
      plot: { channels: [...channels], frame: range.at },
      ...(body === undefined ? {} : { body }),
    };
  });
}

/** Returns the body, foot or joint that an issue is about: the one it names, else that of its first channel. Channels of
 *  the root belong to the root body. @param root name of the root body */
export function bodyOf({ body, plot }: ClipIssue, root: string | null): string | null {
  if (body !== undefined) return body;
  const [, kind, name] = /^(joint|vel|torque|height|speed|root)\.(.+)$/.exec(plot.channels[0] ?? '') ?? [];
  if (kind === undefined) return null;
  return kind === 'root' ? root : (name ?? null);
}

/** Formats a number with its unit. */
export function withUnit(value: number, unit: string, digits = 2): string {
  return `${value.toFixed(digits)} ${unit}`;
}

/** Formats frames as `frame 12` or `frames 12 to 20`. */
export function framesText({ start, end }: { readonly start: number; readonly end: number }): string {
  return start === end ? `frame ${start}` : `frames ${start} to ${end}`;
}
