import { type EvaluationMetric, summaryOf } from '../protocol/evaluation-metrics.ts';
import type { Condition, JointMargin, Robustness, Row, Summary } from '../protocol/schemas/evaluation.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { EpisodeResult, JointLoads } from './episode-result.ts';
import { addMoments, followingOf } from './follow-meter.ts';
import { METRIC_RATIOS } from './metric-ratios.ts';

/** Success below which a condition is considered too hard for the policy. */
const BREAKS = 0.9;

/** Metrics of several episodes. */
export type Metrics = Omit<Summary, 'checkpoint' | 'condition'>;

/** Returns the metrics of at least one episode: means and RMS over all tracked steps together. */
export function metricsOf(episodes: readonly EpisodeResult[], controlHz: number): Metrics {
  const value = (metric: EvaluationMetric) => {
    const { over, under, finish } = METRIC_RATIOS[metric];
    let [above, below] = [0, 0];
    for (const episode of episodes) {
      above += over(episode);
      below += under(episode);
    }
    return finish(below === 0 ? 0 : above / below, controlHz);
  };
  return { episodes: episodes.length, ...summaryOf(value) };
}

/** Returns the results of one clip. @param episodes episodes of that clip, at least one */
export function rowOf(
  names: { readonly checkpoint: string; readonly condition: string; readonly clip: string },
  episodes: readonly EpisodeResult[],
  controlHz: number,
): Row {
  const share = ({ steps, possible }: EpisodeResult) => steps / possible;
  const error = ({ steps, body_pos_local: sum }: EpisodeResult) => (steps === 0 ? 0 : sum / steps);
  // Report the episode that failed first; without a failure, the one with the largest error.
  const { start, failure } = episodes.reduce((worst, each) => {
    if (share(each) !== share(worst)) return share(each) < share(worst) ? each : worst;
    return error(each) > error(worst) ? each : worst;
  });
  const { frame: failed = null, term = null, subject = null, value = null, limit = null, unit = null } = failure ?? {};
  const { checkpoint, condition, clip } = names;
  return {
    checkpoint,
    condition,
    ...metricsOf(episodes, controlHz),
    clip,
    worst: { start, failed, term, subject, value, limit, unit },
  };
}

/** Adds the loads of two groups of episodes. */
export function addLoads(a: JointLoads, b: JointLoads): JointLoads {
  const largest = (x: readonly number[], y: readonly number[]) => x.map((value, j) => Math.max(value, y[j]!));
  const sum = (x: readonly number[], y: readonly number[]) => x.map((value, j) => value + y[j]!);
  return {
    steps: a.steps + b.steps,
    torque_peak: largest(a.torque_peak, b.torque_peak),
    torque_squares: sum(a.torque_squares, b.torque_squares),
    saturated: sum(a.saturated, b.saturated),
    speed_peak: largest(a.speed_peak, b.speed_peak),
    power_peak: largest(a.power_peak, b.power_peak),
    heat_squares: sum(a.heat_squares, b.heat_squares),
    moments: addMoments(a.moments, b.moments),
  };
}

/** Returns how close each joint came to its limits. */
export function marginsOf(
  names: { readonly checkpoint: string; readonly condition: string },
  loads: JointLoads,
  facts: RobotFacts,
  controlHz: number,
): JointMargin[] {
  const steps = Math.max(1, loads.steps);
  const following = followingOf(loads.moments, loads.steps, controlHz);
  return facts.joints.map(({ name, velocityLimit, continuousTorque }, j) => ({
    ...names,
    joint: name,
    torque_peak: loads.torque_peak[j]!,
    torque_rms: Math.sqrt(loads.torque_squares[j]! / steps),
    saturated: loads.saturated[j]! / steps,
    speed_peak: velocityLimit === null ? 0 : loads.speed_peak[j]! / velocityLimit,
    power_peak: loads.power_peak[j]!,
    follows: following[j]!.follows,
    exchanged_with: nameAt(following[j]!.exchangedWith, facts),
    heat: continuousTorque === undefined ? null : Math.sqrt(loads.heat_squares[j]! / steps) / continuousTorque,
  }));
}

function nameAt(joint: number | null, { joints }: RobotFacts): string | null {
  return joint === null ? null : joints[joint]!.name;
}

/** Returns the success as a function of each setting that conditions vary alone, that is, conditions with exactly one
 *  number besides their name. @param summary results of one checkpoint, one per condition, in the same order */
export function robustnessOf(conditions: readonly Condition[], summary: readonly Summary[]): Robustness[] {
  const fields = new Map<string, { values: number[]; success: number[] }>();
  for (const [k, { name: _, ...settings }] of conditions.entries()) {
    const [setting, ...others] = Object.entries(settings);
    if (!setting || others.length > 0 || typeof setting[1] !== 'number') continue;
    const known = fields.get(setting[0]) ?? { values: [], success: [] };
    known.values.push(setting[1]);
    known.success.push(summary[k]!.success);
    fields.set(setting[0], known);
  }
  return [...fields].map(([field, { values, success }]) => {
    const broken = success.findIndex((share) => share < BREAKS);
    return { field, values, success, breaks_at: broken < 0 ? null : values[broken]! };
  });
}
