import type { Job } from '../protocol/schemas/jobs.ts';

/** Iterations that an automatic training makes at most in the estimates, as a multiple of its plan. */
export const LONGEST = 1.5;

/** Returns the steps after which a job has ended in the upper estimate: an automatic training continues beyond its plan
 *  while its evaluation rises.  @returns null if the steps are unknown */
export function mostSteps({ steps, params }: Pick<Job, 'steps' | 'params'>): number | null {
  const { automatic, max_iterations: planned } = params;
  if (steps === null || automatic !== true || typeof planned !== 'number') return steps;
  return Math.max(steps, Math.ceil(LONGEST * planned));
}

/** Returns the seconds until the time limit of an automatic training; infinity without a limit.
 *  @param now ISO time */
export function secondsLeft({ started, params }: Pick<Job, 'started' | 'params'>, now: string): number {
  const { max_minutes: limit } = params;
  if (started === null || typeof limit !== 'number') return Number.POSITIVE_INFINITY;
  return Math.max(0, 60 * limit - (Date.parse(now) - Date.parse(started)) / 1e3);
}

/** Returns the seconds that a training takes at most after its last step, for its last evaluations; 0 if unknown. */
export function secondsAfter({ params }: Pick<Job, 'params'>): number {
  const { final_evaluation_s: seconds } = params;
  return typeof seconds === 'number' && seconds > 0 ? seconds : 0;
}
