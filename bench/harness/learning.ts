import { rmSync } from 'node:fs';
import path from 'node:path';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import type { Profile } from '../../src/train/builtin-profile.ts';
import { preparedG1 } from '../../test/support/robots.ts';
import { type Course, runTrainer } from './trainer.ts';
import { orderFor } from './training-order.ts';

/** Goals as shares of the length of an episode. */
export const GOALS = [0.5, 0.8, 0.9];
/** Number of env-steps of the training that measures the speed. */
const RATE_STEPS = 60e3;
/** Share of the time for iterations. Evaluations need the rest once a policy tracks whole episodes. */
const ITERATING = 0.75;

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
  /** `path.of.a.setting=value`, applied to the task */
  readonly set: readonly string[];
}

/** One training of a subject. */
export interface Learned {
  readonly piece: string;
  readonly duration: number;
  readonly seed: number;
  readonly budget: string;
  readonly env_steps: number;
  readonly seconds: number;
  /** for each goal; null if it was not reached */
  readonly goals: readonly { readonly s: number; readonly env_steps: number | null; readonly seconds: number | null }[];
  readonly zero_action_s: number;
  readonly tracked_s: number;
  readonly whole: number;
  readonly bodies_m: number;
  readonly joints_rad: number;
  readonly curve: readonly (readonly [env_steps: number, s: number])[];
}

/** Trains a G1 on a subject for a number of env-steps. */
export async function learn(
  { name, clips, duration }: Subject,
  seed: number,
  steps: number,
  settings: LearnSettings,
): Promise<Course> {
  const order = await orderFor({
    robot: await preparedG1(),
    task: 'G1-SE',
    clips,
    root: settings.root,
    name: `${name.replace('@', '-')}-${seed}-${steps}`,
    seed,
    threads: settings.threads,
    profile: settings.profile,
    change: (task) => changed(task, duration, steps, settings.set),
  });
  const { start } = settings;
  const course = await runTrainer({
    ...order,
    start: start === null ? null : { checkpoint: path.resolve(start), run: path.dirname(start) },
  });
  if (!settings.keep) rmSync(order.runFolder, { recursive: true });
  return course;
}

/** Returns the speed of a short training of a subject, env-steps per second. */
export async function measureSpeed(subject: Subject, settings: LearnSettings): Promise<number> {
  return (await learn(subject, 0, RATE_STEPS, settings)).stepsPerSecond;
}

/** Returns the env-steps of a budget, `30 min` or `5e6 steps`. @param stepsPerSecond measured only if needed */
export async function stepsOf(budget: string, stepsPerSecond: () => Promise<number>): Promise<number> {
  const [count = '', unit] = budget.split(' ');
  return unit === 'steps' ? Number(count) : Math.floor(60 * Number(count) * ITERATING * (await stepsPerSecond()));
}

/** Returns the profile of that name. @throws Error for an unknown name */
export function readProfile(name: string): Profile {
  const profile = (['builtin', 'robust', 'task'] as const).find((known) => known === name);
  if (!profile) throw new Error(`--profile: "${name}" is not builtin, robust or task`);
  return profile;
}

/** Returns the names of the budgets. @param minutes and @param steps comma-separated numbers; steps win */
export function budgetNames(minutes: string, steps?: string): string[] {
  return steps ? steps.split(',').map((count) => `${count} steps`) : minutes.split(',').map((count) => `${count} min`);
}

/** Returns the result of a training. */
export function learned(
  { name, duration }: Omit<Subject, 'clips'>,
  seed: number,
  budget: string,
  course: Course,
): Learned {
  const { final, curve, zeroAction } = course;
  return {
    piece: name,
    duration,
    seed,
    budget,
    env_steps: course.envSteps,
    seconds: course.seconds,
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

function changed(task: TaskConfig, duration: number, steps: number, settings: readonly string[]): TaskConfig {
  // An episode of a short clip ends with the clip.
  const copy = structuredClone({ ...task, episode_length_s: Math.min(task.episode_length_s, duration) });
  for (const change of settings) set(copy, change);
  const { agent, scene } = copy;
  const iterations = Math.max(1, Math.round(steps / agent.num_steps_per_env / scene.num_envs));
  return { ...copy, agent: { ...agent, max_iterations: iterations } };
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
