import { fixed } from '../../ui/format.ts';

/** The part of a clip that the charts show, s. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Minimum number of frames in a window. */
const LEAST_FRAMES = 4;
/** Position of the playhead in a window that has just followed it, 0..1. */
const FOLLOWED_AT = 0.1;

export function wholeClip(duration: number): TimeWindow {
  return { from: 0, to: duration };
}

/** A clip longer than this, s, opens with a part of it. As a whole, its lines would look like noise. */
const LONG_S = 30;
/** Length of that part, s. */
const PART_S = 10;

/** Returns the window of a clip that has just been opened: the whole clip, of a long one the part around a time.
 *  @param time of the playhead, s */
export function firstWindow(duration: number, time: number): TimeWindow {
  if (duration <= LONG_S) return wholeClip(duration);
  return clampWindow({ from: time - PART_S / 2, to: time + PART_S / 2 }, duration);
}

/** Moves a window into the clip without changing its length. A window longer than the clip becomes the whole clip. */
export function clampWindow({ from, to }: TimeWindow, duration: number): TimeWindow {
  const span = to - from;
  if (!(span < duration)) return wholeClip(duration);
  const start = Math.min(Math.max(0, from), duration - span);
  return { from: start, to: start + span };
}

/** Scales the length of a window by `factor`, keeping the position of the time `at`. @param at s */
export function zoomWindow(
  window: TimeWindow,
  at: number,
  factor: number,
  { duration, fps }: { readonly duration: number; readonly fps: number },
): TimeWindow {
  const span = window.to - window.from;
  const least = Math.min(duration, LEAST_FRAMES / fps);
  const next = Math.min(duration, Math.max(least, span * factor));
  const share = span > 0 ? (Math.min(window.to, Math.max(window.from, at)) - window.from) / span : 0;
  const from = window.from + share * (span - next);
  return clampWindow({ from, to: from + next }, duration);
}

/** @param by distance, positive towards the end, s */
export function panWindow(window: TimeWindow, by: number, duration: number): TimeWindow {
  return clampWindow({ from: window.from + by, to: window.to + by }, duration);
}

/** Returns a window that contains `time`: the same window if possible, else a window of the same length moved to
 *  `time`. */
export function followTime(window: TimeWindow, time: number, duration: number): TimeWindow {
  if (time >= window.from && time <= window.to) return window;
  const span = window.to - window.from;
  const from = time - FOLLOWED_AT * span;
  return clampWindow({ from, to: from + span }, duration);
}

/** Returns a window around a range of frames, wide enough to show what comes before and after. */
export function windowAround(first: number, last: number, fps: number, duration: number): TimeWindow {
  const length = (last - first) / fps;
  const span = Math.max(4, 3 * length);
  const middle = (first + last) / 2 / fps;
  return clampWindow({ from: middle - span / 2, to: middle + span / 2 }, duration);
}

/** Returns the frame nearest to a position in a window. @param share 0 at the left edge, 1 at the right */
export function frameAt(window: TimeWindow, share: number, fps: number, frames: number): number {
  const time = window.from + share * (window.to - window.from);
  return Math.min(frames - 1, Math.max(0, Math.round(time * fps)));
}

/** Returns the position of a frame in a window: 0 at the left edge, 1 at the right, below or above if not visible. */
export function shareOf(window: TimeWindow, frame: number, fps: number): number {
  const span = window.to - window.from;
  return span > 0 ? (frame / fps - window.from) / span : 0;
}

const STEPS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600] as const;

/** Returns the labelled ticks of a window's time axis, at least `gap` px apart. @param width px
 *  @param now time that labels are relative to, with its name; null for labels relative to 0 */
export function windowTicks(
  { from, to }: TimeWindow,
  width: number,
  gap = 56,
  now: { readonly time: number; readonly label: string } | null = null,
): readonly { readonly time: number; readonly label: string }[] {
  const span = to - from;
  if (!(span > 0) || !(width > 0)) return [];
  const most = Math.max(1, width / gap);
  const step = STEPS_S.find((s) => span / s <= most) ?? 3600 * Math.ceil(span / (3600 * most));
  const decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  const ticks = [];
  const origin = now?.time ?? 0;
  for (let k = Math.ceil((from - origin) / step - 1e-6); k * step <= to - origin + 1e-6; k++) {
    const label = now === null ? clockLabel(k * step, decimals) : agoLabel(k * step, decimals, now.label);
    ticks.push({ time: origin + k * step, label });
  }
  return ticks;
}

/** Formats a time relative to the newest row: `−12 s`, `−0.25 s`; the newest row has a name. */
function agoLabel(seconds: number, decimals: number, now: string): string {
  return Math.abs(seconds) < 0.5 * 10 ** -decimals ? now : `${fixed(seconds, decimals)} s`;
}

/** Formats a time of plotted data as the time axis does. */
export function instantLabel(
  time: number,
  decimals: number,
  { duration, nowLabel }: { readonly duration: number; readonly nowLabel: string | null },
): string {
  return nowLabel === null ? clockLabel(time, decimals) : agoLabel(time - duration, decimals, nowLabel);
}

/** Formats a time as `m:ss`, `m:ss.s` or `m:ss.ss`. */
export function clockLabel(seconds: number, decimals: number): string {
  const scale = 10 ** decimals;
  const units = Math.round(Math.max(0, seconds) * scale);
  const minutes = Math.floor(units / (60 * scale));
  const rest = ((units - 60 * scale * minutes) / scale).toFixed(decimals);
  return `${minutes}:${rest.padStart(decimals > 0 ? 3 + decimals : 2, '0')}`;
}
