const STEPS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600] as const;

export interface Tick {
  readonly time: number;
  readonly label: string;
}

/** Returns labelled ticks of a time axis, as many as fit at least `minGap` px apart, and unlabelled ticks between them.
 *  @param duration s  @param width px */
export function timelineTicks(
  duration: number,
  width: number,
  minGap = 72,
): { major: readonly Tick[]; minor: readonly number[] } {
  if (!(duration > 0) || !(width > 0)) return { major: [], minor: [] };
  const most = Math.max(1, Math.floor(width / minGap));
  const step = STEPS_S.find((s) => duration / s <= most) ?? 3600 * Math.ceil(duration / (3600 * most));
  const decimals = step < 0.1 || step === 0.25 ? 2 : step < 1 ? 1 : 0;
  const label = (t: number) => {
    const minutes = Math.floor(t / 60 + 1e-9);
    const rest = Math.max(0, t - 60 * minutes).toFixed(decimals);
    return `${minutes}:${rest.padStart(decimals > 0 ? 3 + decimals : 2, '0')}`;
  };
  const major: Tick[] = [];
  const minor: number[] = [];
  const parts = 4;
  for (let k = 0; k * step <= duration * parts + 1e-9; k++) {
    const time = (k * step) / parts;
    if (time > duration + 1e-9) break;
    if (k % parts === 0) major.push({ time, label: label(time) });
    else minor.push(time);
  }
  return { major, minor };
}

/** Returns the time of a clip's last frame, s; 0 for a clip of one frame. */
export function clipDuration(frames: number, fps: number): number {
  return frames > 1 && fps > 0 ? (frames - 1) / fps : 0;
}
