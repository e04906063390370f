import { badInput } from '../../core/errors.ts';
import type { JointPositionActionConfig, MotionCommandConfig, SimConfig } from '../../mdp/task-config.ts';
import { type BaseTask, baseTasks } from '../../mdp/tasks/base-tasks.ts';
import type { Activation } from '../../policy/policy.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { mapOrNull, type ParamsMap, readParams, textAt, textsAt, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES } from '../../runs/store/run-record.ts';
import { checkpointOf } from './checkpoint-of.ts';
import { inRobotOrder, type JointOrder, namesInOrder, policyInOrder } from './joint-order.ts';
import { numbersByName, type PatternRules } from './name-patterns.ts';
import type { RunContent } from './run-setup.ts';
import { checkTaskConfig } from './task-schema.ts';
import { trainedOrder } from './trained-order.ts';
import { trainedRobot } from './trained-robot.ts';
import { trainedObservations, trainedOutcomes } from './trained-terms.ts';

const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  elu: 'elu',
  relu: 'relu',
  tanh: 'tanh',
  silu: 'silu',
  swish: 'silu',
};
const RESIDUAL = 'reference_residual';
const DEFAULT_RELATIVE = 'default_relative';
/** In upstream, an action scale that the mapping does not contain is 1. */
const SCALES: PatternRules = { applies: 'last', atStart: false, otherwise: 1 };

/** Reads a run of rsl_rl that was trained by wbc-mjlab, by mjlab, or by whole_body_tracking in Isaac Lab. The task
 *  comes from the configuration files that the trainer wrote. Missing values come from the robot's task for the same
 *  experiment, or from the robot's plain task if there is none.
 *  @param checkpoint file name; '' for zero actions
 *  @throws StudioError bad_input naming file and field, also for unknown observations and actions */
export async function trainedSetup(folder: string, checkpoint: string, facts: RobotFacts): Promise<RunContent> {
  const env = await readParams(folder, RUN_FILES.env);
  if (!env) throw badInput(`${RUN_FILES.env}: is missing. It lists the observations of the policy.`);
  const agent = await readParams(folder, RUN_FILES.agent);
  const params = await readParams(folder, RUN_FILES.config);
  const base = baseTaskOf(agent, facts);
  const order = trainedOrder(folder, env, params, facts);
  const group = ['actor', 'policy'].find((name) => mapOrNull(valueAt(env, 'observations', name)) !== null);
  if (group === undefined) throw badInput(`${RUN_FILES.env}: observations: has neither "actor" nor "policy"`);
  const unknown: string[] = [];
  const terms = trainedObservations(env, group, facts, unknown);
  const { warnings, ...outcomes } = trainedOutcomes(env, base.config, facts);
  const robot = trainedRobot(env, params, order, facts);
  const history = valueAt(env, 'observations', group, 'history_length');
  const config = checkTaskConfig(
    {
      ...base.config,
      decimation: valueAt(env, 'decimation') ?? base.config.decimation,
      scale_rewards_by_dt: valueAt(env, 'scale_rewards_by_dt') ?? true,
      sim: simOf(env, base.config.sim),
      observations: {
        actor: {
          terms,
          enable_corruption: false,
          history_length: typeof history === 'number' ? history : null,
        },
      },
      actions: { joint_pos: { ...actionOf(env, params, order, facts), clip: clipOf(agent) } },
      commands: { motion: commandOf(env, base.config.commands.motion, facts) },
      ...outcomes,
      robot: robot.overrides,
    },
    RUN_FILES.env,
  );
  const activation = activationOf(agent);
  const policy = checkpoint === '' ? null : await checkpointOf(folder, checkpoint, activation);
  return {
    task: base.name,
    trained: config,
    policy: policy && policyInOrder(policy, config, facts, order),
    warnings: [...robot.warnings, ...unknown, ...warnings],
  };
}

/** Returns the task with the same experiment name; for other experiments, the plain task. */
function baseTaskOf(agent: ParamsMap | null, facts: RobotFacts): BaseTask {
  const tasks = baseTasks(facts);
  const experiment = textAt(agent, 'experiment_name');
  return tasks.find(({ config }) => config.agent.experiment_name === experiment) ?? tasks[0]!;
}

function activationOf(agent: ParamsMap | null): Activation {
  const name = textAt(agent, 'actor', 'activation') ?? textAt(agent, 'policy', 'activation') ?? 'elu';
  const activation = Object.hasOwn(ACTIVATIONS, name) ? ACTIVATIONS[name] : undefined;
  if (activation === undefined)
    throw badInput(
      `${RUN_FILES.agent}: activation: "${name}" is not supported; supported are ${Object.keys(ACTIVATIONS).join(', ')}`,
    );
  return activation;
}

