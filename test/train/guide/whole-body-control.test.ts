import { expect, test } from 'vitest';
import { createEnvironments } from '../../../src/mdp/env/create-environments.ts';
import type { TaskConfig } from '../../../src/mdp/task-config.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import type { ProceduralClip } from '../../../src/motion/procedural/generate-clip.ts';
import { evaluationConfig, trainedTask } from '../../../src/train/builtin-profile.ts';
import { Guide } from '../../../src/train/guide/guide.ts';
import { WholeBodyControl } from '../../../src/train/guide/whole-body-control.ts';
import { builtinClip } from '../../support/clips.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { libraryOf, optionsOf } from '../../support/tracking.ts';

const ENVS = 3;
/** 3 s */
const STEPS = 150;

async function squatting(change?: (task: TaskConfig) => TaskConfig) {
  return tracking('squat', change);
}

async function tracking(clip: ProceduralClip, change: (task: TaskConfig) => TaskConfig = (task) => task) {
  const robot = await preparedHumanoid();
  const task = evaluationConfig(trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin'));
  const library = await libraryOf(robot, { [clip]: builtinClip(clip) });
  const options = await optionsOf(robot, { config: change(task), library, n: ENVS });
  const envs = createEnvironments(options);
  return { options, envs };
}

/** Tracks a clip for three seconds. @returns the number of failures with zero action and with whole-body control */
async function failuresIn(clip: ProceduralClip, change?: (task: TaskConfig) => TaskConfig) {
  const { options, envs } = await tracking(clip, change);
  const control = new WholeBodyControl(options);
  const run = (act: (actions: Float32Array) => void) => {
    const actions = new Float32Array(ENVS * envs.actionDim);
    envs.reseed(1);
    envs.reset();
    let failures = 0;
    for (let step = 0; step < STEPS; step++) {
      act(actions);
      envs.step(actions);
      failures += envs.terminated.reduce((sum, failed) => sum + failed, 0);
    }
    return failures;
  };
  const zero = run(() => {});
  const controlled = run((actions) => {
    for (let env = 0; env < ENVS; env++)
      control.act(envs, env, actions.subarray(env * envs.actionDim, (env + 1) * envs.actionDim));
  });
  control.delete();
  envs.delete();
  return { zero, controlled };
}

test.each(['squat', 'step_in_place', 'walk_forward', 'turn'] as const)(
  'whole-body control tracks %s for three seconds without learning, while zero action falls',
  async (clip) => {
    const { zero, controlled } = await failuresIn(clip);
    expect(zero).toBeGreaterThanOrEqual(ENVS);
    expect(controlled).toBe(0);
  },
);

test('whole-body control holds the weight that the robot has in the gravity of the task', async () => {
  const gravity = [0, 0, -3.7] as const;
  const { controlled } = await failuresIn('squat', (task) => ({ ...task, sim: { ...task.sim, gravity } }));
  expect(controlled).toBe(0);
  const onEarth = await squatting();
  const light = await squatting((task) => ({ ...task, sim: { ...task.sim, gravity } }));
  const [torque, less] = [onEarth, light].map(({ options, envs }) => {
    const control = new WholeBodyControl(options);
    const action = new Float32Array(envs.actionDim);
    control.act(envs, 0, action);
    control.delete();
    envs.delete();
    // With a residual of the reference, an action is a torque divided by a constant, here summed over the joints.
    return action.reduce((sum, value) => sum + Math.abs(value), 0);
  });
  expect(less).toBeLessThan(0.7 * torque!);
});

test('whole-body control sends the motors the same targets, whatever pose the actions are relative to', async () => {
  const targets: number[][] = [];
  for (const mode of ['reference_residual', 'default_relative'] as const) {
    const { options, envs } = await squatting((task) => ({
      ...task,
      actions: { joint_pos: { ...task.actions.joint_pos, action_mode: mode } },
    }));
    const control = new WholeBodyControl(options);
    const action = new Float32Array(envs.actionDim);
    control.act(envs, 0, action);
    const { joints } = options.facts;
    targets.push(
      joints.map((joint, j) => {
        const base = mode === 'reference_residual' ? envs.state.refJointPos[j]! : joint.default;
        return base + joint.actionScale * action[j]!;
      }),
    );
    control.delete();
    envs.delete();
  }
  for (const [j, target] of targets[0]!.entries()) expect(target).toBeCloseTo(targets[1]![j]!, 5);
});

test('a guide labels every third environment in turn, with bounded actions', async () => {
  const { options, envs } = await squatting();
  const guide = new Guide(options);
  const labels = new Float32Array(ENVS * envs.actionDim);
  const given = new Uint8Array(ENVS);
  const turns = Array.from({ length: 3 }, () => {
    guide.label(envs, labels, given);
    return [...given];
  });
  expect(turns).toEqual([
    [1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ]);
  expect(Math.max(...labels.map(Math.abs))).toBeLessThanOrEqual(5);
  expect(labels.some((label) => label !== 0)).toBe(true);
  guide.delete();
  envs.delete();
});

test('at most a tenth of a training is guided; a training on uneven ground or without feet is not guided', async () => {
  const { options, envs } = await squatting();
  envs.delete();
  const { config, facts } = options;
  const iterations = (all: number, guided?: number) => {
    const { guided_iterations: _, ...agent } = { ...config.agent, max_iterations: all };
    const given = guided === undefined ? agent : { ...agent, guided_iterations: guided };
    return Guide.iterations({ config: { ...config, agent: given }, facts });
  };
  expect([iterations(900, 40), iterations(300, 40), iterations(9, 40), iterations(900)]).toEqual([40, 30, 0, 0]);
  const terrain = { ...config.scene.terrain, type: 'rough' as const };
  expect(Guide.iterations({ config: { ...config, scene: { ...config.scene, terrain } }, facts })).toBe(0);
  expect(Guide.iterations({ config, facts: { ...facts, wiring: { ...facts.wiring, feet: [] } } })).toBe(0);
});
