import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import { LIBRARY } from '../../mdp/library.ts';
import type {
  ObservationGroupConfig,
  ObservationTermConfig,
  RobotOverrides,
  TaskConfig,
  TerminationTermConfig,
} from '../../mdp/task-config.ts';
import { baseTasks } from '../../mdp/tasks/base-tasks.ts';
import { baseRewards } from '../../mdp/tasks/reward-terms.ts';
import { type ExportedPolicy, readExportedPolicy } from '../../policy/onnx/exported-policy.ts';
import { termWidths } from '../../presets/task-effect.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { readParams } from '../../runs/params/params-file.ts';
import { deployFiles } from '../../runs/store/deploy-files.ts';
import { DEPLOY_YAML, type DeployObservation, type DeployParams, readDeployParams } from './deploy-yaml.ts';
import { checkOrder, inRobotOrder, isJointTerm, type JointOrder, orderOfNames, reorderPolicy } from './joint-order.ts';
import type { RunContent } from './run-setup.ts';

/** Name of the observation group of a deployed policy. */
const ACTOR = 'actor';

/** Reads a deployed policy for play. Gains, scales and default pose come from the first of these that has them:
 *  `deploy.yaml`, the metadata of the policy, the robot. Armature, effort limits and contacts come from the robot,
 *  terminations from whole_body_tracking. Randomisation is off.
 *  @throws StudioError bad_input naming file and field, for example the first unknown observation */
export async function deploySetup(folder: string, facts: RobotFacts): Promise<RunContent> {
  const files = deployFiles(folder);
  const exported = readExportedPolicy(path.join(folder, files.onnx));
  const yaml = await readParams(folder, files.deploy);
  const deploy = yaml && readDeployParams(yaml);
  const order = jointOrder(exported, deploy, facts);
  const base = baseTasks(facts)[0]!.config;
  const widths = termWidths(base, facts, LIBRARY);
  const actor = observationGroup(exported, deploy, widths, order, facts);
  const config = deployConfig(base, facts, { metadata: exported.metadata, deploy, order }, actor);
  return {
    task: 'deploy',
    trained: config,
    policy: reorderPolicy(exported.weights, actor, widths, order),
    warnings: [],
  };
}

/** Returns the order of the joints in the policy: that of the metadata; that of `joint_ids_map`, with the motors in the
 *  robot's order; or that of the names of the action, if they are all joints of the robot.
 *  @throws StudioError bad_input for an invalid order, and if the names contradict `joint_ids_map` */
function jointOrder({ metadata }: ExportedPolicy, deploy: DeployParams | null, facts: RobotFacts): JointOrder {
  const motors = deploy?.jointOrder && checkOrder(deploy.jointOrder, facts, `${DEPLOY_YAML}: joint_ids_map`);
  if (metadata.jointNames) return orderOfNames(metadata.jointNames, facts, 'policy.onnx: metadata joint_names');
  const own = [...facts.joints.keys()];
  const names = deploy?.jointNames ?? [];
  const isComplete = facts.joints.every(({ name }) => names.includes(name));
  if (!isComplete) return motors ?? own;
  const named = orderOfNames(names, facts, `${DEPLOY_YAML}: actions.JointPositionAction.joint_names`);
  if (!motors || isSame(motors, own)) return named;
  // The names may be in the order of the policy or of the motors.
  if (isSame(named, motors) || isSame(named, own)) return motors;
  throw badInput(
    `${DEPLOY_YAML}: joint_ids_map: contradicts actions.JointPositionAction.joint_names on ${facts.name}, whose joints are in another order. Add the names of the policy's joints to policy.onnx as metadata joint_names.`,
  );
}

function isSame(a: JointOrder, b: JointOrder): boolean {
  return a.every((place, joint) => place === b[joint]);
}

function observationGroup(
  { metadata }: ExportedPolicy,
  deploy: DeployParams | null,
  widths: ReadonlyMap<string, number>,
  order: JointOrder,
  facts: RobotFacts,
): ObservationGroupConfig {
  const listed =
    deploy?.observations ??
    metadata.observationNames?.map(
      (name, index): DeployObservation => ({
        name,
        clip: null,
        scale: null,
        history: metadata.historyLengths?.[index] ?? 1,
      }),
    );
  const source = deploy?.observations ? `${DEPLOY_YAML}: observations` : 'policy.onnx: metadata observation_names';
  if (!listed || listed.length === 0)
    throw badInput(
      `run: neither ${DEPLOY_YAML} nor the metadata of policy.onnx lists the observations of the policy. Add ${DEPLOY_YAML}.`,
    );
  const terms = listed.map(({ name, clip, scale, history }): [string, ObservationTermConfig] => {
    const width = widths.get(name);
    if (width === undefined) {
      const hint = nearest(name, [...widths.keys()]);
      throw badInput(`${source}: unknown observation "${name}"${hint ? `; did you mean "${hint}"?` : ''}`);
    }
    if (scale && scale.length !== 1 && scale.length !== width)
      throw badInput(
        `${source}.${name}.scale: has ${scale.length} numbers, but the observation has ${width} values on ${facts.name}`,
      );
    return [
      name,
      {
        func: name,
        params: {},
        noise: null,
        noise_scale: 1,
        clip,
        scale: scaleOf(name, scale, order),
        delay_min_lag: 0,
        delay_max_lag: 0,
        history_length: history,
      },
    ];
  });
  return { terms: Object.fromEntries(terms), enable_corruption: false, history_length: null };
}

