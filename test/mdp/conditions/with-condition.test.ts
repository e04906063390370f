import { beforeAll, describe, expect, test } from 'vitest';
import { conditionsOf } from '../../../src/mdp/conditions/named-conditions.ts';
import { withCondition } from '../../../src/mdp/conditions/with-condition.ts';
import type { TaskConfig } from '../../../src/mdp/task-config.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import type { MotionLibrary } from '../../../src/motion/library/motion-library.ts';
import type { Condition } from '../../../src/protocol/schemas/evaluation.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { trainedTask } from '../../../src/train/builtin-profile.ts';
import { builtinClip } from '../../support/clips.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { environmentsOf, libraryOf } from '../../support/tracking.ts';

let robot: PreparedRobot;
let task: TaskConfig;
let library: MotionLibrary;

beforeAll(async () => {
  robot = await preparedHumanoid();
  task = baseTasks(robot.facts)[0]!.config;
  library = await libraryOf(robot, { squat: builtinClip('squat') });
});

const under = (condition: Omit<Condition, 'name'>, of = task) =>
  withCondition(of, { name: 'test', ...condition }, robot.facts);
const noises = (config: TaskConfig) =>
  Object.values(config.observations['actor']!.terms).map(({ noise, noise_scale: scale }) => [noise, scale]);

/** Joint angles of an environment after control steps in which the action of joint 3 grows. */
async function jointsAfter(steps: number, condition: Omit<Condition, 'name'>): Promise<number[]> {
  const envs = await environmentsOf(robot, { config: under(condition), library, n: 1 });
  envs.pin(0, 0, 0);
  const actions = new Float32Array(envs.actionDim);
  for (let step = 0; step < steps; step++) {
    actions[3] = 0.2 * step;
    envs.step(actions);
  }
  const joints = [...envs.state.jointPos];
  envs.delete();
  return joints;
}

describe('the task under a condition', () => {
  test('the condition nominal has all contacts, no noise, no events, exact starts', () => {
    const config = under({});
    expect(config.sim).toMatchObject({ contacts: 'all', timestep: 0.005 });
    expect(config.events).toEqual({});
    expect(config.observations['actor']!.enable_corruption).toBe(false);
    expect(config.commands.motion).toMatchObject({
      pose_range: {},
      velocity_range: {},
      joint_position_range: [0, 0],
    });
    expect(config.decimation).toBe(4);
  });

  test('a condition with a shorter time step keeps the control rate', () => {
    expect(under({ timestep: 0.001 })).toMatchObject({ decimation: 20, sim: { timestep: 0.001 } });
    expect(() => under({ timestep: 0.003 })).toThrow(/timestep: must divide the control step of 0.02 s, but is 0.003/);
  });

  test('a condition multiplies gains, including the gains of the policy', () => {
    const own = { ...task, robot: { stiffness: robot.facts.joints.map(() => 50) } };
    const config = under({ stiffness_scale: 0.7, damping_scale: 2 }, own);
    expect(config.robot!.stiffness![0]).toBeCloseTo(35, 12);
    expect(config.robot!.damping![0]).toBeCloseTo(2 * robot.facts.joints[0]!.damping, 12);
  });

  test('the conditions pushes, variations and noise are those of the task, else those of the plain task', () => {
    const undisturbed = trainedTask(task, 'builtin');
    expect(Object.keys(undisturbed.events)).toEqual([]);
    for (const of of [task, undisturbed]) {
      expect(Object.keys(under({ pushes: true }, of).events).sort()).toEqual(['pull_robot', 'push_robot']);
      expect(Object.keys(under({ randomised: true }, of).events).sort()).toEqual([
        'base_com',
        'encoder_bias',
        'foot_friction',
      ]);
      const noisy = under({ noise_scale: 2 }, of);
      expect(noisy.observations['actor']!.enable_corruption).toBe(true);
      expect(noises(noisy)).toContainEqual([{ n_min: -0.2, n_max: 0.2 }, 2]);
    }
    expect(Object.keys(under({ randomised: true, friction: 1 }).events)).not.toContain('foot_friction');
  });

  test('a delayed action moves the joint that many control steps later', async () => {
    // The first target is sent at once; the later ones are late.
    expect(await jointsAfter(1, { delay_steps: 3 })).toEqual(await jointsAfter(1, {}));
    expect(await jointsAfter(2, { delay_steps: 3 })).not.toEqual(await jointsAfter(2, {}));
    expect(await jointsAfter(2, { delay_steps: 3 })).toEqual(await jointsAfter(2, { delay_steps: 1 }));
    expect(await jointsAfter(3, { delay_steps: 3 })).not.toEqual(await jointsAfter(3, { delay_steps: 1 }));
  });

  test.each<Omit<Condition, 'name'>>([
    { timestep: 0.0025 },
    { integrator: 'euler' },
    { integrator: 'rk4' },
    { solver: 'cg' },
    { solver: 'pgs' },
    { cone: 'elliptic' },
    { friction: 0.2 },
    { stiffness_scale: 0.7 },
    { damping_scale: 0.7 },
    { mass_scale: 1.2 },
    { torque_scale: 0.05 },
  ])('the condition %j changes the motion of the robot, and keeps it finite', async (condition) => {
    const [own, varied] = [await jointsAfter(15, {}), await jointsAfter(15, condition)];
    expect(varied.every(Number.isFinite)).toBe(true);
    expect(varied).not.toEqual(own);
  });

  test('a condition that equals the settings of the model changes nothing', async () => {
    const same = { integrator: 'implicitfast', solver: 'newton', cone: 'pyramidal', mass_scale: 1 } as const;
    expect(await jointsAfter(15, same)).toEqual(await jointsAfter(15, {}));
  });
});

describe('names of conditions', () => {
  test('the condition robustness varies one setting at a time, in about 24 named conditions', () => {
    const conditions = conditionsOf(['robustness'], task);
    expect(conditions.length).toBeGreaterThanOrEqual(22);
    expect(conditions.length).toBeLessThanOrEqual(28);
    for (const { name, ...settings } of conditions) {
      expect(Object.entries(settings).map(([field, value]) => `${field}=${value}`)).toEqual([name]);
      expect(() => withCondition(task, { name, ...settings }, robot.facts)).not.toThrow();
    }
    expect(conditions.map(({ name }) => name)).not.toContain('integrator=implicitfast');
  });

  test('an unknown name of a condition, or a repeated one, is refused', () => {
    expect(() => conditionsOf(['nominl'], task)).toThrow(/conditions: unknown condition "nominl"; did you mean/);
    expect(() => conditionsOf(['storm'], task)).toThrow(
      'unknown condition "storm"; choose one of nominal, pushes, noise',
    );
    expect(() => conditionsOf(['nominal', { name: 'nominal' }], task)).toThrow(/two conditions are named "nominal"/);
    expect(conditionsOf(['task', { name: 'icy', friction: 0.1 }], task)).toEqual([
      { name: 'task', pushes: true, noise_scale: 1, randomised: true },
      { name: 'icy', friction: 0.1 },
    ]);
  });
});
