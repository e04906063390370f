import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { nearest } from '../../core/nearest.ts';
import { EVENTS } from '../../mdp/events/events.ts';
import { LIBRARY } from '../../mdp/library.ts';
import type {
  EventTermConfig,
  ObservationTermConfig,
  Params,
  ParamValue,
  RewardTermConfig,
  TaskConfig,
  TerminationTermConfig,
} from '../../mdp/task-config.ts';
import type { ParamSchema } from '../../mdp/term.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { asMap, mapOrNull, type ParamsMap, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES } from '../../runs/store/run-record.ts';
import { matchingAny } from './name-patterns.ts';

const PLACE = RUN_FILES.env;
/** Parameters that select the command, the robot or a sensor. They are ignored, because this service has exactly one of
 *  each. */
const STRUCTURAL = new Set([
  'command_name',
  'action_name',
  'asset_cfg',
  'sensor_cfg',
  'robot_cfg',
  'sensor_name',
  // whether the encoders have a bias, which is a variation for training
  'biased',
]);

/** Parameters that state how a variation of upstream is drawn and applied. The events of this service have one way. */
const DRAWN = new Set(['body_name', 'operation', 'field', 'distribution', 'shared_random', 'axes']);
/** Parameters of events that have one range per axis. */
const RANGES_BY_AXIS = new Set(['ranges', 'com_range', 'velocity_range']);
const AXES = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'];

/** Function of Isaac Lab. Deployed policies use the same word for the term `joint_pos_rel`. */
const ABSOLUTE = 'joint_pos';

/** Reads the terms of the policy's observation group.
 *  @param warnings gets a sentence for each sensor that the robot does not have
 *  @throws StudioError bad_input for an unknown term */
export function trainedObservations(
  env: ParamsMap,
  group: string,
  facts: RobotFacts,
  warnings: string[],
): Record<string, ObservationTermConfig> {
  const field = `observations.${group}.terms`;
  const listed = valueAt(env, 'observations', group, 'terms') ?? valueAt(env, 'observations', group);
  const terms: [string, ObservationTermConfig][] = [];
  for (const [name, value] of Object.entries(asMap(listed, `${PLACE}: ${field}`))) {
    const term = mapOrNull(value);
    // Older configuration files store the settings of the group among its terms.
    if (term === null || !Object.hasOwn(term, 'func')) continue;
    const func = knownName(LIBRARY.observations, term, name);
    if (functionOf(term) === ABSOLUTE)
      throw badInput(
        `${PLACE}: ${field}.${name}: ${ABSOLUTE}, the position itself, is not supported. Train with joint_pos_rel, the position from the default pose.`,
      );
    if (func === null)
      throw badInput(`${PLACE}: ${field}.${name}: ${missing('observation', term, name, LIBRARY.observations)}`);
    const place = `${field}.${name}`;
    const params = paramsOf(term, LIBRARY.observations[func]!.params, facts, `${PLACE}: ${place}`, true);
    terms.push([
      name,
      {
        func,
        params: func === 'builtin_sensor' ? atSensor(params, facts, `${PLACE}: ${place}`, warnings) : params,
        noise: noiseOf(mapOrNull(term['noise'])),
        noise_scale: 1,
        clip: rangeOf(term['clip'], `${place}.clip`),
        scale: numbersOf(term['scale'], `${place}.scale`),
        delay_min_lag: wholeOf(term['delay_min_lag'], `${place}.delay_min_lag`),
        delay_max_lag: wholeOf(term['delay_max_lag'], `${place}.delay_max_lag`),
        history_length: wholeOf(term['history_length'], `${place}.history_length`),
      },
    ]);
  }
  if (terms.length === 0) throw badInput(`${PLACE}: ${field}: has no observations`);
  return Object.fromEntries(terms);
}

/** Adds the position of the robot's velocimeter to the parameters of a sensor, because upstream measures the velocity
 *  there and not at the origin of the root. */
function atSensor(params: Params, facts: RobotFacts, place: string, warnings: string[]): Params {
  const isVelocimeter = /(^|\/)imu_lin_vel$/.test(String(params['sensor_name']));
  if (!isVelocimeter || Object.hasOwn(params, 'offset')) return params;
  if (facts.velocimeter) return { ...params, offset: facts.velocimeter };
  warnings.push(
    `${place}: the root of ${facts.name} has no velocimeter imu_lin_vel; the velocity of its origin is used`,
  );
  return params;
}