function simOf(env: ParamsMap, base: SimConfig): SimConfig {
  const own = (key: string, otherwise: unknown) => valueAt(env, 'sim', 'mujoco', key) ?? otherwise;
  return {
    // Isaac Lab states these two without a group.
    timestep: own('timestep', valueAt(env, 'sim', 'dt') ?? base.timestep) as number,
    iterations: own('iterations', base.iterations) as number,
    ls_iterations: own('ls_iterations', base.ls_iterations) as number,
    gravity: own('gravity', valueAt(env, 'sim', 'gravity') ?? base.gravity) as SimConfig['gravity'],
  };
}

/** Reads the action `joint_pos`, the only action that upstream's tasks have. Scales come exactly per joint from
 *  `config.yaml`, or as patterns from `env.yaml`. */
function actionOf(
  env: ParamsMap,
  params: ParamsMap | null,
  order: JointOrder,
  facts: RobotFacts,
): Omit<JointPositionActionConfig, 'clip'> {
  const actions = mapOrNull(valueAt(env, 'actions')) ?? {};
  const others = Object.keys(actions).filter((name) => name !== 'joint_pos' && mapOrNull(actions[name]) !== null);
  if (others.length > 0)
    throw badInput(`${RUN_FILES.env}: actions.${others[0]}: is not supported; only joint_pos can be played`);
  if ((valueAt(env, 'actions', 'joint_pos', 'clip') ?? null) !== null)
    throw badInput(
      `${RUN_FILES.env}: actions.joint_pos.clip: must be null: the service does not clip joint targets. Limit raw actions with clip_actions of ${RUN_FILES.agent}.`,
    );
  const mode = actionModeOf(env, params);
  const exact = numbersByName(
    valueAt(params, 'action', 'scale'),
    namesInOrder(order, facts),
    `${RUN_FILES.config}: action.scale`,
  );
  const names = facts.joints.map(({ name }) => name);
  const patterns = numbersByName(
    valueAt(env, 'actions', 'joint_pos', 'scale'),
    names,
    `${RUN_FILES.env}: actions.joint_pos.scale`,
    SCALES,
  );
  return { action_mode: mode, scale: exact ? inRobotOrder(exact, order) : patterns, scale_factor: 1 };
}

/** Returns the limits of raw actions, which rsl_rl's wrapper of the environment applies before the environment sees
 *  them.
 *  @returns null without limits */
function clipOf(agent: ParamsMap | null): JointPositionActionConfig['clip'] {
  const limit = valueAt(agent, 'clip_actions') ?? Number.POSITIVE_INFINITY;
  if (typeof limit !== 'number' || !(limit > 0))
    throw badInput(`${RUN_FILES.agent}: clip_actions: must be null or a number > 0`);
  return Number.isFinite(limit) ? [-limit, limit] : null;
}

/** Returns the action mode that the run states. Without a statement: relative to the reference for upstream's action
 *  with a command, relative to the default pose for mjlab's plain action. */
function actionModeOf(env: ParamsMap, params: ParamsMap | null): JointPositionActionConfig['action_mode'] {
  const named = textAt(params, 'action', 'action_mode') ?? textAt(env, 'actions', 'joint_pos', 'action_mode');
  const place = `${RUN_FILES.env}: actions.joint_pos`;
  if (named !== null) {
    if (named === RESIDUAL || named === DEFAULT_RELATIVE) return named;
    throw badInput(
      `${place}.action_mode: "${named}" is not supported; supported are ${RESIDUAL} and ${DEFAULT_RELATIVE}`,
    );
  }
  const offset = valueAt(env, 'actions', 'joint_pos', 'use_default_offset');
  if (offset === false)
    throw badInput(
      `${place}.use_default_offset: false is not supported: targets are relative to the default pose or to the reference`,
    );
  return offset === undefined && textAt(env, 'actions', 'joint_pos', 'command_name') !== null
    ? RESIDUAL
    : DEFAULT_RELATIVE;
}

function commandOf(env: ParamsMap, base: MotionCommandConfig, facts: RobotFacts): MotionCommandConfig {
  const motion = mapOrNull(valueAt(env, 'commands', 'motion'));
  const bodies = textsAt(motion, 'body_names') ?? base.body_names;
  const noise = valueAt(motion, 'joint_position_range');
  return {
    ...base,
    anchor_body: textAt(motion, 'anchor_body_name') ?? textAt(motion, 'anchor_body') ?? base.anchor_body,
    body_names: bodies,
    ee_body_names: textsAt(motion, 'ee_body_names') ?? facts.endEffectors.filter((name) => bodies.includes(name)),
    joint_position_range: (Array.isArray(noise)
      ? noise
      : base.joint_position_range) as MotionCommandConfig['joint_position_range'],
  };
}
