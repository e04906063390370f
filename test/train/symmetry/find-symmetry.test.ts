import { describe, expect, test } from 'vitest';
import { createEnvironments } from '../../../src/mdp/env/create-environments.ts';
import type { EnvironmentOptions } from '../../../src/mdp/env/environment-options.ts';
import type { TaskConfig } from '../../../src/mdp/task-config.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { type Profile, trainedTask } from '../../../src/train/builtin-profile.ts';
import { ACTOR_GROUP, CRITIC_GROUP, groupOf } from '../../../src/train/ppo/rollout.ts';
import { findSymmetry } from '../../../src/train/symmetry/find-symmetry.ts';
import { builtinClip, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { preparedG1, preparedHumanoid } from '../../support/robots.ts';
import { libraryOf, optionsOf } from '../../support/tracking.ts';

async function options(
  robot: PreparedRobot,
  profile: Profile,
  change = (task: TaskConfig) => task,
  rows = robot.facts.id === 'g1' ? kitClip('walk1_subject1') : builtinClip('walk_forward'),
) {
  const config = change(trainedTask(baseTasks(robot.facts)[0]!.config, profile));
  return optionsOf(robot, { config, library: await libraryOf(robot, { walk: rows }), n: 4 });
}

async function found(given: EnvironmentOptions) {
  const envs = createEnvironments(given);
  const symmetry = findSymmetry(given, envs);
  const slices = { actor: groupOf(envs, ACTOR_GROUP).slices, critic: groupOf(envs, CRITIC_GROUP).slices };
  envs.delete();
  return { symmetry, slices };
}

async function symmetryOf(given: EnvironmentOptions) {
  const { symmetry, slices } = await found(given);
  if (typeof symmetry === 'string') throw new Error(symmetry);
  return { symmetry, slices };
}

async function reasonFor(given: EnvironmentOptions) {
  return (await found(given)).symmetry;
}

describe.each([
  ['the built-in robot', preparedHumanoid, true],
  ['the G1, whose sides are slightly unequal', preparedG1, hasKit],
] as const)('%s', (_, prepare, exists) => {
  test.skipIf(!exists).each(['builtin', 'robust', 'task'] as const)(
    'with profile %s, mirroring swaps the sides, and mirroring twice changes nothing',
    async (profile) => {
      const robot = await prepare();
      const { symmetry } = await symmetryOf(await options(robot, profile));
      const joints = robot.facts.joints.map(({ name }) => name);
      for (const [k, name] of joints.entries())
        expect(joints[symmetry.action.from[k]!]).toBe(
          name.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left')),
        );
      for (const { from, sign } of [symmetry.actor, symmetry.critic, symmetry.action]) {
        expect(sign.some((each) => each < 0)).toBe(true);
        for (const [i, j] of from.entries()) expect([from[j], sign[j]]).toEqual([i, sign[i]]);
      }
    },
  );

  test.skipIf(!exists)('forces that no robot feels in the comparison are mirrored, too', async () => {
    const { symmetry, slices } = await symmetryOf(await options(await prepare(), 'task'));
    const signs = (term: string) => {
      const { offset, dim } = slices.critic.find((slice) => slice.term === term)!;
      return [...symmetry.critic.sign.subarray(offset, offset + dim)];
    };
    expect(signs('assistive_force')).toEqual([1, -1, 1]);
    expect(signs('assistive_torque')).toEqual([-1, 1, -1]);
    expect(signs('keybody_contact_forces')).toEqual(
      signs('keybody_contact_forces').map((__, k) => (k % 3 === 1 ? -1 : 1)),
    );
  });
});

test('the symmetry does not depend on the motion, so networks of one motion fit another one', async () => {
  const robot = await preparedHumanoid();
  const walk = await symmetryOf(await options(robot, 'builtin'));
  const squat = builtinClip('squat');
  const width = squat.rows.length / squat.frames;
  const stand = { ...squat, rows: squat.rows.map((_, at) => squat.rows[at % width]!) };
  for (const motion of [squat, stand]) {
    const { symmetry } = await symmetryOf(await options(robot, 'builtin', undefined, motion));
    expect(symmetry).toEqual(walk.symmetry);
  }
});

test('each value of a history is mirrored like the newest one', async () => {
  const LENGTH = 6;
  const robot = await preparedHumanoid();
  const long = (task: TaskConfig): TaskConfig => ({
    ...task,
    observations: { ...task.observations, actor: { ...task.observations[ACTOR_GROUP]!, history_length: LENGTH } },
  });
  const short = await symmetryOf(await options(robot, 'builtin'));
  const { symmetry, slices } = await symmetryOf(await options(robot, 'builtin', long));
  for (const [k, { term, offset, dim }] of slices.actor.entries()) {
    const one = short.slices.actor[k]!;
    expect([term, dim]).toEqual([one.term, LENGTH * one.dim]);
    for (let at = 0; at < dim; at++) {
      const value = one.offset + (at % one.dim);
      const slot = at - (at % one.dim);
      expect(symmetry.actor.from[offset + at]! - offset - slot).toBe(short.symmetry.actor.from[value]! - one.offset);
      expect(symmetry.actor.sign[offset + at]).toBe(short.symmetry.actor.sign[value]);
    }
  }
});

test('tracked bodies are mirrored with the joints that move them, whatever their names', async () => {
  const given = await options(await preparedHumanoid(), 'task');
  const plain = await symmetryOf(given);
  // As in a published model of another robot, which calls one knee lleft_knee.
  const mistyped = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll('"left_knee_link"', '"lleft_knee_link"'));
  const { facts, config } = given;
  const bodies = mistyped(facts.bodies);
  expect(bodies.some(({ name }) => name === 'lleft_knee_link')).toBe(true);
  const odd = { ...given, facts: { ...facts, bodies }, config: { ...config, commands: mistyped(config.commands) } };
  expect((await symmetryOf(odd)).symmetry).toEqual(plain.symmetry);
});

