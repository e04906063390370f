import type { Summary } from '../protocol/schemas/evaluation.ts';
import type { RunScore } from '../protocol/schemas/jobs.ts';

/** Returns the score of a run: how well a checkpoint tracked, and how long its episodes could have lasted on average.
 *  @returns null if every episode failed in its first step, so that the possible time is unknown */
export function scoreOf({
  tracked_s: tracked,
  tracked_share: share,
  success,
  errors,
}: Pick<Summary, 'tracked_s' | 'tracked_share' | 'success' | 'errors'>): Omit<RunScore, 'by'> | null {
  if (!(share > 0)) return null;
  return { tracked_s: tracked, horizon_s: tracked / share, success, body_pos: errors.body_pos };
}
