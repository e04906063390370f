import type { EventTermConfig, TaskConfig } from '../../mdp/task-config.ts';

/** Episode length in play, s: practically unlimited. */
const ENDLESS_S = 1e9;
/** Training events that disturb or assist the robot. */
const TRAINING_ONLY = ['push_by_setting_velocity', 'apply_external_force_torque', 'assistive_wrench'];

/** Applies the changes with which the original project (upstream, wbc_mjlab) plays policies: endless episodes; no
 *  noise, pushes or assistance; exact reference poses and velocities at the start. Startup variations, joint noise and
 *  terminations are kept. */
export function withPlayOverrides(config: TaskConfig): TaskConfig {
  const events = Object.entries(config.events).filter(
    ([, { func }]: [string, EventTermConfig]) => !TRAINING_ONLY.includes(func),
  );
  return {
    ...config,
    episode_length_s: ENDLESS_S,
    observations: Object.fromEntries(
      Object.entries(config.observations).map(([name, group]) => [name, { ...group, enable_corruption: false }]),
    ),
    events: Object.fromEntries(events),
    commands: { ...config.commands, motion: { ...config.commands.motion, pose_range: {}, velocity_range: {} } },
  };
}
