import type { RobotOverrides } from '../../mdp/task-config.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { mapOrNull, type ParamsMap, textsAt, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES } from '../../runs/store/run-record.ts';
import { inRobotOrder, type JointOrder, namesInOrder } from './joint-order.ts';
import { numbersByName, type PatternRules } from './name-patterns.ts';

/** The pose of a joint is that of the first pattern that matches the start of its name, otherwise 0, as in
 *  `resolve_expr` of mjlab. */
const POSE: PatternRules = { applies: 'first', atStart: true, otherwise: 0 };
const PLACE = `${RUN_FILES.env}: scene.entities.robot`;

/** Gains and default pose of a run, in the robot's joint order. */
interface TrainedRobot {
  readonly overrides: RobotOverrides;
  /** one sentence for each value that the run's files state but that cannot be read */
  readonly warnings: readonly string[];
}

/** Reads gains and default pose of a run of rsl_rl: exact values per joint from `config.yaml`, otherwise patterns from
 *  `env.yaml`, otherwise the values of the robot. Stiffness in Nm/rad, damping in Nm·s/rad, pose in rad.
 *  @param order of the joints in `config.yaml`
 *  @throws StudioError bad_input for lists of another length and values that are not finite numbers */
export function trainedRobot(
  env: ParamsMap,
  params: ParamsMap | null,
  order: JointOrder,
  facts: RobotFacts,
): TrainedRobot {
  const exact = (key: string) => {
    const values = numbersByName(valueAt(params, key), namesInOrder(order, facts), `${RUN_FILES.config}: ${key}`);
    return values && inRobotOrder(values, order);
  };
  const names = facts.joints.map(({ name }) => name);
  const robot = mapOrNull(valueAt(env, 'scene', 'entities', 'robot'));
  const warnings: string[] = [];
  const gains = (gain: 'stiffness' | 'damping') => exact(gain) ?? ofActuators(robot, gain, names, warnings);
  const pose = valueAt(robot, 'init_state', 'joint_pos');
  const stiffness = gains('stiffness');
  const damping = gains('damping');
  const position = exact('default_joint_pos') ?? numbersByName(pose, names, `${PLACE}.init_state.joint_pos`, POSE);
  if (position === null && pose === null)
    warnings.push(
      `${PLACE}.init_state.joint_pos: is null, the keyframe of a model that the run does not contain; the default pose of ${facts.name} is used`,
    );
  return {
    overrides: {
      ...(stiffness ? { stiffness } : {}),
      ...(damping ? { damping } : {}),
      ...(position ? { default_joint_pos: position } : {}),
    },
    warnings,
  };
}

/** Reads one gain per joint from the actuators of a robot's configuration, which name their joints by patterns.
 *  @param warnings gets a sentence if the actuators do not state the gain of every joint
 *  @returns null without actuators, and if a joint has no gain */
function ofActuators(
  robot: ParamsMap | null,
  gain: 'stiffness' | 'damping',
  names: readonly string[],
  warnings: string[],
): number[] | null {
  const actuators = valueAt(robot, 'articulation', 'actuators');
  if (!Array.isArray(actuators)) return null;
  const patterns = actuators.flatMap((item): [string, unknown][] => {
    const actuator = mapOrNull(item);
    const targets = textsAt(actuator, 'target_names_expr') ?? textsAt(actuator, 'joint_names_expr') ?? [];
    return targets.map((pattern) => [pattern, valueAt(actuator, gain)]);
  });
  const place = `${PLACE}.articulation.actuators.${gain}`;
  const gains = patterns.every(([, value]) => typeof value === 'number')
    ? numbersByName(Object.fromEntries(patterns), names, place)
    : null;
  if (gains === null) warnings.push(`${place}: is not stated for every joint; the ${gain} of the robot is used`);
  return gains;
}
