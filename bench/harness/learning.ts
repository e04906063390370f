import { rmSync } from 'node:fs';
import path from 'node:path';
import type { LaunchPlan } from '../../src/app/training/launch-plan.ts';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import type { Profile } from '../../src/train/builtin-profile.ts';
import type { TrainingOrder } from '../../src/train/training-order.ts';
import { preparedG1, suggestedG1 } from '../../test/support/robots.ts';
import { fromDist } from './product.ts';
import type { Cell } from './report.ts';
import { type Course, runTrainer } from './trainer.ts';
import { orderFor } from './training-order.ts';

const { budgetOf } = await fromDist<typeof import('../../src/app/training/launch-budget.ts')>(
  'app/training/launch-budget.js',
);
const { tryTraining } = await fromDist<typeof import('../../src/train/dry-run/try-training.ts')>(
  'train/dry-run/try-training.js',
);
const { networksLike, withAgent } = await fromDist<typeof import('../../src/app/training/launch-networks.ts')>(
  'app/training/launch-networks.js',
);
const { readCheckpointShape } = await fromDist<typeof import('../../src/train/dry-run/checkpoint-shape.ts')>(
  'train/dry-run/checkpoint-shape.js',
);
const { choosesWidths, networksFor } =
  await fromDist<typeof import('../../src/train/network-widths.ts')>('train/network-widths.js');

/** Goals as shares of the length of an episode. */
export const GOALS = [0.5, 0.8, 0.9];

/** What is learned: one piece of a clip, or whole clips in one library. */
export interface Subject {
  readonly name: string;
  readonly clips: readonly { readonly name: string; readonly rows: ClipRows }[];
  /** length of an episode, s */
  readonly duration: number;
}

/** How every training of a bench is run. */
export interface LearnSettings {
  readonly threads: number;
  /** folder for converted clips and runs */
  readonly root: string;
  /** whether the runs are kept */
  readonly keep: boolean;
  readonly profile: Profile;
  /** checkpoint whose networks every training starts with */
  readonly start: string | null;
  /** settings of the G1: those of the kit's policy, or those that an import suggests */
  readonly robot: 'kit' | 'suggested';
  /** `path.of.a.setting=value`, applied to the task */
  readonly set: readonly string[];
}

/** Lowest and highest time that a launch would state beforehand, s; null for a budget in steps. */
type Stated = readonly [number, number] | null;

/** One training of a subject. */
export interface Learned {
  readonly piece: string;
  readonly duration: number;
  readonly seed: number;
  readonly budget: string;
  readonly env_steps: number;
  readonly seconds: number;
  /** absent in results of earlier versions */
  readonly stated_s?: Stated;
  /** for each goal; null if it was not reached */
  readonly goals: readonly { readonly s: number; readonly env_steps: number | null; readonly seconds: number | null }[];
  readonly zero_action_s: number;
  readonly tracked_s: number;
  readonly whole: number;
  readonly bodies_m: number;
  readonly joints_rad: number;
  readonly curve: readonly (readonly [env_steps: number, s: number])[];
}

/** Trains a G1 on a subject within a budget, `30 min` or `5e6 steps`. With minutes, the trainer chooses the number of
 *  iterations as after a launch that gives none: it ends when the policy has converged, at the latest after this
 *  time. */
export async function learn(subject: Subject, seed: number, budget: string, settings: LearnSettings): Promise<Learned> {
  const { name, clips, duration } = subject;
  const { threads, profile, start } = settings;
  const [count = '', unit] = budget.split(' ');
  const order = await orderFor({
    ...{ robot: await robotOf(settings), task: 'G1-SE', clips, root: settings.root, seed, threads, profile },
    name: `${name.replace('@', '-')}-${seed}-${budget.replace(' ', '-')}`,
    change: (task) => changed(task, duration, settings.set),
  });
  const fitted = await withWidths(order, clips, start);
  const planned = unit === 'min' ? await automatic(fitted, Number(count)) : exact(fitted, Number(count));
  const course = await runTrainer({
    ...planned.order,
    start: start === null ? null : { checkpoint: path.resolve(start), run: path.dirname(start) },
  });
  if (!settings.keep) rmSync(order.runFolder, { recursive: true });
  return learned(subject, seed, budget, planned.stated, course);
}

function robotOf({ robot }: LearnSettings) {
  return robot === 'kit' ? preparedG1() : suggestedG1();
}

/** An order with its iterations, and the time stated beforehand. */
interface Planned {
  readonly order: TrainingOrder;
  readonly stated: Stated;
}

function exact(order: TrainingOrder, steps: number): Planned {
  const { agent, scene } = order.config;
  const iterations = Math.max(1, Math.round(steps / agent.num_steps_per_env / scene.num_envs));
  return { order: withIterations(order, iterations), stated: null };
}

/** Plans a training as a launch does. @throws Error if the launch would be refused */
async function automatic(order: TrainingOrder, minutes: number): Promise<Planned> {
  const { config, robot, clips, threads } = order;
  const trial = await tryTraining({ config, robot, clips, threads });
  const refused = trial.checks.find(({ ok }) => !ok);
  if (refused) throw new Error(refused.text);
  const { iterations, seconds } = budgetOf(launchOf(order), trial, [], minutes)!;
  return { order: { ...withIterations(order, iterations), maxMinutes: minutes }, stated: seconds };
}

