import type { RobotOverrides } from '../../mdp/task-config.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { mapOrNull, type ParamsMap, textsAt, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES } from '../../runs/store/run-record.ts';
import { inRobotOrder, type JointOrder, namesInOrder } from './joint-order.ts';
import { matchingAny, numbersByName, type PatternRules } from './name-patterns.ts';

/** In mjlab, the pose of a joint is that of the first pattern that matches the start of its name, otherwise 0. */
const MJLAB_POSE: PatternRules = { applies: 'first', atStart: true, otherwise: 0 };
/** In Isaac Lab, a pattern must match the whole name: joint_1 is not joint_10. */
const ISAAC_POSE: PatternRules = { applies: 'first', atStart: false, otherwise: 0 };

/** Returns the robot's configuration in a run of Isaac Lab; null in a run of mjlab, which has `scene.entities`
 *  instead. */
export function isaacRobot(env: ParamsMap): ParamsMap | null {
  return mapOrNull(valueAt(env, 'scene', 'robot'));
}

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
  const isaac = isaacRobot(env);
  const robot = isaac ?? mapOrNull(valueAt(env, 'scene', 'entities', 'robot'));
  const place = `${RUN_FILES.env}: ${isaac ? 'scene.robot' : 'scene.entities.robot'}`;
  const keys = isaac ? ['actuators'] : ['articulation', 'actuators'];
  const actuators = { listed: valueAt(robot, ...keys), place: `${place}.${keys.join('.')}` };
  const warnings: string[] = [];
  const gains = (gain: 'stiffness' | 'damping') => exact(gain) ?? ofActuators(actuators, gain, names, warnings);
  const pose = valueAt(robot, 'init_state', 'joint_pos');
  const stiffness = gains('stiffness');
  const damping = gains('damping');
  const rules = isaac ? ISAAC_POSE : MJLAB_POSE;
  const position = exact('default_joint_pos') ?? numbersByName(pose, names, `${place}.init_state.joint_pos`, rules);
  if (position === null && pose === null)
    warnings.push(
      `${place}.init_state.joint_pos: is null, the keyframe of a model that the run does not contain; the default pose of ${facts.name} is used`,
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

/** Reads one gain per joint from the actuators of a robot's configuration, which name their joints by patterns. If two
 *  actuators name a joint, the last one applies.
 *  @param actuators list, or mapping by name, of actuators, with its place in messages
 *  @param warnings gets a sentence if the actuators do not state the gain of every joint
 *  @returns null without actuators, and if a joint has no gain */
function ofActuators(
  { listed, place }: { readonly listed: unknown; readonly place: string },
  gain: 'stiffness' | 'damping',
  names: readonly string[],
  warnings: string[],
): number[] | null {
  const actuators = Array.isArray(listed) ? listed : Object.values(mapOrNull(listed) ?? {});
  if (actuators.length === 0) return null;
  const found = new Map<string, number>();
  for (const item of actuators) {
    const actuator = mapOrNull(item);
    const patterns = textsAt(actuator, 'target_names_expr') ?? textsAt(actuator, 'joint_names_expr') ?? [];
    const joints = matchingAny(patterns, names, place);
    const values = numbersByName(valueAt(actuator, gain), joints, `${place}.${gain}`);
    for (const [k, joint] of joints.entries()) {
      if (values) found.set(joint, values[k]!);
      else found.delete(joint);
    }
  }
  const gains = names.flatMap((name) => found.get(name) ?? []);
  if (gains.length === names.length) return gains;
  warnings.push(`${place}: ${gain} is not stated for every joint; the ${gain} of the robot is used`);
  return null;
}