/** Returns the scale in the order of the robot's joints; null if all scales are 1. */
function scaleOf(name: string, scale: readonly number[] | null, order: JointOrder): ObservationTermConfig['scale'] {
  if (!scale || scale.every((value) => value === 1)) return null;
  if (scale.length === 1) return scale[0]!;
  if (!isJointTerm(name)) return scale;
  const joints = order.length;
  return Array.from({ length: scale.length / joints }, (_, block) =>
    inRobotOrder(scale.slice(block * joints, (block + 1) * joints), order),
  ).flat();
}

/** The content of a deployed policy's files. */
interface DeploySources {
  readonly metadata: ExportedPolicy['metadata'];
  /** null without `deploy.yaml` */
  readonly deploy: DeployParams | null;
  readonly order: JointOrder;
}

function deployConfig(
  base: TaskConfig,
  facts: RobotFacts,
  sources: DeploySources,
  actor: ObservationGroupConfig,
): TaskConfig {
  const { metadata, deploy, order } = sources;
  const bodies = [...(metadata.bodyNames ?? base.commands.motion.body_names)];
  // An end effector that the policy does not track cannot end an episode.
  const ee = facts.endEffectors.filter((name) => bodies.includes(name));
  const stepS = deploy?.stepS ?? base.decimation * base.sim.timestep;
  const decimation = Math.round(stepS / base.sim.timestep);
  if (decimation < 1 || Math.abs(decimation * base.sim.timestep - stepS) > 1e-6)
    throw badInput(`${DEPLOY_YAML}: step_dt: must be a multiple of ${base.sim.timestep} s, but is ${stepS} s`);
  const scale = deploy?.actionScale ?? metadata.actionScale;
  return {
    ...base,
    decimation,
    observations: { [ACTOR]: actor },
    actions: {
      joint_pos: {
        action_mode: metadata.actionMode === 'reference_residual' ? 'reference_residual' : 'default_relative',
        scale: scale && inRobotOrder(spread(scale, order.length, 'action scale'), order),
        scale_factor: 1,
        clip: null,
      },
    },
    commands: {
      motion: {
        ...base.commands.motion,
        anchor_body: metadata.anchorBodyName ?? facts.wiring.anchor,
        body_names: bodies,
        ee_body_names: ee,
        pose_range: {},
        velocity_range: {},
        joint_position_range: [0, 0],
        rsi: { ...base.commands.motion.rsi, sampling_mode: 'uniform' },
      },
    },
    rewards: baseRewards(facts),
    terminations: {
      anchor_pos: failure('bad_anchor_pos_z_only', { threshold: 0.5 }),
      anchor_ori: failure('bad_anchor_ori', { threshold: 0.8 }),
      ee_body_pos: failure('bad_motion_body_pos_z_only', { threshold: 0.5, body_names: ee }),
    },
    events: {},
    robot: robotOverrides(sources),
  };
}

function robotOverrides({ metadata, deploy, order }: DeploySources): RobotOverrides {
  const count = order.length;
  const ofPolicy = (values: readonly number[] | null, name: string) =>
    values && inRobotOrder(spread(values, count, name), order);
  // Stiffness and damping in deploy.yaml are in the order of the motors.
  const ofMotors = (values: readonly number[] | null | undefined, name: string) => {
    const listed = values && spread(values, count, name);
    return listed && inRobotOrder(deploy?.jointOrder?.map((motor) => listed[motor]!) ?? listed, order);
  };
  const stiffness = ofMotors(deploy?.stiffness, 'stiffness') ?? ofPolicy(metadata.stiffness, 'joint_stiffness');
  const damping = ofMotors(deploy?.damping, 'damping') ?? ofPolicy(metadata.damping, 'joint_damping');
  const pose = ofPolicy(deploy?.defaultJointPos ?? metadata.defaultJointPos, 'default_joint_pos');
  return {
    ...(stiffness ? { stiffness } : {}),
    ...(damping ? { damping } : {}),
    ...(pose ? { default_joint_pos: pose } : {}),
  };
}

function spread(values: readonly number[], count: number, name: string): readonly number[] {
  if (values.length === 1) return new Array<number>(count).fill(values[0]!);
  if (values.length !== count)
    throw badInput(`${name}: has ${values.length} numbers, but the robot has ${count} joints`);
  return values;
}

function failure(func: string, params: TerminationTermConfig['params']): TerminationTermConfig {
  return { func, time_out: false, params };
}
