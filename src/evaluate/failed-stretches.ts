import type { ReportData } from './report/report-data.ts';

/** A part of a clip around one or several failures, s. */
export interface Stretch {
  readonly clip: string;
  readonly fromS: number;
  readonly toS: number;
}

export interface StretchOptions {
  /** only clips whose success is below this share are used, 0..1 */
  readonly below: number;
  /** time before and after a failure, s */
  readonly marginS: number;
  /** absent: all */
  readonly checkpoint?: string;
  readonly condition?: string;
}

/** Returns the parts of clips around failures, ordered by clip and time. They end at the latest where the last episode
 *  of the clip would have ended. Overlapping parts are joined. The success of a clip is computed for each checkpoint
 *  and condition separately. All checkpoints and conditions are included, unless the options name one. */
export function failedStretches(
  { evaluation, clips, groups }: ReportData,
  { below, marginS, checkpoint, condition }: StretchOptions,
): Stretch[] {
  const { control_hz: hz } = evaluation.protocol;
  const spans = clips.map((): { from: number; to: number }[] => []);
  const lengths = clips.map(() => 0);
  for (const group of groups) {
    for (const { clip, start, possible } of group.episodes) lengths[clip] = Math.max(lengths[clip]!, start + possible);
    if (checkpoint !== undefined && group.checkpoint !== checkpoint) continue;
    if (condition !== undefined && group.condition !== condition) continue;
    for (const index of clips.keys()) {
      const own = group.episodes.filter(({ clip }) => clip === index);
      const failures = own.flatMap(({ failure }) => failure ?? []);
      if (own.length === 0) continue;
      const success = (own.length - failures.length) / own.length;
      if (success >= below) continue;
      for (const { frame } of failures) spans[index]!.push({ from: frame / hz - marginS, to: frame / hz + marginS });
    }
  }
  return clips.flatMap((clip, index) =>
    joined(spans[index]!).map(({ from, to }) => ({
      clip,
      fromS: Math.max(0, from),
      toS: Math.min(lengths[index]! / hz, to),
    })),
  );
}

function joined(spans: readonly { readonly from: number; readonly to: number }[]): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}
