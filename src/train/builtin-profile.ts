import type { ObservationGroupConfig, ObservationTermConfig, TaskConfig } from '../mdp/task-config.ts';
import { hasBaseSampling } from '../mdp/tasks/base-tasks.ts';
import { ZEST_KAPPA } from '../mdp/tasks/reward-terms.ts';
import { ACTOR_GROUP, CRITIC_GROUP } from './ppo/rollout.ts';

/** Random offset of the joint positions at a reset, rad. */
const RESET_NOISE: readonly [number, number] = [-0.05, 0.05];

/** Critic observations that the built-in trainer removes, because a small critic learns better without them. They have
 *  many values (a G1's critic has 665 values, 310 without them), are 0 without assistance, or sometimes have very large
 *  values. */
const LEFT_OUT_OF_CRITIC = new Set([
  'ref_body_ori_b',
  'robot_body_ori_b',
  'ref_body_lin_vel',
  'ref_body_ang_vel',
  'motion_body_ang_vel',
  'ref_base_lin_acc_b',
  'ref_base_ang_acc_b',
  'assistive_wrench_force',
  'assistive_wrench_torque',
  'assistive_wrench_gain',
  'motion_tracking_step_rewards',
  'keybody_contact_forces',
]);

/** Name of an observation that only an actor with a state estimate has. Its errors are in world axes. */
const WORLD_ERROR = 'motion_anchor_ori_error';
/** Observations that such an actor gets in addition, each with the noise of a similar observation of the task: the same
 *  estimate in the frame of the robot, and the joint velocities of the reference. With errors in world axes alone, the
 *  network must first learn to turn them by the heading, which it does not observe. */
const IN_ROBOT_FRAME: Readonly<Record<string, number>> = {
  projected_gravity: 0.05,
  motion_anchor_pos_b: 0.1,
  motion_anchor_ori_b: 0.02,
  ref_joint_vel: 0,
};

/** How the built-in trainer changes a task: `builtin` learns a motion in minutes, `robust` learns it with the
 *  disturbances of the task, `task` changes only the contacts and switches off starts before failures. */
export type Profile = 'builtin' | 'robust' | 'task';

/** Returns the task as it is trained with a profile. Contacts are light, unless the task selects others: a step takes
 *  less time. */
export function trainedTask(task: TaskConfig, profile: Profile): TaskConfig {
  const { contacts = 'profile' } = task.sim;
  const light = contacts === 'profile' ? { ...task, sim: { ...task.sim, contacts: 'light' as const } } : task;
  if (profile === 'task') return startingBySections(light);
  const fast = fastLearning(light);
  return profile === 'robust' ? startingBySections(fast) : undisturbed(fast);
}

/** Returns a task without starts before failures: its assistance depends on how often episodes fail that start in a
 *  section. */
function startingBySections(task: TaskConfig): TaskConfig {
  const { motion } = task.commands;
  if (!motion.rsi.before_failures) return task;
  return {
    ...task,
    commands: { ...task.commands, motion: { ...motion, rsi: { ...motion.rsi, before_failures: false } } },
  };
}

/** Changes a task so that a CPU learns it in minutes: narrow tracking kernels (factor 1), with which the policy tracks
 *  more closely after the same number of steps, unless the task sets another factor than the base tasks; and fewer
 *  critic observations, which halves the learning time. */
function fastLearning(task: TaskConfig): TaskConfig {
  return {
    ...task,
    observations: Object.fromEntries(
      Object.entries(task.observations).map(([name, group]) => {
        if (name === CRITIC_GROUP) return [name, lean(group)];
        return [name, name === ACTOR_GROUP ? inRobotFrame(group) : group];
      }),
    ),
    rewards: Object.fromEntries(
      Object.entries(task.rewards).map(([name, term]) => [
        name,
        term.params['kappa'] === ZEST_KAPPA ? { ...term, params: { ...term.params, kappa: 1 } } : term,
      ]),
    ),
  };
}

/** Removes everything that trains robustness: pushes, randomised bodies, assistance and noise. Keeps a small reset
 *  noise. Episodes of a short motion start shortly before failures, unless the task chooses their starts differently
 *  from the base tasks. */
function undisturbed(task: TaskConfig): TaskConfig {
  const { motion } = task.commands;
  const rsi = hasBaseSampling(task) ? { ...motion.rsi, before_failures: true } : motion.rsi;
  return {
    ...task,
    events: {},
    observations: Object.fromEntries(Object.entries(task.observations).map(([name, group]) => [name, quiet(group)])),
    commands: {
      ...task.commands,
      motion: { ...motion, pose_range: {}, velocity_range: {}, joint_position_range: RESET_NOISE, rsi },
    },
  };
}

/** Returns the task for evaluating a policy: the actor's observations only, starts uniform over the clips, the
 *  terminations of the task except time-outs, all contacts, no noise, no disturbances. Only the joint positions at a
 *  start keep the random offset of the task. The evaluation itself counts the steps. */
export function evaluationConfig(task: TaskConfig): TaskConfig {
  const { motion } = task.commands;
  const { critic: _, ...observations } = task.observations;
  return {
    ...task,
    sim: { ...task.sim, contacts: 'all' },
    events: {},
    observations: Object.fromEntries(Object.entries(observations).map(([name, group]) => [name, quiet(group)])),
    terminations: Object.fromEntries(Object.entries(task.terminations).filter(([, { time_out: timeOut }]) => !timeOut)),
    commands: {
      ...task.commands,
      motion: { ...motion, pose_range: {}, velocity_range: {}, rsi: { ...motion.rsi, sampling_mode: 'uniform' } },
    },
  };
}

function lean(group: ObservationGroupConfig): ObservationGroupConfig {
  const kept = Object.entries(group.terms).filter(([, { func }]) => !LEFT_OUT_OF_CRITIC.has(func));
  return { ...group, terms: Object.fromEntries(kept) };
}

function inRobotFrame(group: ObservationGroupConfig): ObservationGroupConfig {
  const given = Object.values(group.terms);
  const model = given.find(({ func }) => func === WORLD_ERROR);
  if (!model) return group;
  const added = Object.entries(IN_ROBOT_FRAME)
    .filter(([func]) => !given.some((term) => term.func === func))
    .map(([func, noise]): [string, ObservationTermConfig] => [
      func,
      {
        ...model,
        func,
        params: {},
        scale: null,
        clip: null,
        noise: noise > 0 ? { n_min: -noise, n_max: noise } : null,
      },
    ]);
  return { ...group, terms: { ...group.terms, ...Object.fromEntries(added) } };
}

/** Returns a group without noise and delays. Also resets `noise_scale`, so that the settings of a run state no
 *  noise. */
export function quiet(group: ObservationGroupConfig): ObservationGroupConfig {
  const terms = Object.entries(group.terms).map(([name, term]): [string, ObservationTermConfig] => [
    name,
    { ...term, noise: null, noise_scale: 1, delay_min_lag: 0, delay_max_lag: 0 },
  ]);
  return { ...group, enable_corruption: false, terms: Object.fromEntries(terms) };
}
