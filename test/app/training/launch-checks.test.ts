import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLaunch, refuseFailed } from '../../../src/app/training/launch-checks.ts';
import type { LaunchPlan } from '../../../src/app/training/launch-plan.ts';
import { RunNames } from '../../../src/app/training/run-names.ts';
import type { TrainingDeps } from '../../../src/app/training/training-deps.ts';
import { StudioError } from '../../../src/core/errors.ts';
import { ExternalTrainer } from '../../../src/jobs/trainers/external-trainer.ts';
import type { CheckpointShape } from '../../../src/train/dry-run/checkpoint-shape.ts';
import type { Trial } from '../../../src/train/dry-run/try-training.ts';

let runsFolder: string;
beforeEach(() => {
  runsFolder = mkdtempSync(path.join(tmpdir(), 'motion-studio-launch-'));
});
afterEach(() => rmSync(runsFolder, { recursive: true }));

const trial: Trial = {
  checks: [{ name: 'clips', ok: true, text: '3 clips' }],
  actor: { inputs: 10, outputs: 2 },
  critic: { inputs: 20, outputs: 1 },
  motionS: 10,
  resting: null,
  size: {
    ...{ actorDim: 10, criticDim: 20, actions: 2, numEnvs: 4, envBytes: 1e5, threads: 1 },
    libraryBytes: 1e6,
  },
  demand: null,
};
const agent = {
  experiment_name: 'wbc_x',
  save_interval: 10,
  max_iterations: 100,
  num_steps_per_env: 24,
  actor: { hidden_dims: [8], activation: 'elu', obs_normalization: true },
  critic: { hidden_dims: [4], activation: 'elu', obs_normalization: true },
  algorithm: { num_mini_batches: 4 },
};
const observations = {
  actor: { terms: { q: { func: 'joint_pos' }, v: { func: 'joint_vel' } } },
  critic: { terms: { v: { func: 'joint_vel' } } },
};
const plan = {
  ...{
    config: { agent },
    trained: { agent, sim: {}, observations },
    external: null,
    launcher: 'local',
    numEnvs: 4,
    resume: null,
    startFrom: 'fresh',
    task: 'T',
  },
  ...{ clips: [], missing: 0, excluded: 0, weightless: 0, discarded: [] },
  builtin: { profile: 'builtin', threads: 1, saveInterval: null },
} as unknown as LaunchPlan;
const deps = (more: Partial<TrainingDeps> = {}) => ({ runsFolder, ...more }) as TrainingDeps;
const failed = async (more: Partial<LaunchPlan>, tried: Partial<Trial> = {}, with_ = deps()) =>
  (await checkLaunch(with_, { ...plan, ...more }, { ...trial, ...tried })).filter(({ ok }) => !ok);

/** A plan with hidden layers of these widths, whose memory is not checked. */
function withHidden(hidden: readonly number[]): Partial<LaunchPlan> {
  const wide = { ...agent, actor: { ...agent.actor, hidden_dims: hidden } };
  return { config: { agent: wide }, trained: { agent: wide, sim: {} }, launcher: 'cluster' } as unknown as LaunchPlan;
}

