import { badInput } from '../../core/errors.ts';
import { readDeployGains } from './deploy-gains.ts';
import { ALL_JOINTS } from './joint-pattern.ts';
import {
  fieldOf,
  type GainField,
  gainOf,
  type Mapping,
  mappingOf,
  type NamedGains,
  type StatedGain,
  type StatedGains,
} from './stated-gains.ts';

/** Maximum depth of the search for gains. Configurations of trainers contain them at depth six. */
const MAX_DEPTH = 10;
/** Maximum number of joints and patterns in one file. */
const MAX_NAMES = 4096;
const NAME_KEYS = ['joint_names', 'policy_joint_names', 'joint_names_expr', 'target_names_expr', 'dof_names', 'names'];
/** Keys whose mapping contains the gains of all joints; they are not joint names. */
const CONTAINERS = new Set(['control', 'gains', 'pd_gains', 'pd', 'drive']);

/** Finds the PD gains in the content of a YAML or JSON file. Reads these forms, at any depth:
 *  - `joints: {<joint>: {stiffness, damping, …}}` (robot.yaml) and `{<joint>: {kp, kd}}`
 *  - `{kp: {<joint>: …}, kd: {<joint>: …}}`; instead of a mapping, one number for all joints
 *  - `{joint_names: […], kp: […], kd: […]}`, or a number or a mapping for the named joints (actuator groups of Isaac
 *    Lab)
 *  - `[{name, kp, kd}, …]`
 *  - deploy.yaml of Unitree: `joint_ids_map`, `stiffness`, `damping`
 *
 *  Names may be patterns. If a file contains several kinds of tables, only the first kind of this order is used: tables
 *  that list their joints, mappings from joints to values, one number for all joints.
 *  @param file name of the file in messages  @throws bad_input if the content has no gains or an invalid value */
export function readGains(content: unknown, file: string): StatedGains {
  const root = mappingOf(content);
  const deploy = root && readDeployGains(root, file);
  if (deploy) return deploy;
  const found: Found = { listed: [], named: [], common: [] };
  search(content, file, found, 0);
  const entries = [found.listed, found.named, found.common].find((list) => list.length > 0);
  if (!entries)
    throw badInput(
      `file: ${file} has no gains: expected stiffness and damping (kp, kd) by joint, or lists with joint_names`,
    );
  return merged(entries, file);
}

/** Joints or patterns with their gains, in the order of the file. */
interface Found {
  /** gains from tables that list their joints */
  readonly listed: [name: string, gain: StatedGain][];
  /** gains from mappings from joints to values */
  readonly named: [name: string, gain: StatedGain][];
  /** gains from one number for all joints */
  readonly common: [name: string, gain: StatedGain][];
}

function search(value: unknown, place: string, found: Found, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const [k, item] of value.entries()) {
      const map = mappingOf(item);
      const name = map && [map['name'], map['joint'], map['joint_name']].find((text) => typeof text === 'string');
      if (map && typeof name === 'string' && hasGains(map)) found.listed.push([name, plainGain(map, `${place}[${k}]`)]);
      else search(item, `${place}[${k}]`, found, depth + 1);
    }
    return;
  }
  const map = mappingOf(value);
  if (!map) return;
  if (hasGains(map)) {
    readTable(map, place, found);
    return;
  }
  for (const [key, inner] of Object.entries(map)) {
    const gain = mappingOf(inner);
    if (gain && hasGains(gain) && namesOf(gain) === null && isPlain(gain) && !CONTAINERS.has(key.toLowerCase()))
      found.named.push([key, plainGain(gain, `${place}: ${key}`)]);
    else search(inner, depth === 0 ? `${place}: ${key}` : `${place}.${key}`, found, depth + 1);
  }
}

/** Reads a mapping with stiffness or damping. */
function readTable(map: Mapping, place: string, found: Found): void {
  const names = namesOf(map);
  const hasMappings = Object.entries(map).some(
    ([key, value]) => fieldOf(key) !== undefined && mappingOf(value) !== null,
  );
  // A number beside mappings belongs to their table: it is for all joints that they name.
  const kind = names ? 'listed' : hasMappings ? 'named' : 'common';
  for (const [key, value] of Object.entries(map)) {
    const field = fieldOf(key);
    if (field === undefined || value === null) continue;
    const where = `${place}: ${key}`;
    const byName = mappingOf(value);
    if (byName) {
      for (const [name, one] of Object.entries(byName)) add(found[kind], name, field, one, where);
    } else if (Array.isArray(value)) {
      if (names === null) throw badInput(`${where}: is a list without names. Add joint_names in the same order.`);
      if (value.length !== names.length)
        throw badInput(`${where}: has ${value.length} values for ${names.length} joint names`);
      for (const [k, name] of names.entries()) add(found.listed, name, field, value[k], `${where}[${k}]`);
    } else {
      for (const name of names ?? [ALL_JOINTS]) add(found[kind], name, field, value, where);
    }
  }
}

function add(list: [string, StatedGain][], name: string, field: GainField, value: unknown, place: string): void {
  const number = gainOf(value, field, `${place} of ${name}`);
  if (number !== undefined) list.push([name, { [field]: number }]);
}

function plainGain(map: Mapping, place: string): StatedGain {
  const gain: { -readonly [F in GainField]?: number } = {};
  for (const [key, value] of Object.entries(map)) {
    const field = fieldOf(key);
    const number = field && gainOf(value, field, `${place}.${key}`);
    if (field && number !== undefined) gain[field] = number;
  }
  return gain;
}

function merged(entries: readonly [string, StatedGain][], file: string): NamedGains {
  const gains = new Map<string, StatedGain>();
  for (const [name, gain] of entries) gains.set(name, { ...gains.get(name), ...gain });
  if (gains.size > MAX_NAMES) throw badInput(`file: ${file} has more than ${MAX_NAMES} joint names`);
  return { kind: 'named', gains };
}

/** Returns whether a mapping itself states stiffness or damping. */
function hasGains(map: Mapping): boolean {
  return Object.keys(map).some((key) => {
    const field = fieldOf(key);
    return field === 'stiffness' || field === 'damping';
  });
}

/** Returns whether all gains of a mapping are numbers; the mapping then describes one joint. */
function isPlain(map: Mapping): boolean {
  return Object.entries(map).every(
    ([key, value]) => fieldOf(key) === undefined || typeof value === 'number' || value === null,
  );
}

function namesOf(map: Mapping): readonly string[] | null {
  for (const key of NAME_KEYS) {
    const names = Object.hasOwn(map, key) ? map[key] : undefined;
    const list = typeof names === 'string' ? [names] : names;
    if (Array.isArray(list) && list.length > 0 && list.every((name) => typeof name === 'string'))
      return list as string[];
  }
  return null;
}