/** Returns the launch of an order, without a number of iterations. */
function launchOf({ config, robot, task, dataset, clips, seed, threads, profile }: TrainingOrder): LaunchPlan {
  return {
    ...{ robot, task, config, trained: config, discarded: [], dataset, clips, seed },
    datasetFolder: '',
    missing: 0,
    excluded: 0,
    weightless: 0,
    numEnvs: config.scene.num_envs,
    maxIterations: config.agent.max_iterations,
    runName: '',
    logger: 'tensorboard',
    resume: null,
    startFrom: 'fresh',
    automatic: true,
    networksByMotion: false,
    extra: [],
    external: null,
    builtin: { profile, threads, saveInterval: null },
    launcher: 'local',
  };
}

/** Returns the order with networks as wide as those that a launch chooses: like those of the start, if there is one,
 *  else for the duration of the clips. */
async function withWidths(order: TrainingOrder, clips: Subject['clips'], start: string | null): Promise<TrainingOrder> {
  const motionS = clips.reduce((sum, { rows }) => sum + rows.frames / rows.fps, 0);
  const plan = { ...launchOf(order), networksByMotion: choosesWidths(order.config.agent) };
  const own = withAgent(plan, (agent) => networksFor(agent, motionS));
  const { trained } = start === null ? own : networksLike(own, await readCheckpointShape(start));
  return { ...order, config: trained };
}

function withIterations(order: TrainingOrder, iterations: number): TrainingOrder {
  const { agent, ...config } = order.config;
  return { ...order, config: { ...config, agent: { ...agent, max_iterations: iterations } } };
}

/** Returns the profile of that name. @throws Error for an unknown name */
export function readProfile(name: string): Profile {
  const profile = (['builtin', 'robust', 'task'] as const).find((known) => known === name);
  if (!profile) throw new Error(`--profile: "${name}" is not builtin, robust or task`);
  return profile;
}

/** Returns the settings of the robot of that name. @throws Error for an unknown name */
export function readRobot(name: string): LearnSettings['robot'] {
  if (name !== 'kit' && name !== 'suggested') throw new Error(`--robot: "${name}" is not kit or suggested`);
  return name;
}

/** Header of {@link budgetCells}. */
export const BUDGET = ['seed', 'budget', 'stated min', 'min', 'M steps'];
/** Header of {@link judgementCells}. */
export const JUDGEMENT = ['zero action s', 'tracked s', 'whole', 'bodies m', 'joints rad'];

/** Returns what a training took, for a table. */
export function budgetCells({ seed, budget, stated_s: stated, seconds, env_steps: steps }: Learned): Cell[] {
  const minutes = stated ? stated.map((s) => Math.round(s / 60)).join('–') : null;
  return [seed, budget, minutes, seconds / 60, steps / 1e6];
}

/** Returns what a policy reached, for a table. */
export function judgementCells({ zero_action_s, tracked_s, whole, bodies_m, joints_rad }: Learned): Cell[] {
  return [zero_action_s, tracked_s, whole, bodies_m, joints_rad];
}

/** Returns the names of the budgets. @param minutes and @param steps comma-separated numbers; steps win
 *  @throws Error for a value that is not a positive number */
export function budgetNames(minutes: string, steps?: string): string[] {
  const [values, unit, option] = steps ? [steps, 'steps', '--steps'] : [minutes, 'min', '--minutes'];
  return values.split(',').map((count) => {
    if (!(Number(count) > 0)) throw new Error(`${option}: "${count}" is not a positive number`);
    return `${count} ${unit}`;
  });
}

function learned({ name, duration }: Subject, seed: number, budget: string, stated: Stated, course: Course): Learned {
  const { final, curve, zeroAction } = course;
  return {
    piece: name,
    duration,
    seed,
    budget,
    env_steps: course.envSteps,
    seconds: course.seconds,
    stated_s: stated,
    goals: GOALS.map((share) => {
      const reached = curve.find(({ s }) => s >= share * duration);
      return {
        s: share * duration,
        env_steps: reached?.envSteps ?? null,
        seconds: reached?.seconds ?? null,
      };
    }),
    zero_action_s: zeroAction.s,
    tracked_s: final.s,
    whole: final.full,
    bodies_m: final.bodies,
    joints_rad: final.joints,
    curve: curve.map(({ envSteps, s }) => [envSteps, s] as const),
  };
}

function changed(task: TaskConfig, duration: number, settings: readonly string[]): TaskConfig {
  // An episode of a short clip ends with the clip.
  const copy = structuredClone({ ...task, episode_length_s: Math.min(task.episode_length_s, duration) });
  for (const change of settings) set(copy, change);
  return copy;
}

/** Applies `path.of.a.setting=value` to the task. @throws Error for an unknown setting */
function set(task: TaskConfig, change: string): void {
  const [setting = ''] = change.split('=', 1);
  const value = change.slice(setting.length + 1);
  const keys = setting.split('.');
  const last = keys.pop()!;
  let at: unknown = task;
  for (const key of keys) at = (at as Record<string, unknown> | undefined)?.[key];
  const isNew = keys.at(-1) === 'terms'; // a further observation
  if (typeof at !== 'object' || at === null || (!isNew && !(last in at)))
    throw new Error(`--set: the task has no ${setting}`);
  (at as Record<string, unknown>)[last] = JSON.parse(value);
}