/** Reads the known rewards, terminations and events. Skips unknown ones, each with a warning. */
export function trainedOutcomes(
  env: ParamsMap,
  base: TaskConfig,
  facts: RobotFacts,
): Pick<TaskConfig, 'rewards' | 'terminations' | 'events'> & { readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const section = <T>(name: string, kind: string, terms: Readonly<Record<string, Described>>, make: Make<T>) => {
    const kept: [string, T][] = [];
    for (const [key, value] of Object.entries(mapOrNull(env[name]) ?? {})) {
      const term = mapOrNull(value);
      if (term === null) continue; // null: the term is disabled
      // Upstream renamed the functions of events, but kept the names of events in tasks.
      const func = knownName(terms, term, key) ?? (name === 'events' && Object.hasOwn(terms, key) ? key : null);
      if (func === null) warnings.push(`${PLACE}: ${name}.${key} is skipped: ${missing(kind, term, key, terms)}`);
      else kept.push([key, make(key, func, term, `${PLACE}: ${name}.${key}`)]);
    }
    return Object.fromEntries(kept);
  };
  const rewards = section(
    'rewards',
    'reward',
    LIBRARY.rewards,
    (_name, func, term, place): RewardTermConfig => ({
      func,
      weight: numberOf(term['weight'], `${place}.weight`),
      params: paramsOf(term, LIBRARY.rewards[func]!.params, facts, place, false),
    }),
  );
  const terminations = section(
    'terminations',
    'termination',
    LIBRARY.terminations,
    (_name, func, term, place): TerminationTermConfig => ({
      func,
      time_out: term['time_out'] === true,
      params: paramsOf(term, LIBRARY.terminations[func]!.params, facts, place, false),
    }),
  );
  const events = section('events', 'event', EVENTS, (name, func, term, place): EventTermConfig | null => {
    const event = baseEvent(name, func, base);
    return event && eventOf(event, func, term, place, warnings);
  });
  return {
    rewards,
    terminations,
    events: Object.fromEntries(Object.entries(events).flatMap(([name, event]) => (event ? [[name, event]] : []))),
    warnings,
  };
}

interface Described {
  readonly aliasOf?: string;
}
type Make<T> = (name: string, func: string, term: ParamsMap, place: string) => T;

/** Returns the base task's event of the same name or function; null if it has none. */
function baseEvent(name: string, func: string, base: TaskConfig): EventTermConfig | null {
  const own = EVENTS[func] as Described | undefined;
  const same = (other: EventTermConfig) => other.func === func || other.func === own?.aliasOf;
  return base.events[name] ?? Object.values(base.events).find(same) ?? null;
}

/** Returns an event of the base task with mode, interval and ranges of the run.
 *  @param warnings gets a sentence for each parameter that cannot be read */
function eventOf(
  event: EventTermConfig,
  func: string,
  term: ParamsMap,
  place: string,
  warnings: string[],
): EventTermConfig {
  const changed: Record<string, ParamValue> = {};
  for (const [key, value] of Object.entries(mapOrNull(term['params']) ?? {})) {
    if (STRUCTURAL.has(key) || DRAWN.has(key) || value === null) continue;
    const read = eventParams(key, value, event.params);
    if (read) Object.assign(changed, read);
    else warnings.push(`${place}.params.${key} is skipped: this service has no such parameter, or not with this value`);
  }
  const mode = EVENTS[func]!.modes.find((known) => known === term['mode']) ?? event.mode;
  const interval = isRange(term['interval_range_s']) ? term['interval_range_s'] : event.interval_range_s;
  return {
    ...event,
    mode,
    interval_range_s: mode === 'interval' ? interval : null,
    params: { ...event.params, ...changed },
  };
}

/** Returns a parameter of an event under the names that this service gives it; null if it has no such parameter. As in
 *  upstream, an axis for which a mapping has no range does not change.
 *  @param own parameters of the base task's event */
function eventParams(key: string, value: unknown, own: Params): Params | null {
  const byAxis = RANGES_BY_AXIS.has(key) ? mapOrNull(value) : null;
  if (byAxis) {
    const axes = AXES.filter((axis) => Object.hasOwn(own, axis));
    const ranges = axes.map((axis, index): [string, unknown] => [axis, byAxis[axis] ?? byAxis[index] ?? [0, 0]]);
    return axes.length > 0 && ranges.every(([, range]) => isRange(range))
      ? (Object.fromEntries(ranges) as Params)
      : null;
  }
  const before = own[key];
  const fits = Array.isArray(before) ? isRange(value) : before !== undefined && typeof value === typeof before;
  return fits ? { [key]: value as ParamValue } : null;
}

