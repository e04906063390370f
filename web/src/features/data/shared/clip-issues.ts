import type { Clip, Preview } from '../../../../../src/protocol/schemas/data.ts';

export type QaIssue = NonNullable<Preview['qa']>['issues'][number];
export type Severity = QaIssue['severity'];

/** Severities, the worst first. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

export const SEVERITY_NAME: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Notes',
};

/** Groups issues by severity, each group sorted by time; empty groups are omitted. */
export function bySeverity(
  issues: readonly QaIssue[],
): readonly { readonly severity: Severity; readonly issues: readonly QaIssue[] }[] {
  return SEVERITIES.map((severity) => ({
    severity,
    issues: issues.filter((issue) => issue.severity === severity).sort((a, b) => firstFrame(a) - firstFrame(b)),
  })).filter((group) => group.issues.length > 0);
}

export function firstFrame(issue: QaIssue): number {
  return issue.frames[0] ?? 0;
}

export function lastFrame(issue: QaIssue): number {
  return issue.frames[1] ?? firstFrame(issue);
}

/** Returns the frame that a click on an issue goes to: the frame that shows the issue best, within its range. */
export function shownFrame(issue: QaIssue): number {
  const { frame } = issue.plot;
  return frame >= firstFrame(issue) && frame <= lastFrame(issue) ? frame : firstFrame(issue);
}

/** Shortens the text of an issue to its measured values. Omits the frames, which are shown beside the text as a time,
 *  and the tolerance and details, which are shown when the issue is opened. */
export function briefIssue(text: string): string {
  return text
    .replace(/\s*\(tolerated[^)]*\)/g, '')
    .replace(/;.*$/s, '')
    .replace(/ (?:in|at) frames? \d+(?: to \d+)?/g, '')
    .replace(/\.$/, '');
}

/** Formats the time of an issue: `1:11.20` for an instant, `1:54.9 – 1:56.2` for a range. */
export function issueTime(issue: QaIssue, fps: number): string {
  const from = firstFrame(issue) / fps;
  const to = lastFrame(issue) / fps;
  if (!(fps > 0)) return `${firstFrame(issue)}`;
  if (to - from < 0.1) return minutes(from, 2);
  return `${minutes(from, 1)} – ${minutes(to, 1)}`;
}

function minutes(seconds: number, decimals: number): string {
  const scale = 10 ** decimals;
  const units = Math.round(seconds * scale);
  const whole = Math.floor(units / scale);
  const rest = String(units % scale).padStart(decimals, '0');
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}.${rest}`;
}

/** Marker of a timeline. Issues whose markers would overlap share one, which has the worst severity. */
export interface Marker {
  /** start as a share of the clip, 0..1 */
  readonly at: number;
  /** end of the group's longest range as a share of the clip, 0..1 */
  readonly to: number;
  readonly severity: Severity;
  readonly issues: readonly QaIssue[];
}

/** @param width px of the lane  @param gap minimum distance between two markers, px */
export function markersOf(issues: readonly QaIssue[], frames: number, width: number, gap = 12): readonly Marker[] {
  const last = Math.max(1, frames - 1);
  const sorted = [...issues].sort((a, b) => firstFrame(a) - firstFrame(b));
  const groups: QaIssue[][] = [];
  for (const issue of sorted) {
    const group = groups.at(-1);
    const head = group?.[0];
    const near = head !== undefined && ((firstFrame(issue) - firstFrame(head)) / last) * width < gap;
    if (group !== undefined && near) group.push(issue);
    else groups.push([issue]);
  }
  return groups.map((group) => ({
    at: Math.min(1, firstFrame(group[0]!) / last),
    to: Math.min(1, Math.max(...group.map(lastFrame)) / last),
    severity: SEVERITIES.find((severity) => group.some((issue) => issue.severity === severity)) ?? 'info',
    issues: group,
  }));
}

/** Returns the next issue after (+1) or before (−1) a frame, excluding issues at the frame itself; null if there are no
 *  more. */
export function nextIssue(issues: readonly QaIssue[], frame: number, direction: 1 | -1): QaIssue | null {
  const beyond = issues.filter((issue) => (shownFrame(issue) - frame) * direction > 0);
  if (beyond.length === 0) return null;
  return beyond.reduce((best, issue) => ((shownFrame(best) - shownFrame(issue)) * direction > 0 ? issue : best));
}

/** Returns the badge of a clip's checks: shape by the worst issue, text with the number of issues. */
export function badgeOf(qa: Clip['qa']): { readonly kind: 'ok' | Severity; readonly text: string } | null {
  if (qa === null) return null;
  return qa.issues === 0 ? { kind: 'ok', text: 'OK' } : { kind: qa.worst, text: String(qa.issues) };
}

const FIX_NAME: Readonly<Record<string, string>> = {
  swap_quaternion: 'Swap quaternion',
  normalize_quaternion: 'Normalise quaternion',
  reorder_joints: 'Reorder joints',
  reorder_bodies: 'Reorder bodies',
  trim_first_frame: 'Trim first frame',
  debias_z: 'Fix floor offset',
  degrees: 'Read joints in degrees',
  y_up: 'Turn y up to z up',
};

/** Returns the button label of a repair: `debias_z` → `Fix floor offset`, `input_fps:60` → `Read at 60 fps`. */
export function fixName(fix: string): string {
  const [kind = '', value = ''] = fix.split(':', 2);
  if (kind === 'input_fps') return `Read at ${value} fps`;
  if (kind === 'scale_positions') return `Scale positions by ${value}`;
  if (kind === 'trim_first_frame' && Number(value) > 1) return `Trim first ${value} frames`;
  const name = FIX_NAME[kind] ?? kind.replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the repairs proposed by a clip's issues, without duplicates. */
export function fixesOf(issues: readonly QaIssue[]): readonly string[] {
  return [...new Set(issues.flatMap((issue) => (issue.fix === null ? [] : [issue.fix])))];
}
