import { multiply } from '../../core/math/quaternion.ts';
import { createEnvironments } from '../../mdp/env/create-environments.ts';
import type { EnvironmentOptions } from '../../mdp/env/environment-options.ts';
import type { Environments, ObservationSlice } from '../../mdp/environments.ts';
import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { ObservationGroupConfig, TaskConfig } from '../../mdp/task-config.ts';
import { type ClipRobot, createClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { convertClip } from '../../motion/convert/convert-clip.ts';
import { findMirrorMap, type MirrorMap, mirroredBodies, mirrorRows } from '../../motion/convert/mirror.ts';
import { stackMotions } from '../../motion/library/load-motion-library.ts';
import type { LibraryClip, MotionLibrary } from '../../motion/library/motion-library.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { quiet } from '../builtin-profile.ts';
import { ACTOR_GROUP, CRITIC_GROUP, groupOf } from '../ppo/rollout.ts';
import { mirroredPlan, type Plan, planOf, setForces } from './observation-plan.ts';
import { findPermutation, type SignedPermutation, type Symmetry, withHistory } from './signed-permutation.ts';
import { oneSidedTerm, unequalReward } from './unequal-sides.ts';

/** Parts of the library that are mirrored to compare observations: their number and frames. */
const PARTS = 64;
const FRAMES = 12;
/** Largest offset of a part from its motion, and movement in its duration, m and rad. */
const SWAY = 0.1;
/** Number of the random stream of these movements. */
const PURPOSE = 108;
/** Frame of a part at which its robot starts, and control steps that it takes. */
const START = 2;
const STEPS = 3;
/** Largest difference of the action scales and default positions of a joint and its partner, as a share or in rad. Left
 *  and right of a real robot differ a little: gains that follow from its masses differ by 1 % in the ankles of an H1. */
const SAME = 0.05;

/** Finds how observations and actions of a task are mirrored. Robots track parts of the library, other robots track
 *  the mirrored parts with the mirrored actions, and the observations and rewards of both are compared. So it needs no
 *  knowledge of the observations, and it finds out whether the robot moves symmetrically.
 *  @param options of the environments of the training; their number and seed do not matter
 *  @param envs the environments of the training
 *  @returns the symmetry, or why there is none */
export function findSymmetry(options: EnvironmentOptions, envs: Pick<Environments, 'observations'>): Symmetry | string {
  const { facts, config } = options;
  if (config.scene.terrain.type !== 'plane') return 'the ground is uneven';
  if (config.sim.gravity[1] !== 0) return 'gravity acts to the side';
  const robot = createClipRobot(options.mj, options.physics, facts);
  try {
    const map = findMirrorMap(robot);
    if (typeof map === 'string') return map;
    const action = { from: Int32Array.from(map.partner), sign: Float32Array.from(map.sign) };
    const unequal = unequalJoint(facts, config, action);
    if (unequal !== null) return `joint ${unequal} and its partner differ in action scale or default position`;
    const oneSided = oneSidedTerm(facts, config, map);
    if (oneSided !== null) return oneSided;
    const parts = partsOf(options.library);
    if (parts.length === 0) return 'all clips have fewer than 12 frames';
    const plan = planOf(parts.length, STEPS, facts, config);
    const mirrored = parts.map((rows) => mirrorRows(rows, map));
    const plain = observe(options, libraryOf(robot, parts), plan);
    const image = observe(
      options,
      libraryOf(robot, mirrored),
      mirroredPlan(plan, action, trackedPartners(facts, config, map)),
    );
    const reward = unequalReward(plain.rewardNames, plain.rewards, image.rewards);
    if (reward !== null) return `the reward ${reward} differs in the mirror image`;
    const [actor, critic] = ([ACTOR_GROUP, CRITIC_GROUP] as const).map((name) => {
      const { dim, values, slices } = plain[name];
      const found = findPermutation({ dim, rows: values, mirrored: image[name].values }, slices);
      if (typeof found === 'string') return `observations.${name}.${found} has no mirror image`;
      return withHistory(found, slices, groupOf(envs, name).slices);
    }) as [SignedPermutation | string, SignedPermutation | string];
    if (typeof actor === 'string') return actor;
    return typeof critic === 'string' ? critic : { actor, critic, action };
  } finally {
    robot.delete();
  }
}

/** Returns the partner of each tracked body, by index among the tracked bodies. */
function trackedPartners(facts: RobotFacts, { commands }: TaskConfig, map: MirrorMap): number[] {
  const tracked = commands.motion.body_names;
  const names = facts.bodies.map(({ name }) => name);
  const partner = mirroredBodies(facts, map);
  return tracked.map((name, k) => {
    const at = tracked.indexOf(names[partner[names.indexOf(name)]!]!);
    return at < 0 ? k : at;
  });
}

/** Returns the name of a joint whose actions do not have the same effect as those of its partner. */
function unequalJoint(
  { joints }: RobotFacts,
  { actions, robot }: TaskConfig,
  { from, sign }: SignedPermutation,
): string | null {
  const scales = actions.joint_pos.scale ?? joints.map(({ actionScale }) => actionScale);
  const defaults = robot?.default_joint_pos ?? joints.map((joint) => joint.default);
  const unequal = joints.find((_, j) => {
    const partner = from[j]!;
    return (
      Math.abs(scales[j]! - scales[partner]!) > SAME * scales[j]! ||
      Math.abs(defaults[j]! - sign[j]! * defaults[partner]!) > SAME
    );
  });
  return unequal?.name ?? null;
}

/** Returns parts of the library, spread evenly over its clips. In a squat or a stand, left and right are equal, so
 *  every part moves a little in its own way; the symmetry then does not depend on the motion. */
function partsOf(library: MotionLibrary): ClipRows[] {
  const long = library.clips.filter(({ frames }) => frames >= FRAMES);
  const starts = long.reduce((sum, { frames }) => sum + frames - FRAMES + 1, 0);
  if (starts === 0) return [];
  const random = new EnvRandom(1, { first: 0, stride: 1, seed: 0, purpose: PURPOSE });
  return Array.from({ length: PARTS }, (_, k) => {
    let at = Math.floor(((k + 0.5) / PARTS) * starts);
    for (const clip of long) {
      const here = clip.frames - FRAMES + 1;
      if (at < here) return swayed(rowsOf(library, clip, at), random);
      at -= here;
    }
    throw new RangeError('a part is beyond the end of the library');
  });
}

function rowsOf({ fps, joints, bodies, bodyPosW, bodyQuatW, jointPos }: MotionLibrary, clip: LibraryClip, at: number) {
  const columns = 7 + joints;
  const rows = new Float64Array(FRAMES * columns);
  for (let frame = 0; frame < FRAMES; frame++) {
    const row = clip.first + at + frame;
    rows.set(bodyPosW.subarray(3 * row * bodies, 3 * row * bodies + 3), frame * columns);
    rows.set(bodyQuatW.subarray(4 * row * bodies, 4 * row * bodies + 4), frame * columns + 3);
    rows.set(jointPos.subarray(row * joints, (row + 1) * joints), frame * columns + 7);
  }
  return { fps, frames: FRAMES, rows };
}

/** Adds a random movement at constant speed to each joint, and to the height and the orientation of the root. */
function swayed(clip: ClipRows, random: EnvRandom): ClipRows {
  const columns = clip.rows.length / clip.frames;
  const rows = clip.rows.slice();
  const draw = () => random.uniform(0, -SWAY, SWAY);
  const [height, axis] = [Math.abs(draw()), [draw(), draw(), draw()]];
  const joints = Array.from({ length: columns - 7 }, () => ({ offset: draw(), ramp: draw() }));
  for (let frame = 0; frame < clip.frames; frame++) {
    const [at, part] = [frame * columns, frame / clip.frames];
    rows[at + 2]! += height * (1 + part);
    const turn = Float64Array.of(1, ...axis.map((angle) => 0.5 * angle * (1 + part)));
    const norm = Math.hypot(...turn);
    const orientation = rows.subarray(at + 3, at + 7);
    multiply(
      orientation,
      turn.map((value) => value / norm),
      orientation.slice(),
    );
    for (const [j, { offset, ramp }] of joints.entries()) rows[at + 7 + j]! += offset + ramp * part;
  }
  return { ...clip, rows };
}

function libraryOf(robot: ClipRobot, parts: readonly ClipRows[]): MotionLibrary {
  const motions = parts.map((rows, k) => ({
    name: `part ${k}`,
    motion: convertClip(robot, rows, { outputFps: rows.fps, debiasZ: false }).motion,
  }));
  return stackMotions(motions, robot.facts);
}

/** Returns the task without events, noise, histories and terminations, because these are random, or differ on both
 *  sides, or repeat values. */
function undisturbed(task: TaskConfig): TaskConfig {
  const { motion } = task.commands;
  const observations = Object.entries(task.observations).map(([name, group]) => [name, withoutHistory(quiet(group))]);
  return {
    ...task,
    events: {},
    terminations: {},
    observations: Object.fromEntries(observations),
    commands: {
      ...task.commands,
      motion: {
        ...motion,
        pose_range: {},
        velocity_range: {},
        joint_position_range: [0, 0],
        rsi: { ...motion.rsi, sampling_mode: 'uniform' },
      },
    },
  };
}

function withoutHistory(group: ObservationGroupConfig): ObservationGroupConfig {
  const terms = Object.entries(group.terms).map(([name, term]) => [name, { ...term, history_length: 0 }]);
  return { ...group, history_length: null, terms: Object.fromEntries(terms) };
}

/** Observations of a group at all times of the comparison, and the terms of a row. */
interface SeenGroup {
  readonly values: Float32Array;
  readonly dim: number;
  readonly slices: readonly ObservationSlice[];
}

/** What the robots of one side saw, and their rewards after each step. */
interface Seen {
  readonly actor: SeenGroup;
  readonly critic: SeenGroup;
  readonly rewardNames: readonly string[];
  readonly rewards: Float32Array;
}

/** Lets robots track a library, one part each, as planned. */
function observe(options: EnvironmentOptions, library: MotionLibrary, plan: Plan): Seen {
  const n = library.clips.length;
  const share = { n, firstEnv: 0, stride: 1, total: n, seed: 0 };
  const envs = createEnvironments({ ...options, ...share, config: undisturbed(options.config), library });
  try {
    const [actor, critic, rewards]: Float32Array[][] = [[], [], []];
    const look = (forces: Plan['looks'][number]) => {
      setForces(envs.state, forces);
      for (let env = 0; env < n; env++) for (const group of envs.observations.values()) group.compute(env, true);
      actor!.push(groupOf(envs, ACTOR_GROUP).values.slice());
      critic!.push(groupOf(envs, CRITIC_GROUP).values.slice());
    };
    for (let env = 0; env < n; env++) envs.pin(env, env, START);
    look(plan.looks[0]!);
    for (const [step, actions] of plan.actions.entries()) {
      envs.step(actions);
      rewards!.push(envs.rewardTerms.slice());
      look(plan.looks[step + 1]!);
    }
    const seen = (name: string, values: readonly Float32Array[]) => {
      const { dim, slices } = groupOf(envs, name);
      return { values: joined(values), dim, slices };
    };
    return {
      actor: seen(ACTOR_GROUP, actor!),
      critic: seen(CRITIC_GROUP, critic!),
      rewardNames: envs.rewardNames,
      rewards: joined(rewards!),
    };
  } finally {
    envs.delete();
  }
}

function joined(parts: readonly Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]));
}
