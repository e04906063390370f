import { badInput } from '../../core/errors.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { readParams, textAt, textsAt, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES } from '../../runs/store/run-record.ts';
import { checkpointOf } from './checkpoint-of.ts';
import { inRobotOrder, type JointOrder, orderOfNames, policyInOrder } from './joint-order.ts';
import type { RunContent } from './run-setup.ts';
import { checkTaskConfig } from './task-schema.ts';

/** Reads a run of the built-in trainer: its task as trained, with upstream's overrides for play.
 *  @param checkpoint file name; '' for zero actions  @throws StudioError bad_input naming file and field */
export async function studioSetup(folder: string, checkpoint: string, facts: RobotFacts): Promise<RunContent> {
  const file = await readParams(folder, RUN_FILES.task);
  if (!file) throw badInput(`${RUN_FILES.task}: is missing`);
  const config = checkTaskConfig(valueAt(file, 'config'), RUN_FILES.task);
  const names = textsAt(file, 'joint_names');
  const order = names ? orderOfNames(names, facts, `${RUN_FILES.task}: joint_names`) : [...facts.joints.keys()];
  const policy = checkpoint === '' ? null : await checkpointOf(folder, checkpoint, config.agent.actor.activation);
  return {
    task: textAt(file, 'task') ?? 'unknown',
    trained: inOrder(config, order),
    policy: policy && policyInOrder(policy, config, facts, order),
    warnings: [],
  };
}

/** Reorders per-joint lists to the robot's joint order, which a new import may have changed. */
function inOrder(config: TaskConfig, order: JointOrder): TaskConfig {
  const { scale } = config.actions.joint_pos;
  const robot = Object.entries(config.robot ?? {}).map(([key, values]) => [key, inRobotOrder(values, order)]);
  return {
    ...config,
    actions: { joint_pos: { ...config.actions.joint_pos, scale: scale && inRobotOrder(scale, order) } },
    ...(config.robot ? { robot: Object.fromEntries(robot) as NonNullable<TaskConfig['robot']> } : {}),
  };
}
