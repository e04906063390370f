import { badInput } from '../../core/errors.ts';
import { asMap, mapOrNull, type ParamsMap, textsAt, valueAt } from '../../runs/params/params-file.ts';

/** The values of `deploy.yaml`. Missing values are null. */
export interface DeployParams {
  readonly stepS: number | null;
  /** for each joint of the policy, its motor index; `stiffness` and `damping` are in the order of the motors */
  readonly jointOrder: readonly number[] | null;
  /** joints of the action, or patterns of their names */
  readonly jointNames: readonly string[] | null;
  readonly stiffness: readonly number[] | null;
  readonly damping: readonly number[] | null;
  readonly defaultJointPos: readonly number[] | null;
  /** one number for all joints, or one per joint */
  readonly actionScale: readonly number[] | null;
  readonly observations: readonly DeployObservation[] | null;
}

export interface DeployObservation {
  readonly name: string;
  readonly clip: readonly [number, number] | null;
  readonly scale: readonly number[] | null;
  readonly history: number;
}

/** Name of the file in messages. */
export const DEPLOY_YAML = 'deploy.yaml';
const ACTION = 'JointPositionAction';
/** Maximum rounding difference between action offsets and default pose, rad. */
const SAME_POSE = 1e-4;

/** Reads the deployment parameters of a policy as exported for unitree robots and by whole_body_tracking.
 *  @throws StudioError bad_input naming the field, also for unsupported values */
export function readDeployParams(deploy: ParamsMap): DeployParams {
  const defaultJointPos = numbers(deploy, ['default_joint_pos']);
  const actions = asMap(valueAt(deploy, 'actions') ?? {}, `${DEPLOY_YAML}: actions`);
  for (const name of Object.keys(actions))
    if (name !== ACTION) throw wrong(['actions', name], `is not supported: only ${ACTION} can be played`);
  const action = mapOrNull(actions[ACTION]);
  if (action && valueAt(action, 'clip') != null)
    throw wrong(['actions', ACTION, 'clip'], 'must be null: the service does not clip joint targets');
  const offset = numbers(deploy, ['actions', ACTION, 'offset']);
  if (offset && defaultJointPos?.some((value, joint) => Math.abs(value - (offset[joint] ?? Number.NaN)) > SAME_POSE))
    throw wrong(
      ['actions', ACTION, 'offset'],
      'must be default_joint_pos: the service adds actions to the default pose',
    );
  return {
    stepS: numbers(deploy, ['step_dt'])?.[0] ?? null,
    jointOrder: numbers(deploy, ['joint_ids_map']),
    jointNames: textsAt(action, 'joint_names'),
    stiffness: numbers(deploy, ['stiffness']),
    damping: numbers(deploy, ['damping']),
    defaultJointPos,
    actionScale: numbers(deploy, ['actions', ACTION, 'scale']),
    observations: observationsOf(deploy),
  };
}

function observationsOf(deploy: ParamsMap): DeployObservation[] | null {
  const observations = valueAt(deploy, 'observations');
  if (observations === undefined || observations === null) return null;
  return Object.entries(asMap(observations, `${DEPLOY_YAML}: observations`)).map(([name, value]) => {
    const place = ['observations', name];
    asMap(value, `${DEPLOY_YAML}: ${place.join('.')}`);
    const clip = numbers(deploy, [...place, 'clip']);
    const [low, high] = clip ?? [];
    if (clip && (low === undefined || high === undefined || clip.length !== 2 || low >= high))
      throw wrong([...place, 'clip'], 'must be null or two numbers, lowest first');
    const history = numbers(deploy, [...place, 'history_length'])?.[0] ?? 1;
    if (!Number.isInteger(history) || history < 0 || history > 1000)
      throw wrong([...place, 'history_length'], 'must be an integer from 0 to 1000');
    return { name, clip: clip ? [low!, high!] : null, scale: numbers(deploy, [...place, 'scale']), history };
  });
}

/** Returns finite numbers as a list; null if the key is missing or null.
 *  @throws StudioError bad_input for other values */
function numbers(deploy: ParamsMap, keys: readonly string[]): number[] | null {
  const value = valueAt(deploy, ...keys);
  if (value === undefined || value === null) return null;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!list.every((item): item is number => typeof item === 'number' && Number.isFinite(item)))
    throw wrong(keys, 'must be finite numbers');
  return [...list];
}

function wrong(keys: readonly string[], text: string): Error {
  return badInput(`${DEPLOY_YAML}: ${keys.join('.')}: ${text}`);
}
