import { readFile } from 'node:fs/promises';
import { checkMotions, type MotionsSeen } from '../../checks/check-motions.ts';
import { messageOf, StudioError } from '../../core/errors.ts';
import { countNeverStarted, samplingSettings } from '../../mdp/command/adaptive-sampling.ts';
import { createEnvironments } from '../../mdp/env/create-environments.ts';
import type { Environments } from '../../mdp/environments.ts';
import { LIBRARY } from '../../mdp/library.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import type { LibraryFile } from '../../motion/library/load-motion-library.ts';
import { loadTriedClips, MOST_TRIED } from '../../motion/library/tried-clips.ts';
import { taskEffect } from '../../presets/task-effect.ts';
import { physicsOn } from '../../robots/uneven-ground.ts';
import { loadMujoco } from '../../sim/mujoco.ts';
import { ACTOR_GROUP, CRITIC_GROUP } from '../ppo/rollout.ts';
import { type MotionMeasures, measureMotion } from './motion-demand.ts';
import type { TrainingSize } from './training-bytes.ts';
import { measureStep } from './training-speed.ts';

/** Number of environments whose speed is measured. */
const TRIED_ENVS = 8;
/** Time limit for checking clips, ms, because a request waits for the result. */
const CHECKING_MS = 12_000;
const ROW_A_BODY = 13;
const ROW_A_JOINT = 2;

/** The training to try. The order is sent to another thread. */
export interface TrialOrder {
  /** the task as it would be trained */
  readonly config: TaskConfig;
  readonly robot: ClipRobotSource;
  readonly clips: readonly LibraryFile[];
  readonly threads: number;
}

export interface TrialCheck {
  readonly name: 'task' | 'dimensions' | 'clips' | 'steps';
  readonly ok: boolean;
  /** if `ok` is false, begins with the name of the launch field that must be corrected */
  readonly text: string;
}

export interface NetworkEnds {
  readonly inputs: number;
  readonly outputs: number;
}

/** The result of a trial: its checks and the sizes of the training. */
export interface Trial {
  /** all checks up to the first that is not ok */
  readonly checks: readonly TrialCheck[];
  /** sizes of the networks; null if the task cannot be built */
  readonly actor: NetworkEnds | null;
  readonly critic: NetworkEnds | null;
  /** duration of all clips, s; null if the task cannot be built */
  readonly motionS: number | null;
  /** as in `MotionsSeen` */
  readonly resting: MotionsSeen['resting'];
  /** sizes of the training, independent of its networks; null if the task cannot be built */
  readonly size: Omit<TrainingSize, 'agent'> | null;
  /** duration, complexity and stands off balance of the motion, and the speed of learning it; null if the task or the
   *  clips are unusable */
  readonly demand: MotionDemand | null;
}

/** The amount of motion that a training learns, and the speed at which this machine would learn it. */
export interface MotionDemand extends MotionMeasures {
  /** duration of all clips, s */
  readonly seconds: number;
  /** time of an environment step in one thread, without learning, s */
  readonly stepS: number;
}

/** Tries a training: builds its task, checks its clips against the robot's kinematics, and takes one step of each.
 *  Blocks the thread for seconds. */
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
    return {
      ...{ checks, actor: null, critic: null, motionS: null, resting: null, size: null },
      demand: null,
    };
  }
  const actorDim = effect.observations[ACTOR_GROUP] ?? 0;
  const criticDim = effect.observations[CRITIC_GROUP] ?? 0;
  const controlHz = 1 / (config.decimation * config.sim.timestep);
  const seen = await checkMotions(await openClipRobot(robot), clips, controlHz, Date.now() + CHECKING_MS);
  const [bodies, joints] = [robot.facts.bodies.length, robot.facts.joints.length];
  // Assume that clips that were not checked are as long as the checked ones.
  const frames = (seen.frames * clips.length) / Math.max(1, clips.length - seen.skipped);
  const size = {
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
    motionS: frames / controlHz,
    resting: seen.resting,
    size,
  };
  const seconds = seen.frames / controlHz;
  const duration = seconds < 60 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} minutes`;
  const unseen = seen.skipped > 0 ? `; ${seen.skipped} more were not checked` : '';
  const short = shortText(config, seen, controlHz);
  checks.push(
    seen.problem === null
      ? {
          name: 'clips',
          ok: true,
          text: `${seen.clips} ${seen.clips === 1 ? 'clip' : 'clips'}, ${duration}, agree with the robot's kinematics${unseen}${short}`,
        }
      : { name: 'clips', ok: false, text: `dataset: ${seen.problem}` },
  );
  if (checks.some(({ ok }) => !ok)) return { checks, ...trial, demand: null };
  const stepped = await stepClips(order);
  checks.push(stepped.check);
  const demand = stepped.demand && { ...stepped.demand, seconds: frames / controlHz };
  return { checks, ...trial, demand };
}