function refusal(checks: Parameters<typeof refuseFailed>[0]): StudioError {
  try {
    refuseFailed(checks);
  } catch (error) {
    if (error instanceof StudioError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('a launch of any trainer names the clip that stands off balance longest', async () => {
  const stretch = { clip: 'stretch', seconds: 3.81, start: 6.4, distance: 0.0912, measuredS: 10, whole: true };
  const kick = { clip: 'kick', seconds: 1, start: 2, distance: 0.06, measuredS: 20, whole: false };
  const balance = async (offBalance: readonly (typeof kick)[], more: Partial<LaunchPlan> = {}) => {
    const tried = { ...trial, demand: { seconds: 10, complexity: 0.4, stepS: 1e-4, offBalance } };
    const checks = await checkLaunch(deps({ searchPath: '/usr/bin' }), { ...plan, ...more }, tried);
    return checks.filter(({ name }) => name === 'balance');
  };
  expect(await balance([])).toEqual([]);
  const text =
    'clip "stretch" stands off balance for 3.8 s of its 10.0 s, first after 6.4 s. On average over a second, the zero moment point is up to 0.09 m outside the soles. The robot cannot hold such a pose and must deviate from the clip, so the policy may need more iterations than planned';
  const external = new ExternalTrainer('far', { command: ['no-such-trainer'] }, runsFolder);
  for (const more of [{}, { external }])
    expect(await balance([stretch], more)).toEqual([{ name: 'balance', ok: true, text }]);
  const [two] = await balance([stretch, kick]);
  expect(two?.text).toContain('first after 6.4 s; so does 1 more clip. On average');
  const [middle] = await balance([kick]);
  expect(middle?.text).toContain('for 1.0 s of its middle 20.0 s, first after 2.0 s of this part. On average');
});

test('a training that fits passes; skipped clips are named', async () => {
  const checks = await checkLaunch(deps(), { ...plan, missing: 2 }, trial);
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['clips', true],
    ['memory', true],
    ['disk', true],
  ]);
  expect(checks[0]!.text).toBe('3 clips; 2 of the dataset are not converted and therefore skipped');
  expect(() => refuseFailed(checks)).not.toThrow();
});

test('a clip that rests on more than its feet gets a warning if only the soles collide', async () => {
  const resting = { clip: 'nap', body: 'torso' };
  const textWith = async (contacts: 'all' | 'light' | 'soles', feet: readonly string[] = ['left']) => {
    const robot = { facts: { wiring: { feet } } };
    const planned = { ...plan, robot, trained: { ...plan.trained, sim: { contacts } } } as unknown as LaunchPlan;
    return (await checkLaunch(deps(), planned, { ...trial, resting }))[0]!.text;
  };
  expect(await textWith('all')).toBe('3 clips');
  expect(await textWith('light')).toBe('3 clips');
  expect(await textWith('soles')).toMatch(
    /sim\.contacts: with soles, .* where clip "nap" rests on torso\. Set it to light/,
  );
  expect(await textWith('soles', [])).toBe('3 clips');
});

test('settings of a preset that the profile discards are named', async () => {
  const built: Trial = { ...trial, checks: [{ name: 'task', ok: true, text: '3 rewards' }, ...trial.checks] };
  const textWith = async (discarded: readonly string[]) =>
    (await checkLaunch(deps(), { ...plan, discarded }, built))[0]!.text;
  expect(await textWith([])).toBe('3 rewards');
  expect(await textWith(['events.push_robot'])).toMatch(
    /^3 rewards; the profile builtin ignores events\.push_robot of the preset\. .*--profile=task$/,
  );
  expect(await textWith(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toContain('ignores a, b, c, d, e and 2 more of');
});

test('a training that needs more memory than available is refused by num_envs', async () => {
  const checks = await failed({}, { size: { ...trial.size!, libraryBytes: 1e15 } });
  expect(refusal(checks)).toMatchObject({
    code: 'bad_input',
    message: expect.stringMatching(/^num_envs: 4 env.*free/),
  });
});

test('checkpoints that exceed the free disk space are refused as disk_full', async () => {
  const checks = await failed(withHidden([2 ** 22, 2 ** 22]), { size: { ...trial.size!, actorDim: 1 } });
  // One at the start, ten at the interval, two for policies with the best evaluation.
  expect(refusal(checks)).toMatchObject({ code: 'disk_full', message: expect.stringMatching(/13 checkpoints/) });
});

test('a file in the place of the runs folder is refused by name', async () => {
  writeFileSync(path.join(runsFolder, 'wbc_x'), '');
  const checks = await failed({});
  expect(refusal(checks)).toMatchObject({ code: 'bad_input', message: expect.stringContaining('is not a folder') });
});

test('settings with which the trainer cannot learn are refused by their fields', async () => {
  const many = { ...agent, algorithm: { num_mini_batches: 97 } };
  const planned = { trained: { agent: many, sim: {} } } as unknown as Partial<LaunchPlan>;
  expect((await failed(planned))[0]!.text).toMatch(/^agent\.algorithm\.num_mini_batches: 97 exceeds the 96 steps/);
  const wide = await failed({ launcher: 'cluster' }, { critic: { inputs: 9000, outputs: 1 } });
  expect(wide[0]!.text).toMatch(/^observations\.critic: its 9000 values exceed the limit of 8192/);
});

test('a checkpoint with other networks is refused with both shapes', async () => {
  const run = { path: 'a/b', folder: '/nowhere', task: 'Other' };
  const resume = { run, checkpoint: 'model_1.pt' } as unknown as LaunchPlan['resume'];
  const shaped = (actor: number[], critic: number[], others: Partial<CheckpointShape> = {}) => {
    const shape: CheckpointShape = {
      ...{ actor, critic, normalizes: { actor: true, critic: true }, iteration: 1 },
      activation: { actor: 'elu', critic: null },
      observations: { actor: ['joint_pos', 'joint_vel'], critic: null },
      ...others,
    };
    return failed({ resume }, {}, deps({ checkpointShape: async () => shape }));
  };
  expect(await shaped([10, 8, 2], [20, 4, 1])).toEqual([]);
  const raw = await shaped([10, 8, 2], [20, 4, 1], { normalizes: { actor: true, critic: false } });
  expect(raw[0]!.text).toMatch(/^resume_run: the critic.*does not normalise its observations, but .* normalises/);
  expect((await shaped([11, 8, 2], [20, 4, 1]))[0]!.text).toMatch(/^resume_run: the actor.*11-8-2.*10-8-2.*Other/);
  expect((await shaped([10, 8, 2], [20, 5, 1]))[0]!.text).toMatch(/^resume_run: the critic.*20-5-1/);
  const relu = await shaped([10, 8, 2], [20, 4, 1], { activation: { actor: 'elu', critic: 'relu' } });
  expect(relu[0]!.text).toMatch(/^resume_run: the critic.* has the activation relu, but .* has elu\./);
  const reordered = await shaped([10, 8, 2], [20, 4, 1], {
    observations: { actor: ['joint_vel', 'joint_pos'], critic: null },
  });
  expect(reordered[0]!.text).toMatch(/ observes joint_vel as term 1, but .* observes joint_pos there\./);
  const fewer = await shaped([10, 8, 2], [20, 4, 1], { observations: { actor: ['joint_pos'], critic: null } });
  expect(fewer[0]!.text).toMatch(/ observes nothing as term 2, but .* observes joint_vel there\./);
  const broken = deps({
    checkpointShape: () => Promise.reject(new StudioError('bad_input', 'model_1.pt: is not a zip file')),
  });
  expect((await failed({ resume }, {}, broken))[0]!.text).toBe('resume_checkpoint: model_1.pt: is not a zip file');
});

test('runs of the same second and name get different folders, even before these exist', async () => {
  const names = new RunNames(runsFolder);
  const now = new Date(2026, 0, 2, 3, 4, 5);
  mkdirSync(path.join(runsFolder, 'e/2026-01-02_03-04-05_a-2'), { recursive: true });
  const take = () => names.take('e', 'a', now, (run) => run.endsWith('-3'));
  expect([await take(), await take()]).toEqual(['e/2026-01-02_03-04-05_a', 'e/2026-01-02_03-04-05_a-4']);
  names.release('e/2026-01-02_03-04-05_a');
  expect(await take()).toBe('e/2026-01-02_03-04-05_a');
  expect(await names.take('e', '', now, () => false)).toBe('e/2026-01-02_03-04-05');
});

test('a trainer that is not installed is refused for the local launcher, not for a cluster', async () => {
  const external = new ExternalTrainer('far', { command: ['no-such-trainer'] }, runsFolder);
  const with_ = deps({ searchPath: '/usr/bin' });
  const here = await failed({ external }, {}, with_);
  expect(here.map(({ text }) => text)).toEqual([
    'trainer: "far": the program "no-such-trainer" is not installed on this machine',
  ]);
  const there = { ...plan, external, launcher: 'gpu' };
  expect((await checkLaunch(with_, there, trial)).find(({ name }) => name === 'trainer')).toEqual({
    name: 'trainer',
    ok: true,
    text: 'the program "no-such-trainer" is not installed on this machine; install it on the nodes of gpu',
  });
});
