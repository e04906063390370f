import { badInput } from '../../core/errors.ts';
import type { Condition } from '../../protocol/schemas/evaluation.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { jointGains } from '../env/actuators.ts';
import type {
  EventTermConfig,
  ObservationGroupConfig,
  ObservationTermConfig,
  RobotOverrides,
  SimVariation,
  TaskConfig,
} from '../task-config.ts';
import { baseTasks } from '../tasks/base-tasks.ts';

/** Episode length, s: practically unlimited. Clips end earlier. */
const ENDLESS_S = 1e9;
const PUSHES = ['push_by_setting_velocity', 'push_robot', 'apply_external_force_torque', 'pull_robot'];
const VARIATIONS = ['body_com_offset', 'base_com', 'geom_friction', 'foot_friction', 'encoder_bias'];
const FRICTION = ['geom_friction', 'foot_friction'];

/** Returns the task with which a policy is evaluated under a condition. Settings that the condition does not contain
 * stay those of the task, with these exceptions: all contacts, no noise, no pushes, no variations of the robot, exact
 * starts, endless episodes.
 *
 *  Pushes, variations and noise are those of the task. Where the task has none, as in deploy folders and in trainings
 *  without disturbances, they are those of the robot's plain task.
 *  @param task as trained  @throws StudioError bad_input for a time step that does not divide the control step */
export function withCondition(task: TaskConfig, condition: Condition, facts: RobotFacts): TaskConfig {
  const { motion } = task.commands;
  const stepS = task.decimation * task.sim.timestep;
  const timestep = condition.timestep ?? task.sim.timestep;
  const decimation = Math.round(stepS / timestep);
  if (decimation < 1 || Math.abs(decimation * timestep - stepS) > 1e-9)
    throw badInput(
      `conditions.${condition.name}.timestep: must divide the control step of ${stepS} s, but is ${timestep} s`,
    );
  const { integrator, solver, cone, friction, delay_steps, mass_scale, torque_scale } = condition;
  return {
    ...task,
    decimation,
    episode_length_s: ENDLESS_S,
    sim: { ...task.sim, timestep, contacts: condition.contacts ?? 'all' },
    variation: given({ integrator, solver, cone, friction, delay_steps, mass_scale, torque_scale }),
    observations: observationsOf(task, condition, facts),
    commands: { motion: { ...motion, pose_range: {}, velocity_range: {}, joint_position_range: [0, 0] } },
    events: eventsOf(task, condition, facts),
    ...robotOf(task, condition, facts),
  };
}

/** Returns the settings without those that are absent. */
function given(variation: { readonly [K in keyof SimVariation]-?: SimVariation[K] | undefined }): SimVariation {
  return Object.fromEntries(Object.entries(variation).filter(([, value]) => value !== undefined));
}

function robotOf(task: TaskConfig, condition: Condition, facts: RobotFacts): { readonly robot?: RobotOverrides } {
  const { stiffness_scale: kp = 1, damping_scale: kd = 1 } = condition;
  if (kp === 1 && kd === 1) return task.robot ? { robot: task.robot } : {};
  const { stiffness, damping } = jointGains(facts, task.robot);
  return {
    robot: {
      ...task.robot,
      stiffness: Array.from(stiffness, (gain) => kp * gain),
      damping: Array.from(damping, (gain) => kd * gain),
    },
  };
}

function eventsOf(task: TaskConfig, condition: Condition, facts: RobotFacts): TaskConfig['events'] {
  const { pushes = false, randomised = false, friction } = condition;
  if (!pushes && !randomised) return {};
  const base = baseTasks(facts)[0]!.config.events;
  const variations = VARIATIONS.filter((func) => friction === undefined || !FRICTION.includes(func));
  return {
    ...(pushes ? ofFunctions(PUSHES, task.events, base) : {}),
    ...(randomised ? ofFunctions(variations, task.events, base) : {}),
  };
}

/** Returns the events with one of these functions: those of the task, or of the plain task if the task has none. */
function ofFunctions(
  functions: readonly string[],
  own: TaskConfig['events'],
  base: TaskConfig['events'],
): TaskConfig['events'] {
  const chosen = (events: TaskConfig['events']): [string, EventTermConfig][] =>
    Object.entries(events).filter(([, { func }]) => functions.includes(func));
  const found = chosen(own);
  return Object.fromEntries(found.length > 0 ? found : chosen(base));
}

function observationsOf(task: TaskConfig, condition: Condition, facts: RobotFacts): TaskConfig['observations'] {
  const { noise_scale: scale = 0, randomised = false } = condition;
  const groups = Object.entries(task.observations);
  const ownNoise = groups.some(([, { terms }]) => Object.values(terms).some(({ noise }) => noise !== null));
  const noiseOf = ownNoise ? null : plainNoise(facts);
  const adapt = (term: ObservationTermConfig): ObservationTermConfig => ({
    ...term,
    noise: noiseOf === null ? term.noise : (noiseOf.get(keyOf(term)) ?? null),
    noise_scale: scale * (ownNoise ? term.noise_scale : 1),
    delay_max_lag: randomised ? term.delay_max_lag : term.delay_min_lag,
  });
  return Object.fromEntries(
    groups.map(([name, group]): [string, ObservationGroupConfig] => [
      name,
      {
        ...group,
        enable_corruption: scale > 0,
        terms: Object.fromEntries(Object.entries(group.terms).map(([key, term]) => [key, adapt(term)])),
      },
    ]),
  );
}

/** For functions that the plain task does not use: a function of the plain task whose observation has the same unit and
 *  meaning. */
const SAME: Readonly<Record<string, string>> = {
  base_ang_vel: 'builtin_sensor imu_ang_vel',
  base_lin_vel: 'builtin_sensor imu_lin_vel',
  joint_pos: 'joint_pos_rel',
  joint_vel: 'joint_vel_rel',
};

/** Half width of the noise of an anchor orientation, which no task of this service contains. Source: ObservationsCfg of
 *  whole_body_tracking. */
const ANCHOR_ROTATION_NOISE = 0.05;

/** Returns the noise of observations in the robot's tasks, by function and sensor. */
function plainNoise(facts: RobotFacts): ReadonlyMap<string, ObservationTermConfig['noise']> {
  const noise = new Map<string, ObservationTermConfig['noise']>();
  for (const { config } of baseTasks(facts))
    for (const term of Object.values(config.observations['actor']?.terms ?? {})) {
      const key = keyOf(term);
      if (!noise.has(key)) noise.set(key, term.noise);
    }
  noise.set('motion_anchor_ori_b', { n_min: -ANCHOR_ROTATION_NOISE, n_max: ANCHOR_ROTATION_NOISE });
  for (const [func, key] of Object.entries(SAME)) if (!noise.has(func)) noise.set(func, noise.get(key) ?? null);
  return noise;
}

function keyOf({ func, params }: ObservationTermConfig): string {
  return func === 'builtin_sensor' ? `${func} ${String(params['sensor_name'])}` : func;
}