/** Returns a warning about clips in which no episode starts, to append to the check of the clips; empty if there are
 *  none. */
function shortText({ commands }: TaskConfig, { lengths }: MotionsSeen, fps: number): string {
  const { rsi } = commands.motion;
  const count = countNeverStarted(rsi, lengths, fps);
  if (count === 0) return '';
  const { min_bin_span_ratio: ratio, bin_width_s: widthS } = samplingSettings(rsi, lengths, fps);
  const least = Number((ratio * widthS).toFixed(2));
  const what = count === 1 ? '1 of them is' : `${count} of them are`;
  return `; ${what} shorter than ${least} s, so no episode starts there. To train on ${count === 1 ? 'it' : 'them'} too, set commands.motion.rsi.min_bin_span_ratio to 0`;
}

function describeTask(config: TaskConfig, effect: ReturnType<typeof taskEffect>): TrialCheck[] {
  for (const group of [ACTOR_GROUP, CRITIC_GROUP])
    if (!Object.hasOwn(effect.observations, group))
      return [{ name: 'task', ok: false, text: `task: has no observation group "${group}", which training requires` }];
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

interface Stepped {
  readonly check: TrialCheck;
  /** complexity, stands off balance and speed; null if the check failed */
  readonly demand: Omit<MotionDemand, 'seconds'> | null;
}

/** Takes one control step from the first frame of some clips, with zero action. Then measures the motion and the speed. */
async function stepClips({ config, robot, clips }: TrialOrder): Promise<Stepped> {
  const failed = (text: string): Stepped => ({ check: { name: 'steps', ok: false, text }, demand: null });
  let envs: Environments | null = null;
  try {
    const library = await loadTriedClips(clips, robot.facts);
    envs = createEnvironments({
      mj: await loadMujoco(),
      physics: await readFile(physicsOn(robot.physicsPath, config.scene.terrain.type)),
      facts: robot.facts,
      config: { ...config, scene: { ...config.scene, num_envs: TRIED_ENVS } },
      library,
      terms: LIBRARY,
      n: TRIED_ENVS,
      seed: 0,
    });
    const stepped = Math.min(MOST_TRIED, library.clips.length);
    const actions = new Float32Array(TRIED_ENVS * envs.actionDim);
    envs.active = 1;
    for (let clip = 0; clip < stepped; clip += 1) {
      envs.pin(0, clip, 0);
      envs.step(actions);
      const broken = brokenTerm(envs);
      if (broken !== null)
        return failed(`dataset: clip "${library.clips[clip]!.name}": ${broken} is not finite after one step`);
    }
    envs.pin(0, null, 0);
    envs.active = TRIED_ENVS;
    const measures = measureMotion(await openClipRobot(robot), library);
    return {
      check: {
        name: 'steps',
        ok: true,
        text: `finite after one step from the start of ${stepped} ${stepped === 1 ? 'clip' : 'clips'}`,
      },
      demand: { ...measures, stepS: measureStep(envs) },
    };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return failed(`task: ${messageOf(error)}`);
  } finally {
    envs?.delete();
  }
}

/** Returns the name of the first term with a value that is not finite; null if all are finite. */
function brokenTerm(envs: Environments): string | null {
  for (const [group, { slices, values }] of envs.observations)
    for (const { term, offset, dim } of slices)
      if (!values.subarray(offset, offset + dim).every(Number.isFinite)) return `the observation ${group}.${term}`;
  const reward = envs.rewardTerms.findIndex((value) => !Number.isFinite(value));
  return reward < 0 ? null : `the reward ${envs.rewardNames[reward]}`;
}
