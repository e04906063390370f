import { expect, test } from 'vitest';
import type { LaunchTrial, Trainer } from '../../../../src/protocol/schemas/jobs.ts';
import {
  bodyOf,
  commandLine,
  EMPTY_FORM,
  isComplete,
  numberProblem,
  shellLine,
  timeText,
} from '../../../../web/src/features/train/launch-form.ts';

const form = { ...EMPTY_FORM, task: 'Wbc-G1', dataset: 'walks' };
const narrow: Trainer = {
  name: 'theirs',
  num_envs: 4096,
  max_iterations: null,
  takes: ['num_envs'],
  loggers: ['tensorboard'],
  extra: '',
};

test('omitted fields are left to the trainer, typed values are sent', () => {
  expect(bodyOf(form, null)).toEqual({ task: 'Wbc-G1', dataset: 'walks', start_from: 'best' });
  const typed = { ...form, numEnvs: ' 64 ', maxIterations: '20', seed: '0', runName: 'a', extra: ' --threads=2 ' };
  expect(bodyOf(typed, null)).toEqual({
    task: 'Wbc-G1',
    dataset: 'walks',
    num_envs: 64,
    max_iterations: 20,
    seed: 0,
    run_name: 'a',
    extra: '--threads=2',
    start_from: 'best',
  });
});

test('the best start is preselected and can be switched off; a resumed training does not have a start', () => {
  expect(bodyOf({ ...form, startFrom: 'fresh' }, null)).not.toHaveProperty('start_from');
  expect(bodyOf({ ...form, startFrom: 'e/r' }, null)).toMatchObject({ start_from: 'e/r' });
  expect(bodyOf({ ...form, resumeRun: 'e/r' }, null)).not.toHaveProperty('start_from');
  expect(bodyOf(form, narrow)).not.toHaveProperty('start_from');
});

test('the expected time is shown in one unit, and the text says whether the plan may change', () => {
  const budget = { env_steps: 2_764_800, iterations: 900, seconds: [180, 480] as [number, number] };
  const reply = { budget, params: { automatic: true } } as unknown as LaunchTrial;
  expect(timeText(reply)).toEqual({
    brief: 'About 3 to 8 min, 2.8 M steps',
    full: 'About 3 to 8 min, 2.8 M steps; a plan of 900 iterations, which ends earlier or later with the evaluation',
  });
  expect(timeText({ ...reply, params: {} })?.full).toBe('About 3 to 8 min, 2.8 M steps; exactly 900 iterations');
  const times = ([low, high]: [number, number]) =>
    timeText({ ...reply, budget: { ...budget, seconds: [low, high] } })!.brief.split(',')[0];
  expect([times([3, 9]), times([95, 100]), times([3000, 9000])]).toEqual([
    'About 3 to 9 s',
    'About 2 min',
    'About 0.8 to 2.5 h',
  ]);
  const steps = (env_steps: number) => timeText({ ...reply, budget: { ...budget, env_steps } })!.brief.split(', ')[1];
  expect([steps(3072), steps(153_600_000), steps(1_966_080_000)]).toEqual([
    '0.0031 M steps',
    '150 M steps',
    '2000 M steps',
  ]);
  expect(timeText({ ...reply, budget: null })).toBeNull();
  expect(timeText(null)).toBeNull();
});

test('a field unknown to the trainer is not sent, and a checkpoint only with its run', () => {
  const typed = { ...form, trainer: 'theirs', numEnvs: '8', seed: '3', resumeRun: 'e/r', resumeCheckpoint: 'm.pt' };
  expect(bodyOf(typed, narrow)).toEqual({ task: 'Wbc-G1', dataset: 'walks', num_envs: 8, trainer: 'theirs' });
  expect(bodyOf({ ...form, resumeCheckpoint: 'm.pt' }, null)).not.toHaveProperty('resume_checkpoint');
  expect(bodyOf({ ...form, resumeRun: 'e/r', resumeCheckpoint: 'm.pt' }, null)).toMatchObject({
    resume_run: 'e/r',
    resume_checkpoint: 'm.pt',
  });
});

test('invalid numbers prevent the request', () => {
  expect(numberProblem('numEnvs', '0')).toContain('1 to 65536');
  expect(numberProblem('seed', '0')).toBeNull();
  expect(isComplete({ ...form, numEnvs: 'x' })).toBe(false);
  expect(isComplete({ ...form, dataset: '' })).toBe(false);
  expect(isComplete(form)).toBe(true);
});

test('command lines for a shell are quoted', () => {
  expect(shellLine({ task: 'T', dataset: "it's" }, 'http://a')).toBe(
    `curl http://a/api/train/launch --json '{"task":"T","dataset":"it'\\''s"}'`,
  );
  expect(commandLine(['uv', 'run', '--a=1', 'b c'])).toBe("uv run --a=1 'b c'");
});
