import { StudioError } from '../../core/errors.ts';
import { createEnvironments } from '../../mdp/env/create-environments.ts';
import type { EnvironmentOptions } from '../../mdp/env/environment-options.ts';
import type { Environments } from '../../mdp/environments.ts';
import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { ObservationGroupConfig, TaskConfig } from '../../mdp/task-config.ts';
import { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { convertClip } from '../../motion/convert/convert-clip.ts';
import { mirrorMap, mirrorRows } from '../../motion/convert/mirror.ts';
import { stackMotions } from '../../motion/library/load-motion-library.ts';
import type { LibraryClip, MotionLibrary } from '../../motion/library/motion-library.ts';
import { ACTOR_GROUP, CRITIC_GROUP, groupOf } from '../ppo/rollout.ts';
import { findPermutation, mirrorValues, type SignedPermutation, type Symmetry } from './signed-permutation.ts';

/** Parts of the library that are mirrored to compare observations: their number and frames. */
const PARTS = 64;
const FRAMES = 12;
/** Frame of a part at which its robot starts, and control steps that it takes. */
const START = 2;
const STEPS = 3;
/** Bounds of the random actions of these steps. */
const ACTIONS = 1.5;
/** Number of the random stream of these actions; environments use other numbers. */
const PURPOSE = 105;

/** Finds how observations and actions of a task are mirrored. Robots track parts of the library, other robots track
 *  the mirrored parts with the mirrored actions, and the observations of both are compared. So it needs no knowledge of
 *  the observations, and it finds out whether the robot moves symmetrically.
 *  @param options of the environments of the training; their number and seed do not matter
 *  @returns the reason if the robot or its observations have no mirror image, or if the ground is uneven */
export function findSymmetry(options: EnvironmentOptions): Symmetry | string {
  const { config } = options;
  if (config.scene.terrain.type !== 'plane') return 'the ground is uneven';
  const robot = openRobot(options);
  try {
    const map = mirrorMap(robot);
    const parts = partsOf(options.library);
    if (parts.length === 0) return 'all clips are very short';
    const sides = [parts, parts.map((rows) => mirrorRows(rows, map))].map((each) => {
      const library = libraryOf(robot, each);
      return createEnvironments({ ...options, config: undisturbed(config), library, n: each.length });
    });
    const [plain, mirrored] = sides as unknown as [Environments, Environments];
    const action = { from: Int32Array.from(map.partner), sign: Float32Array.from(map.sign) };
    const seen = observe(plain, mirrored, action);
    for (const envs of sides) envs.delete();
    return symmetryOf(seen, action);
  } catch (error) {
    if (error instanceof StudioError && error.code === 'bad_input') return error.message;
    throw error;
  } finally {
    robot.delete();
  }
}

function openRobot({ mj, physics, facts }: EnvironmentOptions): ClipRobot {
  const file = '/symmetry.mjb';
  mj.FS.writeFile(file, physics);
  const noFiles = new mj.MjVFS();
  try {
    return new ClipRobot(mj, mj.MjModel.from_binary_path(file, noFiles), facts);
  } finally {
    noFiles.delete();
    mj.FS.unlink(file);
  }
}

/** Returns parts of the library, spread evenly over its clips. */
function partsOf(library: MotionLibrary): ClipRows[] {
  const long = library.clips.filter(({ frames }) => frames >= FRAMES);
  const starts = long.reduce((sum, { frames }) => sum + frames - FRAMES + 1, 0);
  if (starts === 0) return [];
  return Array.from({ length: PARTS }, (_, k) => {
    let at = Math.floor(((k + 0.5) / PARTS) * starts);
    for (const clip of long) {
      const here = clip.frames - FRAMES + 1;
      if (at < here) return rowsOf(library, clip, at);
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

function libraryOf(robot: ClipRobot, parts: readonly ClipRows[]): MotionLibrary {
  const motions = parts.map((rows, k) => ({
    name: `part ${k}`,
    motion: convertClip(robot, rows, { outputFps: rows.fps, debiasZ: false }).motion,
  }));
  return stackMotions(motions, robot.facts);
}

/** Returns the task without events, noise and terminations, because these are random or different on both sides. */
function undisturbed(task: TaskConfig): TaskConfig {
  const { motion } = task.commands;
  const observations = Object.entries(task.observations).map(([name, group]) => [name, quiet(group)]);
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

function quiet(group: ObservationGroupConfig): ObservationGroupConfig {
  const terms = Object.entries(group.terms).map(([name, term]) => [
    name,
    { ...term, noise: null, delay_min_lag: 0, delay_max_lag: 0 },
  ]);
  return { ...group, enable_corruption: false, terms: Object.fromEntries(terms) };
}

/** Observations of both sides by group. */
type Seen = Readonly<Record<'actor' | 'critic', { readonly plain: Float32Array[]; readonly mirrored: Float32Array[] }>>;

function observe(plain: Environments, mirrored: Environments, action: SignedPermutation): Seen {
  const { n, actionDim } = plain;
  const seen: Seen = { actor: { plain: [], mirrored: [] }, critic: { plain: [], mirrored: [] } };
  const look = () => {
    for (const [name, { plain: own, mirrored: other }] of [
      [ACTOR_GROUP, seen.actor],
      [CRITIC_GROUP, seen.critic],
    ] as const) {
      own.push(groupOf(plain, name).values.slice());
      other.push(groupOf(mirrored, name).values.slice());
    }
  };
  for (let env = 0; env < n; env++) for (const envs of [plain, mirrored]) envs.pin(env, env, START);
  look();
  const random = new EnvRandom(1, { first: 0, stride: 1, seed: 0, purpose: PURPOSE });
  const [actions, others] = [new Float32Array(n * actionDim), new Float32Array(n * actionDim)];
  for (let step = 0; step < STEPS; step++) {
    for (let k = 0; k < actions.length; k++) actions[k] = random.uniform(0, -ACTIONS, ACTIONS);
    mirrorValues(actions, action, others);
    plain.step(actions);
    mirrored.step(others);
    look();
  }
  return seen;
}

function symmetryOf(seen: Seen, action: SignedPermutation): Symmetry | string {
  const dim = ({ plain }: Seen['actor']) => plain[0]!.length / PARTS;
  const find = (side: Seen['actor']) =>
    findPermutation({ dim: dim(side), rows: joined(side.plain), mirrored: joined(side.mirrored) });
  const [actor, critic] = [find(seen.actor), find(seen.critic)];
  if (typeof actor === 'number') return `value ${actor} of the actor's observations has no mirror image`;
  if (typeof critic === 'number') return `value ${critic} of the critic's observations has no mirror image`;
  return { actor, critic, action };
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
