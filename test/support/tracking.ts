import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createEnvironments } from '../../src/mdp/env/create-environments.ts';
import type { EnvironmentOptions } from '../../src/mdp/env/environment-options.ts';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { ObservationTermConfig, TaskConfig } from '../../src/mdp/task-config.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { openClipRobot } from '../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import { convertClip } from '../../src/motion/convert/convert-clip.ts';
import { stackMotions } from '../../src/motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../../src/motion/library/motion-library.ts';
import { PREPARED_FILES, type PreparedRobot } from '../../src/robots/prepared-robot.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { clipSource } from './robots.ts';

/** An observation without noise, clipping, scale, delay and history. */
export function plainObservation(func: string): ObservationTermConfig {
  return {
    func,
    params: {},
    noise: null,
    noise_scale: 1,
    clip: null,
    scale: null,
    delay_min_lag: 0,
    delay_max_lag: 0,
    history_length: 0,
  };
}

/** The task that the kit's policy was trained for, with the deployment settings of whole_body_tracking. */
export function deployConfig(facts: RobotFacts): TaskConfig {
  const base = baseTasks(facts)[0]!.config;
  const { motion } = base.commands;
  const names = [
    'motion_command',
    'motion_anchor_ori_b',
    'base_ang_vel',
    'joint_pos_rel',
    'joint_vel_rel',
    'last_action',
  ];
  return {
    ...base,
    episode_length_s: 1e9,
    observations: {
      policy: {
        terms: Object.fromEntries(names.map((name) => [name, plainObservation(name)])),
        enable_corruption: false,
        history_length: null,
      },
    },
    actions: { joint_pos: { action_mode: 'default_relative', scale: null, scale_factor: 1, clip: null } },
    commands: {
      motion: {
        ...motion,
        pose_range: {},
        velocity_range: {},
        joint_position_range: [0, 0],
        rsi: { ...motion.rsi, sampling_mode: 'start' },
      },
    },
    events: {},
    terminations: {
      anchor_pos: { func: 'bad_anchor_pos_z_only', time_out: false, params: { threshold: 0.5 } },
      anchor_ori: { func: 'bad_anchor_ori', time_out: false, params: { threshold: 0.8 } },
      ee_body_pos: {
        func: 'bad_motion_body_pos_z_only',
        time_out: false,
        params: { threshold: 0.5, body_names: motion.ee_body_names },
      },
    },
  };
}

/** Motion library of clips that are converted at 50 frames per second. */
export async function libraryOf(
  prepared: PreparedRobot,
  clips: Readonly<Record<string, ClipRows>>,
): Promise<MotionLibrary> {
  const robot = await openClipRobot(clipSource(prepared));
  const motions = Object.entries(clips).map(([name, rows]) => ({
    name,
    motion: convertClip(robot, rows, { outputFps: 50, debiasZ: false }).motion,
  }));
  return stackMotions(motions, prepared.facts);
}

type GivenOptions = Omit<EnvironmentOptions, 'mj' | 'physics' | 'facts' | 'terms' | 'seed'> & {
  readonly seed?: number;
};

/** Completes the options of environments of a compiled robot. */
export async function optionsOf({ folder, facts }: PreparedRobot, options: GivenOptions): Promise<EnvironmentOptions> {
  return {
    seed: 1,
    ...options,
    mj: await loadMujoco(),
    physics: readFileSync(path.join(folder, PREPARED_FILES.physics)),
    facts,
    terms: LIBRARY,
  };
}

/** Creates environments of a compiled robot. */
export async function environmentsOf(robot: PreparedRobot, options: GivenOptions) {
  return createEnvironments(await optionsOf(robot, options));
}
