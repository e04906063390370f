import { badInput } from '../../core/errors.ts';

/** Gains of one joint. Values that the file does not state are missing. Units as in robot.yaml. */
export interface StatedGain {
  readonly stiffness?: number;
  readonly damping?: number;
  readonly armature?: number;
  readonly effort_limit?: number;
  readonly action_scale?: number;
}
export type GainField = keyof StatedGain;

/** Gains by joint name. A name may be a pattern, or a part of joint names (`hip_yaw`). */
export interface NamedGains {
  readonly kind: 'named';
  readonly gains: ReadonlyMap<string, StatedGain>;
}

/** Gains by motor, without joint names, as in Unitree's deploy.yaml. */
interface MotorGains {
  readonly kind: 'motors';
  /** in the joint order of the policy */
  readonly gains: readonly StatedGain[];
  /** motor index of each of these joints; the indices start at 0 and have no gaps */
  readonly motors: readonly number[];
}

export type StatedGains = NamedGains | MotorGains;

/** Field of each name that trainers and controllers use in their files, in lower case. */
const FIELDS: Readonly<Record<string, GainField>> = Object.assign(Object.create(null) as Record<string, GainField>, {
  stiffness: 'stiffness',
  joint_stiffness: 'stiffness',
  kp: 'stiffness',
  kps: 'stiffness',
  joint_kp: 'stiffness',
  p_gain: 'stiffness',
  p_gains: 'stiffness',
  damping: 'damping',
  joint_damping: 'damping',
  kd: 'damping',
  kds: 'damping',
  joint_kd: 'damping',
  d_gain: 'damping',
  d_gains: 'damping',
  armature: 'armature',
  joint_armature: 'armature',
  effort_limit: 'effort_limit',
  effort_limits: 'effort_limit',
  effort_limit_sim: 'effort_limit',
  torque_limit: 'effort_limit',
  torque_limits: 'effort_limit',
  tau_limit: 'effort_limit',
  action_scale: 'action_scale',
} satisfies Record<string, GainField>);

/** Returns the field that a key of a file names; undefined for unknown keys. */
export function fieldOf(key: string): GainField | undefined {
  return FIELDS[key.toLowerCase()];
}

/** Fields in which 0 means "unknown". */
const NEVER_ZERO: ReadonlySet<GainField> = new Set(['effort_limit', 'action_scale']);

/** Returns a gain as a number; undefined if the file does not determine it (null, infinite, an effort limit of 0).
 *  @param place name of the value in messages  @throws bad_input for a negative value or anything else */
export function gainOf(value: unknown, field: GainField, place: string): number | undefined {
  if (value === null || value === undefined || value === Infinity) return undefined;
  if (value === 0 && NEVER_ZERO.has(field)) return undefined;
  const isScale = field === 'action_scale';
  if (typeof value !== 'number' || !Number.isFinite(value) || (value < 0 && !isScale))
    throw badInput(`${place}: must be a number${isScale ? '' : ' ≥ 0'}`);
  return value;
}

/** A mapping of a YAML or JSON file. Access own keys only, because the file chooses the keys. */
export type Mapping = Readonly<Record<string, unknown>>;

/** Returns the value if it is a mapping, otherwise null. */
export function mappingOf(value: unknown): Mapping | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? (value as Mapping)
    : null;
}
