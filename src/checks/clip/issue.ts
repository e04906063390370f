import type { Static } from 'typebox';
import type { CheckKind } from '../../protocol/check-kinds.ts';
import type { QaIssue } from '../../protocol/schemas/data.ts';

/** One problem of a clip, as the page shows it. Frames count from 0, both ends included. */
export type ClipIssue = Static<typeof QaIssue>;
export type Severity = ClipIssue['severity'];

/** Frames at most this far apart belong to one issue. */
const GAP = 5;
/** Most listed places of one kind; the worst one states how many more there are. A dance slides in 9. */
const LISTED = 25;

/** Consecutive frames that are wrong, `peak` of them at frame `at`. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly peak: number;
  readonly at: number;
  /** what the peak is of, such as an index of a joint */
  readonly which: number;
}

/** The frames in which `excess` is above 0, merged where they are near each other.
 *  @param excess of a frame; 0 or less (or NaN) if it is fine
 *  @param options.least frames in a row that count; shorter ones are left out before merging
 *  @param options.which what the peak is of */
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

/** Joins ranges that overlap or are at most `gap` frames apart; the higher peak stays. */
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

/** One issue for each of the worst ranges.
 *  @param tell text and severity for a range; the text without its full stop */
export function issuesOf(
  kind: CheckKind,
  ranges: readonly Range[],
  tell: (range: Range) => { severity: Severity; text: string; channels: readonly string[]; fix?: string | null },
): ClipIssue[] {
  const worst = [...ranges].sort((a, b) => b.peak - a.peak).slice(0, LISTED);
  return worst.map((range, index) => {
    const { severity, text, channels, fix = null } = tell(range);
    const others = index === 0 && ranges.length > LISTED ? `; ${ranges.length - LISTED} more such places` : '';
    return {
      ...{ kind, severity, text: `${text}${others}.`, frames: [range.start, range.end], fix },
      plot: { channels: [...channels], frame: range.start },
    };
  });
}

/** A number with its unit. */
export function withUnit(value: number, unit: string, digits = 2): string {
  return `${value.toFixed(digits)} ${unit}`;
}

/** `frame 12` or `frames 12 to 20`. */
export function framesText({ start, end }: { readonly start: number; readonly end: number }): string {
  return start === end ? `frame ${start}` : `frames ${start} to ${end}`;
}
