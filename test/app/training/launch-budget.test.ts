import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import {
  budgetOf,
  finalEvaluationS,
  iterationsFor,
  timeCheck,
  withBudget,
} from '../../../src/app/training/launch-budget.ts';
import type { LaunchPlan } from '../../../src/app/training/launch-plan.ts';
import type { Job } from '../../../src/protocol/schemas/jobs.ts';
import type { Trial } from '../../../src/train/dry-run/try-training.ts';

const hidden = { hidden_dims: [128, 128, 64], activation: 'elu' };
const algorithm = { num_learning_epochs: 0 };
const task = { episode_length_s: 10, decimation: 4, sim: { timestep: 0.005, contacts: 'soles' } };
const config = { agent: { num_steps_per_env: 24, max_iterations: 900, actor: hidden, critic: hidden, algorithm } };
const plan = {
  ...{ automatic: true, external: null, launcher: 'local', task: 'T', numEnvs: 100, maxIterations: 900 },
  ...{ config, trained: { ...config, ...task }, robot: { facts: { id: 'g1' } } },
  builtin: { profile: 'builtin', threads: 2, saveInterval: null },
} as unknown as LaunchPlan;
/** A trial on two threads of which each needs 0.2 ms per step. */
const trial = (seconds: number, complexity: number) =>
  ({
    demand: { seconds, complexity, offBalance: [], stepS: 2e-4 },
    size: { actorDim: 10, criticDim: 20, actions: 2, threads: 2 },
  }) as unknown as Trial;
const job = {
  ...{ kind: 'train', trainer: 'builtin', launcher: 'local', task: 'T', rate: 2, step: 300 },
  params: { robot: 'g1', num_envs: 100, threads: 2, profile: 'builtin', hidden_dims: '128-128-64', contacts: 'soles' },
} as unknown as Job;

test('more threads than cores do not shorten the time', () => {
  const cores = availableParallelism();
  const [few, many] = [cores, 8 * cores].map((threads) => {
    const { demand, size } = trial(10, 0.2);
    const given = { demand, size: { ...size, threads } } as unknown as Trial;
    return [budgetOf(plan, given, [], 240)!.seconds, finalEvaluationS(plan, given)];
  });
  expect(many).toEqual(few);
});

describe('the iterations follow from the motion', () => {
  test('a motion of at most ten easy seconds needs the iterations of the task', () => {
    expect(iterationsFor(900, { seconds: 10, complexity: 0.26 })).toBe(900);
    expect(iterationsFor(300, { seconds: 3, complexity: 0.1 })).toBe(300);
  });

  test('a demanding motion needs four times as many iterations, and never more than six times', () => {
    expect(iterationsFor(900, { seconds: 10, complexity: 0.6 })).toBe(3600);
    expect(iterationsFor(900, { seconds: 10, complexity: 1 })).toBe(5400);
  });

  test('a longer motion needs more iterations, but fewer than in proportion to its duration', () => {
    const whole = iterationsFor(900, { seconds: 260, complexity: 0.3 });
    expect(whole).toBeGreaterThan(9000);
    expect(whole).toBeLessThan(900 * 26);
  });
});

test('an exact number of iterations is used whatever the motion and the limit are', () => {
  const exact = { ...plan, automatic: false, maxIterations: 7 };
  const budget = budgetOf(exact, trial(1000, 1), [], 1)!;
  expect(budget).toMatchObject({ iterations: 7, env_steps: 7 * 2400 });
  expect(withBudget(exact, budget)).toBe(exact);
});

test('the plan of an automatic training gets the iterations of its budget', () => {
  const budget = budgetOf(plan, trial(10, 0.6), [], 240)!;
  const planned = withBudget(plan, budget);
  expect([planned.maxIterations, planned.config.agent.max_iterations, planned.trained.agent.max_iterations]).toEqual([
    3600, 3600, 3600,
  ]);
});

test('the time is estimated from an earlier training of the same kind, else from the trial', () => {
  const of = (jobs: readonly Job[]) => budgetOf(plan, trial(10, 0.2), jobs, 240)!.seconds;
  const [low, high] = of([job]);
  // 900 iterations at two a second are 450 s.
  expect(low).toBeLessThan(450);
  expect(high).toBeGreaterThan(450);
  // 2400 steps of 0.1 ms are 0.24 s an iteration.
  const [least, most] = of([]);
  expect(least).toBeLessThan(216);
  expect(most).toBeGreaterThan(216);
  const others = [
    { ...job, task: 'U' },
    { ...job, launcher: 'gpu' },
    { ...job, step: 5 },
    { ...job, rate: null },
    { ...job, params: { ...job.params, num_envs: 10 } },
    { ...job, params: { ...job.params, hidden_dims: '256-256-128' } },
    { ...job, params: { ...job.params, contacts: 'all' } },
    { ...job, params: { ...job.params, profile: 'task' } },
  ] as Job[];
  for (const other of others) expect(of([other])).toEqual([least, most]);
});

test('an automatic training is planned within the limit, and its time does not exceed it', () => {
  const budget = budgetOf(plan, trial(3600, 1), [job], 10)!;
  expect(budget.iterations).toBe(1200);
  expect(budget.seconds[1]).toBe(600);
  expect(budget.seconds[0]).toBeLessThanOrEqual(600);
});

test('a plan that the time limit cuts is explained', () => {
  const checkOf = (minutes: number) =>
    timeCheck(plan, trial(10, 0.6), budgetOf(plan, trial(10, 0.6), [job], minutes), minutes);
  expect(checkOf(240)).toBeNull();
  expect(checkOf(10)).toEqual({
    name: 'time',
    ok: true,
    text: expect.stringContaining('of 10 minutes allows about 1200 of the 3600 iterations'),
  });
});

test('the stated time of a short training contains its first and last evaluations', () => {
  const exact = { ...plan, automatic: false, maxIterations: 5 };
  const [low, high] = budgetOf(exact, trial(10, 0.2), [job], 240)!.seconds;
  // Five iterations take 2.5 s. 64 episodes of 500 steps after the last iteration and 128 with all contacts, which take
  // 1.5 times as long, are 128,000 steps of 0.1 ms: 12.8 s, if the policy tracks all of them.
  expect(low).toBeGreaterThan(2.5 + 2);
  expect(low).toBeLessThan(2.5 + 12.8);
  expect(high).toBeGreaterThan(2.5 + 12.8);
  // The estimate of the remaining time allows for a slower machine than in the trial.
  expect(finalEvaluationS(exact, trial(10, 0.2))).toBe(Math.ceil(1.6 * 12.8));
});

test('the stated time contains at least one iteration, however short the limit is', () => {
  // A rate of 0.01 iterations per second: an iteration takes 100 s, longer than the limit of a minute.
  const budget = budgetOf(plan, trial(10, 0.2), [{ ...job, rate: 0.01 }], 1)!;
  expect(budget.iterations).toBe(1);
  expect(budget.seconds[0]).toBeGreaterThan(59);
  expect(budget.seconds[1]).toBe(100);
});

test('an external trainer, or a motion that could not be measured, has no budget', () => {
  const external = { ...plan, external: { name: 'x' } } as unknown as LaunchPlan;
  expect(budgetOf(external, trial(10, 0.2), [], 240)).toBeNull();
  expect(budgetOf(plan, { demand: null } as unknown as Trial, [], 240)).toBeNull();
});
