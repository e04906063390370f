import { badInput } from '../../core/errors.ts';
import { type GainField, gainOf, type Mapping, mappingOf, type StatedGain, type StatedGains } from './stated-gains.ts';

/** Reads the gains of Unitree's deploy.yaml; returns null if the file has another layout.
 *
 *  `stiffness` and `damping` are in the order of the robot's motors. `joint_ids_map` states the motor of each joint of
 *  the policy. The `scale` of an action is in the joint order of the policy. The lists may omit motors that no joint
 *  uses. Source: `export_deploy_cfg.py` of unitree_rl_lab.
 *  @throws bad_input naming an invalid value */
export function readDeployGains(map: Mapping, file: string): StatedGains | null {
  const ids = own(map, 'joint_ids_map');
  if (!Array.isArray(ids)) return null;
  if (ids.length === 0 || !ids.every((id) => Number.isInteger(id) && id >= 0) || new Set(ids).size !== ids.length)
    throw badInput(`${file}: joint_ids_map: must list each motor once, from 0`);
  const sorted = [...(ids as number[])].sort((a, b) => a - b);
  const motors = (ids as number[]).map((id) => sorted.indexOf(id));
  const column = (field: 'stiffness' | 'damping') => {
    const values = own(map, field);
    if (!Array.isArray(values)) throw badInput(`${file}: ${field}: must be a list with one number for each motor`);
    const isWhole = sorted.at(-1)! < values.length;
    if (!isWhole && values.length !== ids.length)
      throw badInput(
        `${file}: ${field}: has ${values.length} values for ${ids.length} joints and motor ${sorted.at(-1)}`,
      );
    return (place: number): unknown => values[isWhole ? (ids[place] as number) : motors[place]!];
  };
  const [stiffness, damping] = [column('stiffness'), column('damping')];
  const action = actionOf(map);
  const scale = action === null ? new Map<number, unknown>() : scalesOf(action, ids.length);
  const gains = motors.map((_, place): StatedGain => {
    const stated: [GainField, unknown][] = [
      ['stiffness', stiffness(place)],
      ['damping', damping(place)],
      ['action_scale', scale.get(place)],
    ];
    return Object.fromEntries(
      stated.flatMap(([field, value]) => {
        const number = gainOf(value, field, `${file}: ${field}[${place}]`);
        return number === undefined ? [] : [[field, number]];
      }),
    );
  });
  const names = action && own(action, 'joint_names');
  if (
    Array.isArray(names) &&
    names.length === gains.length &&
    names.length > 1 &&
    names.every((name) => typeof name === 'string')
  )
    return { kind: 'named', gains: new Map((names as string[]).map((name, place) => [name, gains[place]!])) };
  return { kind: 'motors', gains, motors };
}

/** Returns the first action that controls joint positions. */
function actionOf(map: Mapping): Mapping | null {
  const actions = mappingOf(own(map, 'actions'));
  return actions && mappingOf(own(actions, 'JointPositionAction') ?? Object.values(actions)[0]);
}

/** Returns the action scales by their index in the joint order of the policy. */
function scalesOf(action: Mapping, joints: number): Map<number, unknown> {
  const scale = own(action, 'scale');
  const ids = own(action, 'joint_ids');
  const places = Array.isArray(ids) ? (ids as unknown[]) : Array.from({ length: joints }, (_, place) => place);
  const all = typeof scale === 'number' ? places.map(() => scale) : scale;
  if (!Array.isArray(all) || all.length !== places.length) return new Map();
  return new Map(
    places.flatMap((place, k): [number, unknown][] => (typeof place === 'number' ? [[place, all[k]]] : [])),
  );
}

function own(map: Mapping, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