/** Returns the registered name of a term: the name of its function, otherwise the term's own name; null if neither is
 *  known. */
function knownName(terms: Readonly<Record<string, Described>>, term: ParamsMap, name: string): string | null {
  const func = functionOf(term);
  if (func !== null && Object.hasOwn(terms, func)) return func;
  return func === null && Object.hasOwn(terms, name) ? name : null;
}

/** Returns the function name of a term without its module. Accepts `mjlab.envs.mdp.observations.joint_pos_rel`, the
 *  same with a colon, and the YAML tag of an object. */
function functionOf(term: ParamsMap): string | null {
  const func = term['func'];
  const text = typeof func === 'string' ? func : Array.isArray(func) && typeof func[0] === 'string' ? func[0] : null;
  return text?.split(/[.:]/).at(-1) || null;
}

function missing(kind: string, term: ParamsMap, name: string, terms: Readonly<Record<string, unknown>>): string {
  const wanted = functionOf(term) ?? name;
  const near = nearest(wanted, Object.keys(terms));
  return `this service has no ${kind} ${quoteName(wanted)}${near === null ? '' : `; the most similar name is "${near}"`}`;
}

/** @param strict whether to refuse unknown parameters; otherwise they are ignored, because they only affect displayed
 *  metrics */
function paramsOf(
  term: ParamsMap,
  schema: Readonly<Record<string, ParamSchema>>,
  facts: RobotFacts,
  place: string,
  strict: boolean,
): Params {
  const given = mapOrNull(term['params']) ?? {};
  const params: Record<string, ParamValue> = {};
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(schema, key)) {
      const plain = plainValue(value);
      if (plain !== undefined) params[key] = isNames(schema[key]!) ? expand(key, plain, facts, place) : plain;
      else if (strict) throw badInput(`${place}.params.${key}: has an unsupported type`);
    } else if (strict && !STRUCTURAL.has(key) && value !== null)
      throw badInput(`${place}.params.${key}: is not a known parameter`);
  }
  const entity = mapOrNull(given['asset_cfg']);
  for (const key of ['joint_names', 'body_names'])
    if (entity && Object.hasOwn(schema, key) && !Object.hasOwn(params, key)) {
      const plain = plainValue(entity[key]);
      if (plain !== undefined && plain !== null) params[key] = expand(key, plain, facts, place);
    }
  return params;
}

function isNames({ type }: ParamSchema): boolean {
  return type === 'names';
}

/** Replaces patterns by the names that they match; null if they match all names. */
function expand(key: string, value: ParamValue, facts: RobotFacts, place: string): ParamValue {
  const patterns = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly unknown[]) : null;
  if (!patterns?.every((pattern): pattern is string => typeof pattern === 'string')) return value;
  const all = key.startsWith('joint') ? facts.joints : facts.bodies;
  const names = all.map(({ name }) => name);
  if (patterns.every((pattern) => names.includes(pattern))) return patterns;
  const found = matchingAny(patterns, names, `${place}.params.${key}`);
  return found.length === names.length ? null : found;
}

function plainValue(value: unknown): ParamValue | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  if (value.every((item) => typeof item === 'number' && Number.isFinite(item))) return value as number[];
  return value.every((item) => typeof item === 'string') ? (value as string[]) : undefined;
}

/** Returns additive uniform noise; null for any other kind of noise. */
function noiseOf(noise: ParamsMap | null): ObservationTermConfig['noise'] {
  const bound = (value: unknown) =>
    Number.isFinite(value) || (Array.isArray(value) && value.every(Number.isFinite))
      ? (value as number | readonly number[])
      : null;
  const [lower, upper] = [bound(noise?.['n_min']), bound(noise?.['n_max'])];
  const { operation = 'add' } = noise ?? {};
  return lower === null || upper === null || operation !== 'add' ? null : { n_min: lower, n_max: upper };
}

function isRange(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => Number.isFinite(item));
}

function rangeOf(value: unknown, field: string): readonly [number, number] | null {
  if (value === undefined || value === null) return null;
  if (isRange(value)) return value;
  throw badInput(`${PLACE}: ${field}: must be null or two numbers, lowest first`);
}

function numbersOf(value: unknown, field: string): number | readonly number[] | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value) && value.every((item) => Number.isFinite(item))) return value as number[];
  throw badInput(`${PLACE}: ${field}: must be null, a number or a list of numbers`);
}

function numberOf(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw badInput(`${place}: must be a finite number`);
}

function wholeOf(value: unknown, field: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw badInput(`${PLACE}: ${field}: must be an integer ≥ 0`);
}
