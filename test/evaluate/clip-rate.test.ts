import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planEpisodes } from '../../src/evaluate/episodes.ts';
import { evaluationTask, runUnit } from '../../src/evaluate/run-unit.ts';
import { metricsOf } from '../../src/evaluate/summarise.ts';
import { withCondition } from '../../src/mdp/conditions/with-condition.ts';
import { type EvaluationMetric, METRIC_NAMES, metricOf } from '../../src/protocol/evaluation-metrics.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { builtinClip } from '../support/clips.ts';
import { clipSource, preparedHumanoid } from '../support/robots.ts';
import { deployConfig, libraryOf } from '../support/tracking.ts';

/** Largest relative difference of a metric: what linear interpolation between the frames of 30 fps leaves. Third
 *  differences amplify it. */
const tolerance = (metric: EvaluationMetric) => (metric === 'jerk' ? 0.1 : 0.02);

test('the metrics of one motion are the same from files of 30, 50 and 120 frames per second', async () => {
  const prepared = await preparedHumanoid();
  const { facts, physicsPath } = clipSource(prepared);
  const parts = { mj: await loadMujoco(), physics: readFileSync(physicsPath), facts, seed: 0 };
  const config = evaluationTask(withCondition(deployConfig(facts), { name: 'nominal' }, facts));
  const measured = [];
  for (const fps of [30, 50, 120]) {
    const library = await libraryOf(prepared, { sway: builtinClip('idle_sway', fps) });
    const episodes = planEpisodes(library, 2, 2);
    const { episodes: results } = runUnit({ ...parts, library }, { config, policy: null, episodes, first: 0 });
    measured.push(metricsOf(results, library.fps));
  }
  const [at30, at50, at120] = measured as [(typeof measured)[0], (typeof measured)[0], (typeof measured)[0]];
  expect(at50.errors.joint_vel).toBeGreaterThan(0);
  for (const metric of METRIC_NAMES)
    for (const other of [at30, at120]) {
      const wanted = metricOf(at50, metric);
      expect(Math.abs(metricOf(other, metric) - wanted), metric).toBeLessThanOrEqual(
        tolerance(metric) * Math.abs(wanted),
      );
    }
});