test('the reason is given if there is no symmetry', async () => {
  const robot = await preparedHumanoid();
  const given = await options(robot, 'builtin');
  const { facts, config, library } = given;
  const terrain = { ...config.scene.terrain, type: 'rough' as const };
  expect(
    findSymmetry({ ...given, config: { ...config, scene: { ...config.scene, terrain } } }, { observations: new Map() }),
  ).toBe('the ground is uneven');
  const envs = createEnvironments(given);
  const sliding = facts.joints.map((joint) =>
    joint.name.includes('right')
      ? { ...joint, name: joint.name.replace('right', 'starboard'), type: 'slide' as const }
      : joint,
  );
  expect(findSymmetry({ ...given, facts: { ...facts, joints: sliding } }, envs)).toMatch(
    /^joint left_\w+ has no partner right_\w+ on the other side, and none at its mirrored place$/,
  );
  envs.delete();
  const scaled = (factor: number) =>
    facts.joints.map((joint, k) => ({ ...joint, actionScale: (k === 0 ? factor : 1) * joint.actionScale }));
  const stronger = scaled(2);
  expect(await reasonFor({ ...given, facts: { ...facts, joints: stronger } })).toMatch(/differ in action scale/);
  // Sides of a real robot differ a little.
  expect(typeof (await reasonFor({ ...given, facts: { ...facts, joints: scaled(1.03) } }))).toBe('object');
  const knee = facts.joints.map((joint) => ({
    ...joint,
    stiffness: (joint.name === 'left_knee_joint' ? 1.25 : 1) * joint.stiffness,
  }));
  expect(typeof (await reasonFor({ ...given, facts: { ...facts, joints: knee } }))).toBe('object');
  // The scales of the task replace those of the robot.
  const scale = facts.joints.map(({ actionScale }) => actionScale);
  const actions = { joint_pos: { ...config.actions.joint_pos, scale } };
  const even = await found({ ...given, config: { ...config, actions }, facts: { ...facts, joints: stronger } });
  expect(typeof even.symmetry).toBe('object');
  const clips = library.clips.map((clip) => ({ ...clip, frames: 8 }));
  expect(await reasonFor({ ...given, library: { ...library, clips } })).toBe('all clips have fewer than 12 frames');
  const lefts = facts.joints.flatMap(({ name }) => (name.includes('left') ? [name] : []));
  const oneSided = Object.entries(config.rewards).map(([name, term]) => [
    name,
    name === 'joint_acc' ? { ...term, params: { ...term.params, joint_names: lefts } } : term,
  ]);
  expect(await reasonFor({ ...given, config: { ...config, rewards: Object.fromEntries(oneSided) } })).toMatch(
    /^the reward joint_acc is for left_\w+, but not for right_\w+ on the other side$/,
  );
  const motion = { ...config.commands.motion, ee_body_names: ['left_hand_link'] };
  expect(await reasonFor({ ...given, config: { ...config, commands: { ...config.commands, motion } } })).toBe(
    'commands.motion.ee_body_names is for left_hand_link, but not for right_hand_link on the other side',
  );
  const [termination] =
    Object.entries(config.terminations).find(([, { params }]) => Array.isArray(params['body_names'])) ?? [];
  if (termination === undefined) throw new Error('no termination names bodies');
  const term = config.terminations[termination]!;
  const terminations = {
    ...config.terminations,
    [termination]: { ...term, params: { ...term.params, body_names: ['left_hand_link'] } },
  };
  expect(await reasonFor({ ...given, config: { ...config, terminations } })).toBe(
    `the termination ${termination} is for left_hand_link, but not for right_hand_link on the other side`,
  );
  const left = lefts[0]!;
  const lame = facts.joints.map((joint) => ({
    ...joint,
    stiffness: (joint.name === left ? 0.1 : 1) * joint.stiffness,
  }));
  expect(await reasonFor({ ...given, facts: { ...facts, joints: lame } })).toMatch(
    /no mirror image|differs in the mirror image/,
  );
});
