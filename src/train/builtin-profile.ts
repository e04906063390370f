import type { ObservationGroupConfig, ObservationTermConfig, TaskConfig } from '../mdp/task-config.ts';
import { CRITIC_GROUP } from './ppo/rollout.ts';

/** How far joints are off when an episode begins, rad. */
const RESET_NOISE: readonly [number, number] = [-0.05, 0.05];

/** What a critic may know, but a small one does better without: wide (a G1's critic has 665 values, 310 without these),
 *  zero where nothing helps the robot, or with rare huge values. */
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

/** What the built-in trainer makes of a task: `builtin` learns a motion in minutes, `robust` learns it against the task's
 *  disturbances, `task` is the task as it stands. */
export type Profile = 'builtin' | 'robust' | 'task';

/** A task as it is trained under a profile. */
export function trainedTask(task: TaskConfig, profile: Profile): TaskConfig {
  if (profile === 'task') return task;
  const fast = fastLearning(task);
  return profile === 'robust' ? fast : undisturbed(fast);
}

/** A few minutes of a CPU must do: sharp tracking kernels (factor 1), which track closer for the same number of steps,
 *  contacts of the soles alone unless the task says which, and a critic that sees less, which halves the time of
 *  learning. */
function fastLearning(task: TaskConfig): TaskConfig {
  return {
    ...task,
    sim: { ...task.sim, contacts: task.sim.contacts === 'all' ? 'all' : 'soles' },
    observations: Object.fromEntries(
      Object.entries(task.observations).map(([name, group]) => [name, name === CRITIC_GROUP ? lean(group) : group]),
    ),
    rewards: Object.fromEntries(
      Object.entries(task.rewards).map(([name, term]) => [
        name,
        'kappa' in term.params ? { ...term, params: { ...term.params, kappa: 1 } } : term,
      ]),
    ),
  };
}

/** A motion, not robustness: no pushes, no randomised bodies, no help, no noise, a small reset noise. */
function undisturbed(task: TaskConfig): TaskConfig {
  const { motion } = task.commands;
  return {
    ...task,
    events: {},
    observations: Object.fromEntries(Object.entries(task.observations).map(([name, group]) => [name, quiet(group)])),
    commands: {
      ...task.commands,
      motion: { ...motion, pose_range: {}, velocity_range: {}, joint_position_range: RESET_NOISE },
    },
  };
}

/** A task as a policy is judged by it: the policy alone, from starts all over the clips, with the task's terminations;
 *  all contacts, no noise, no disturbance, and no end by time: whoever judges counts the steps. */
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

function quiet(group: ObservationGroupConfig): ObservationGroupConfig {
  const terms = Object.entries(group.terms).map(([name, term]): [string, ObservationTermConfig] => [
    name,
    { ...term, noise: null, delay_min_lag: 0, delay_max_lag: 0 },
  ]);
  return { ...group, enable_corruption: false, terms: Object.fromEntries(terms) };
}
