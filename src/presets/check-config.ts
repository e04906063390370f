import { nameProblem } from '../core/files/names.ts';
import type { ObservationTermConfig, TaskConfig } from '../mdp/task-config.ts';
import { terrainProblem } from '../mdp/terrain/terrain-field.ts';
import { KnobError } from './knobs/merge-overrides.ts';

/** Checks values that depend on each other. @throws KnobError */
export function checkConfig(config: TaskConfig): void {
  for (const [group, { terms }] of Object.entries(config.observations)) {
    const at = ['observations', group, 'terms'];
    if (Object.keys(terms).length === 0) throw new KnobError(at, 'must keep at least one term');
    for (const [name, term] of Object.entries(terms)) checkTerm([...at, name], term);
  }
  const ground = terrainProblem(config.scene.terrain);
  if (ground) throw new KnobError(['scene', 'terrain', ground.knob], ground.text);
  // The name is also used as the name of a folder of runs.
  const problem = nameProblem('run-folder', config.agent.experiment_name);
  if (problem !== null) throw new KnobError(['agent', 'experiment_name'], problem);
  for (const [name, event] of Object.entries(config.events)) {
    if (event.mode === 'interval' && event.interval_range_s === null)
      throw new KnobError(['events', name, 'interval_range_s'], 'must be two numbers where mode is interval');
  }
}

function checkTerm(at: readonly string[], { delay_min_lag, delay_max_lag, noise }: ObservationTermConfig): void {
  if (delay_min_lag > delay_max_lag)
    throw new KnobError([...at, 'delay_min_lag'], `must not be greater than delay_max_lag, ${delay_max_lag}`);
  if (noise === null) return;
  const { n_min: low, n_max: high } = noise;
  if (typeof low === 'object' && typeof high === 'object' && low.length !== high.length)
    throw new KnobError([...at, 'noise', 'n_min'], `must have as many numbers as n_max, ${high.length}`);
  const count = Math.max(lengthOf(low), lengthOf(high));
  for (let k = 0; k < count; k++) {
    if (itemOf(low, k) > itemOf(high, k))
      throw new KnobError([...at, 'noise', 'n_min'], 'must not be greater than n_max');
  }
}

function lengthOf(value: number | readonly number[]): number {
  return typeof value === 'number' ? 1 : value.length;
}

function itemOf(value: number | readonly number[], index: number): number {
  return typeof value === 'number' ? value : value[index]!;
}
