import { badInput } from '../core/errors.ts';
import { jointGains } from '../mdp/env/actuators.ts';
import { LIBRARY } from '../mdp/library.ts';
import type { ObservationTermConfig, TaskConfig } from '../mdp/task-config.ts';
import { actorGroupOf } from '../play/run-setup/joint-order.ts';
import { oneEnvironment } from '../presets/one-environment.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { Reading } from './readings.ts';

/** Properties of a policy that its controller must know, in addition to the network. Lists are in the robot's joint
 *  order. */
export interface RunPolicy {
  readonly joints: readonly string[];
  /** values per joint: Nm/rad, Nm·s/rad, rad, rad per unit of action */
  readonly stiffness: readonly number[];
  readonly damping: readonly number[];
  readonly defaultPos: readonly number[];
  readonly scale: readonly number[];
  /** whether targets are relative to the reference instead of the default pose */
  readonly residual: boolean;
  /** limits of raw actions; null: unlimited */
  readonly clip: readonly [number, number] | null;
  /** duration of a control step, s */
  readonly stepS: number;
  readonly anchor: string;
  /** tracked bodies */
  readonly bodies: readonly string[];
  readonly terms: readonly PolicyTerm[];
}

/** One observation of the policy, in the order of the network's input. */
export interface PolicyTerm {
  readonly name: string;
  /** name of the function in the registry of observations */
  readonly func: string;
  readonly config: ObservationTermConfig;
  /** number of values at one time, and number of times kept in the history, oldest first; both at least 1 */
  readonly width: number;
  readonly history: number;
  readonly source: TermSource;
}

/** Source of an observation: a reading of the controller, the clip alone (`table`), or nothing that a controller has
 *  (`none`). `lever`: the policy was trained with the velocity of this point, m in the frame of the root, but the
 *  reading is the velocity of the root. */
type TermSource =
  | { readonly kind: 'reading'; readonly reading: Reading; readonly lever?: readonly [number, number, number] }
  | { readonly kind: 'table' }
  | { readonly kind: 'none' };

const READING_OF: Readonly<Record<string, Reading>> = {
  generated_commands: 'command',
  ref_base_height: 'ref_base_height',
  ref_base_lin_vel_b: 'ref_base_lin_vel_b',
  ref_base_ang_vel_b: 'ref_base_ang_vel_b',
  ref_gravity_b: 'ref_gravity_b',
  ref_joint_pos: 'ref_joint_pos',
  ref_joint_vel: 'ref_joint_vel',
  motion_anchor_pos_b: 'anchor_pos_b',
  motion_anchor_ori_b: 'anchor_ori_b',
  base_lin_vel: 'base_lin_vel',
  base_ang_vel: 'base_ang_vel',
  projected_gravity: 'projected_gravity',
  joint_pos_rel: 'joint_pos',
  joint_vel_rel: 'joint_vel',
  last_action: 'last_action',
};
/** Further observations that depend only on the clip. */
const OF_CLIP = ['ref_anchor_ori_6d', 'ref_base_lin_acc_b', 'ref_base_ang_acc_b', 'motion_segment_phase'];

/** Reads the properties of a policy from the task of its run. @throws StudioError bad_input for an observation with a
 *  delay, which no layout can express */
export function runPolicy(task: TaskConfig, facts: RobotFacts): RunPolicy {
  const { joint_pos: action } = task.actions;
  const { motion } = task.commands;
  const gains = jointGains(facts, task.robot);
  const group = task.observations[actorGroupOf(task)]!;
  const context = oneEnvironment(facts, task);
  return {
    joints: facts.joints.map(({ name }) => name),
    stiffness: [...gains.stiffness],
    damping: [...gains.damping],
    defaultPos: [...gains.defaultPos],
    scale: facts.joints.map(({ actionScale }, j) => (action.scale?.[j] ?? actionScale) * action.scale_factor),
    residual: action.action_mode === 'reference_residual',
    clip: action.clip,
    stepS: task.decimation * task.sim.timestep,
    anchor: motion.anchor_body,
    bodies: motion.body_names,
    terms: Object.entries(group.terms).map(([name, config]): PolicyTerm => {
      if (config.delay_min_lag > 0)
        throw badInput(
          `format: observation ${name} has a delay of ${config.delay_min_lag} steps, which no layout can express. Train without delay_min_lag.`,
        );
      const func = functionOf(config.func);
      return {
        name,
        func,
        config,
        width: LIBRARY.observations[func]!.make(context, config.params).dim,
        history: Math.max(1, group.history_length ?? config.history_length),
        source: sourceOf(func, config),
      };
    }),
  };
}

/** Returns the name of the function of which `name` is an alias; `name` itself if it is not an alias. */
function functionOf(name: string): string {
  const term = LIBRARY.observations[name];
  return (term && 'aliasOf' in term ? term.aliasOf : undefined) ?? name;
}

function sourceOf(func: string, { params }: ObservationTermConfig): TermSource {
  if (func === 'builtin_sensor') return sensorOf(params);
  const reading = Object.hasOwn(READING_OF, func) ? READING_OF[func] : undefined;
  if (reading) return { kind: 'reading', reading };
  return { kind: OF_CLIP.includes(func) ? 'table' : 'none' };
}

/** Returns the reading that corresponds to a sensor on the root. */
function sensorOf(params: ObservationTermConfig['params']): TermSource {
  const name = String(params['sensor_name'] ?? 'imu_ang_vel').replace(/^.*\//, '');
  if (name === 'imu_ang_vel') return { kind: 'reading', reading: 'base_ang_vel' };
  if (name !== 'imu_lin_vel') return { kind: 'none' };
  const [x = 0, y = 0, z = 0] = Array.isArray(params['offset']) ? (params['offset'] as readonly number[]) : [];
  const isAtRoot = x === 0 && y === 0 && z === 0;
  return { kind: 'reading', reading: 'base_lin_vel', ...(isAtRoot ? {} : { lever: [x, y, z] as const }) };
}
