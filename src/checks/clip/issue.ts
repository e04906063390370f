import type { Static } from 'typebox';
import type { CheckKind } from '../../protocol/check-kinds.ts';
import type { QaIssue } from '../../protocol/schemas/data.ts';

/** One problem of a clip. Frame numbers start at 0; the first and the last frame are included. */
export type ClipIssue = Omit<Static<typeof QaIssue>, 'body' | 'ignored'> & {
  /** the affected body; absent: derived from the first plot channel */
  readonly body?: string | null;
};
export type Severity = ClipIssue['severity'];

/** Issues that are at most this many frames apart are merged into one issue. */
const GAP = 5;
/** Maximum number of listed issues of one kind. The text of the worst issue states how many were omitted. For
 *  comparison: a dance has 9 slides. */
const LISTED = 25;

/** Consecutive frames with a problem. The problem is worst in frame `at`, with the value `peak`. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly peak: number;
  readonly at: number;
  /** the item with the peak value, such as the index of a joint */
  readonly which: number;
}

/** Returns the ranges of frames in which `excess` is above 0. Ranges that are near each other are merged.
 *  @param excess value for a frame; 0 or less (or NaN) if the frame is fine
 *  @param options.least minimum number of frames in a range; shorter ranges are removed before merging
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

/** Merges ranges that overlap or are at most `gap` frames apart. A merged range has the higher peak. */
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

/** Creates one issue for each of the worst ranges.
 *  @param tell returns text and severity for a range; the text does not end with a full stop */
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

/** Returns the body, foot or joint that an issue concerns: the issue's own `body`, or else the body of its first
 *  plot channel. Channels of the root belong to the root body. @param root name of the root body */
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
