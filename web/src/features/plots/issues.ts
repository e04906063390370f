import { firstFrame, lastFrame, type QaIssue } from '../data/shared/clip-issues.ts';
import type { Chart } from './channels.ts';
import type { PlotData } from './plot-data.ts';
import { shareOf, type TimeWindow } from './time-window.ts';

/** An issue badge above the charts. */
export interface IssueBadge {
  readonly issue: QaIssue;
  /** px from the left edge of the plots */
  readonly left: number;
  /** number of other issues under the same badge */
  readonly more: number;
}

const RANK = { error: 0, warning: 1, info: 2 } as const;

function sameIssue(a: QaIssue, b: QaIssue | null): boolean {
  return b !== null && a.kind === b.kind && a.text === b.text && firstFrame(a) === firstFrame(b);
}

/** Returns true if the chart shows at least one channel (a joint or a body) in which the issue was found. */
export function concerns(issue: QaIssue, chart: Chart, data: PlotData): boolean {
  return chart.lines.some(({ channel }) => issue.plot.channels.includes(data.channels[channel]?.id ?? ''));
}

/** Places a badge for each issue in the window. Overlapping issues share a badge, which shows the chosen issue, else
 *  the worst one. @param width width of the plots, px  @param room width of a badge, px */
export function layBadges(
  issues: readonly QaIssue[],
  window: TimeWindow,
  fps: number,
  width: number,
  { chosen = null, room = 120 }: { readonly chosen?: QaIssue | null; readonly room?: number } = {},
): readonly IssueBadge[] {
  const rank = (issue: QaIssue) => (sameIssue(issue, chosen) ? -1 : RANK[issue.severity]);
  const seen = issues
    .map((issue) => ({
      issue,
      from: shareOf(window, firstFrame(issue), fps),
      to: shareOf(window, lastFrame(issue), fps),
    }))
    .filter(({ from, to }) => to >= 0 && from <= 1)
    .sort((a, b) => rank(a.issue) - rank(b.issue) || a.from - b.from);
  const badges: { issue: QaIssue; left: number; more: number }[] = [];
  for (const { issue, from, to } of seen) {
    const middle = ((Math.max(0, from) + Math.min(1, to)) / 2) * width;
    const left = Math.min(Math.max(0, width - room), Math.max(0, middle - room / 2));
    const covered = badges.find((badge) => Math.abs(badge.left - left) < room);
    if (covered === undefined) badges.push({ issue, left, more: 0 });
    else covered.more += 1;
  }
  return badges.sort((a, b) => a.left - b.left);
}
