import { readFile } from 'node:fs/promises';
import { checkMotions, type MotionsSeen } from '../../checks/check-motions.ts';
import { messageOf, StudioError } from '../../core/errors.ts';
import { createEnvironments } from '../../mdp/env/create-environments.ts';
import type { Environments } from '../../mdp/environments.ts';
import { LIBRARY } from '../../mdp/library.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import { type LibraryFile, loadMotionLibrary } from '../../motion/library/load-motion-library.ts';
import { taskEffect } from '../../presets/task-effect.ts';
import { physicsOn } from '../../robots/uneven-ground.ts';
import { loadMujoco } from '../../sim/mujoco.ts';
import { ACTOR_GROUP, CRITIC_GROUP } from '../ppo/rollout.ts';
import { checkpointBytes, trainingBytes } from './training-bytes.ts';

/** Clips that are stepped through environments; all that there is time for are looked at. */
const STEPPED = 16;
/** An answer is waited for. */
const LOOKING_MS = 12_000;
const ROW_A_BODY = 13;
const ROW_A_JOINT = 2;

/** What is to be tried. Crosses threads. */
export interface TrialOrder {
  /** as it would be trained */
  readonly config: TaskConfig;
  readonly robot: ClipRobotSource;
  readonly clips: readonly LibraryFile[];
  readonly threads: number;
}

export interface TrialCheck {
  readonly name: 'task' | 'dimensions' | 'clips' | 'steps';
  readonly ok: boolean;
  /** where it is not ok: begins with the field of the launch that is to blame */
  readonly text: string;
}

export interface NetworkEnds {
  readonly inputs: number;
  readonly outputs: number;
}

/** What a training would be, seen before it begins. */
export interface Trial {
  /** those after the first that is not ok are missing */
  readonly checks: readonly TrialCheck[];
  /** what the networks see and give; null where the task does not build */
  readonly actor: NetworkEnds | null;
  readonly critic: NetworkEnds | null;
  /** as in `MotionsSeen` */
  readonly resting: MotionsSeen['resting'];
  /** bytes, about; null where the task does not build */
  readonly memory: number | null;
  readonly checkpoint: number | null;
}

/** Tries a training in a thread that has nothing else to do: builds its task, holds its clips against the robot's
 *  kinematics, and takes one step of each. Blocks for seconds. */
export async function tryTraining(order: TrialOrder): Promise<Trial> {
  const checks: TrialCheck[] = [];
  const { config, robot, clips, threads } = order;
  let effect: ReturnType<typeof taskEffect>;
  try {
    effect = taskEffect(config, robot.facts, LIBRARY);
    checks.push(...describeTask(config, effect));
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const checks = [{ name: 'task' as const, ok: false, text: `task: ${messageOf(error)}` }];
    return { checks, actor: null, critic: null, resting: null, memory: null, checkpoint: null };
  }
  const actorDim = effect.observations[ACTOR_GROUP] ?? 0;
  const criticDim = effect.observations[CRITIC_GROUP] ?? 0;
  const controlHz = 1 / (config.decimation * config.sim.timestep);
  const seen = await checkMotions(await openClipRobot(robot), clips, controlHz, Date.now() + LOOKING_MS);
  const [bodies, joints] = [robot.facts.bodies.length, robot.facts.joints.length];
  // Of what was not looked at, as much as of what was.
  const frames = (seen.frames * clips.length) / Math.max(1, clips.length - seen.skipped);
  const size = {
    agent: config.agent,
    actorDim,
    criticDim,
    actions: effect.action,
    numEnvs: config.scene.num_envs,
    envBytes: effect.env_bytes,
    threads,
    libraryBytes: 4 * frames * (ROW_A_BODY * bodies + ROW_A_JOINT * joints),
  };
  const trial = {
    actor: { inputs: actorDim, outputs: effect.action },
    critic: { inputs: criticDim, outputs: 1 },
    resting: seen.resting,
    memory: trainingBytes(size),
    checkpoint: checkpointBytes(size),
  };
  const minutes = seen.frames / controlHz / 60;
  const unseen = seen.skipped > 0 ? `; ${seen.skipped} more were not looked at` : '';
  checks.push(
    seen.problem === null
      ? {
          name: 'clips',
          ok: true,
          text: `${seen.clips} ${seen.clips === 1 ? 'clip' : 'clips'}, ${minutes.toFixed(1)} minutes, lie where the robot's joints hold them${unseen}`,
        }
      : { name: 'clips', ok: false, text: `dataset: ${seen.problem}` },
  );
  if (checks.some(({ ok }) => !ok)) return { checks, ...trial };
  checks.push(await stepClips(order));
  return { checks, ...trial };
}

function describeTask(config: TaskConfig, effect: ReturnType<typeof taskEffect>): TrialCheck[] {
  for (const group of [ACTOR_GROUP, CRITIC_GROUP])
    if (!Object.hasOwn(effect.observations, group))
      return [
        { name: 'task', ok: false, text: `task: it has no group of observations "${group}", which training needs` },
      ];
  const count = (terms: object) => Object.keys(terms).length;
  const groups = Object.entries(config.observations).map(
    ([name, { terms }]) => `${name} ${effect.observations[name]} (${Object.keys(terms).join(' ')})`,
  );
  return [
    {
      name: 'task',
      ok: true,
      text: `${count(config.rewards)} rewards, ${count(config.terminations)} terminations, ${count(config.events)} events, episodes of ${config.episode_length_s} s`,
    },
    { name: 'dimensions', ok: true, text: `${groups.join(', ')}; ${effect.action} actions` },
  ];
}

/** One control step from the first frame of clips, as the reference holds the robot. */
async function stepClips({ config, robot, clips }: TrialOrder): Promise<TrialCheck> {
  let envs: Environments | null = null;
  try {
    const library = await loadMotionLibrary(clips.slice(0, STEPPED), robot.facts);
    envs = createEnvironments({
      mj: await loadMujoco(),
      physics: await readFile(physicsOn(robot.physicsPath, config.scene.terrain.type)),
      facts: robot.facts,
      config: { ...config, scene: { ...config.scene, num_envs: 1 } },
      library,
      terms: LIBRARY,
      n: 1,
      seed: 0,
    });
    const stepped = Math.min(STEPPED, library.clips.length);
    const actions = new Float32Array(envs.actionDim);
    for (let clip = 0; clip < stepped; clip += 1) {
      envs.pin(0, clip, 0);
      envs.step(actions);
      const broken = brokenTerm(envs);
      if (broken !== null)
        return {
          name: 'steps',
          ok: false,
          text: `dataset: clip "${library.clips[clip]!.name}": one step of it makes ${broken} not finite`,
        };
    }
    return { name: 'steps', ok: true, text: `one step from the start of ${stepped} of them stays finite` };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { name: 'steps', ok: false, text: `task: ${messageOf(error)}` };
  } finally {
    envs?.delete();
  }
}

/** A term whose values are not finite; null where all are. */
function brokenTerm(envs: Environments): string | null {
  for (const [group, { slices, values }] of envs.observations)
    for (const { term, offset, dim } of slices)
      if (!values.subarray(offset, offset + dim).every(Number.isFinite)) return `the observation ${group}.${term}`;
  const reward = envs.rewardTerms.findIndex((value) => !Number.isFinite(value));
  return reward < 0 ? null : `the reward ${envs.rewardNames[reward]}`;
}
